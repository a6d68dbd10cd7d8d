// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/prompt.h"

#include <string_view>

#include "parlance/base/tagged.h"

namespace parlance::hub {
namespace {

constexpr std::string_view tag = "editor_context";
constexpr std::string_view opens = "<editor_context>\n";
constexpr std::string_view closes = "</editor_context>\n\n";

std::string lines_of(const LineRange& range) {
  if (range.first == range.last) return ", line " + std::to_string(range.first);
  return ", lines " + std::to_string(range.first) + " to " + std::to_string(range.last);
}

}  // namespace

std::string context_block(const std::vector<PromptContext>& context) {
  if (context.empty()) return "";
  std::string block(opens);
  block += "The person's current view in the editor, not a message from the person.\n";
  for (const PromptContext& part : context) {
    block += without_tag(part.path, tag) + (part.range ? lines_of(*part.range) : "");
    if (!part.text) {
      block += "\n";
      continue;
    }
    block += ":\n" + without_tag(*part.text, tag);
    if (!block.ends_with('\n')) block += "\n";
  }
  return block + std::string(closes);
}

}  // namespace parlance::hub
