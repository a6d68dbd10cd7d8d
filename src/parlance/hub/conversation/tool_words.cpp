// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/tool_words.h"

namespace parlance::hub {

std::string tool_in_words(std::string_view tool) {
  if (tool.starts_with("mcp__")) tool.remove_prefix(5);
  std::string words;
  for (const char c : tool) {
    const bool between = c == '_' || c == '.' || c == ' ';
    if (!between) words += c;
    else if (!words.empty() && words.back() != ' ') words += ' ';
  }
  if (words.ends_with(' ')) words.pop_back();
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

}  // namespace parlance::hub
