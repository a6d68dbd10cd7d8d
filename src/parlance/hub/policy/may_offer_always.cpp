// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/may_offer_always.h"

#include "parlance/base/visible_text.h"

namespace parlance::hub {
namespace {

bool is_clear(const std::optional<std::string>& text) { return !text || !has_hidden_characters(*text); }

// Hidden characters that the file already has are irrelevant for the change.
bool is_clear_change(const std::optional<Diff>& diff) {
  return !diff || (is_clear(diff->path) && (is_clear(diff->after) || !is_clear(diff->before)));
}

}  // namespace

bool may_offer_always(const ToolIntent& intent) {
  return may_offer_always(intent.title, intent.detail, intent.diff) && is_clear(intent.command) && is_clear(intent.path) &&
         is_clear(intent.real_path);
}

bool may_offer_always(const std::string& title, const std::optional<std::string>& detail, const std::optional<Diff>& diff) {
  return is_clear(title) && is_clear(detail) && is_clear_change(diff);
}

}  // namespace parlance::hub
