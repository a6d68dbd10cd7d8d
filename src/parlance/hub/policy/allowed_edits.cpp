// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/allowed_edits.h"

#include <algorithm>

namespace parlance::hub {

void AllowedEdits::add(const ToolIntent& allowed, TimePoint now) {
  if (allowed.kind != ToolKind::edit || !allowed.real_path || !allowed.diff || !allowed.diff->after) return;
  edits_.push_back({.place = *allowed.real_path,
                    .before = allowed.diff->before.value_or(""),
                    .after = *allowed.diff->after,
                    .until = now + lasts});
  if (edits_.size() > most) edits_.pop_front();
}

bool AllowedEdits::take(const ToolIntent& wanted, TimePoint now) {
  std::erase_if(edits_, [now](const Edit& edit) { return edit.until < now; });
  if (wanted.kind != ToolKind::edit || !wanted.real_path || !wanted.diff || !wanted.diff->after) return false;
  const std::string before = wanted.diff->before.value_or("");
  const auto found = std::ranges::find_if(
      edits_, [&](const Edit& edit) { return edit.place == *wanted.real_path && makes(edit, before, *wanted.diff->after); });
  if (found == edits_.end()) return false;
  edits_.erase(found);
  return true;
}

bool AllowedEdits::makes(const Edit& edit, std::string_view before, std::string_view after) {
  if (edit.before == before) return edit.after == after;
  if (edit.before.empty()) return false;
  const std::size_t at = before.find(edit.before);
  if (at == std::string_view::npos || before.find(edit.before, at + 1) != std::string_view::npos) return false;
  std::string made(before);
  made.replace(at, edit.before.size(), edit.after);
  return made == after;
}

}  // namespace parlance::hub
