// SPDX-License-Identifier: Apache-2.0
// Foreign text between tags such as <editor_context>, for a model: the text must not end its block early. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance {

// The text without opening and closing tags of this name, so that no foreign text can leave its block.
inline std::string without_tag(std::string text, std::string_view name) {
  for (const char* begin : {"</", "<"}) {
    const std::string tag = begin + std::string(name);
    for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag, at)) text.replace(at, 1, "&lt;");
  }
  return text;
}

// The text after a block of this tag at its very beginning. The whole text if no such block exists.
inline std::string_view behind_tagged(std::string_view text, std::string_view name) {
  if (!text.starts_with("<" + std::string(name) + ">")) return text;
  const std::string closes = "</" + std::string(name) + ">";
  const std::size_t end = text.find(closes);
  return end == std::string_view::npos ? text : text.substr(end + closes.size());
}

}  // namespace parlance
