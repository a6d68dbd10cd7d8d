// SPDX-License-Identifier: Apache-2.0
// Text from elsewhere between tags that we write around it. Values; any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance {

// Without beginnings or ends of a tag of that name, which would let what stands inside pass for what stands outside.
inline std::string without_tag(std::string text, std::string_view name) {
  for (const char* begin : {"</", "<"}) {
    const std::string tag = begin + std::string(name);
    for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag, at)) text.replace(at, 1, "&lt;");
  }
  return text;
}

// What follows a block of that tag at the very beginning; the whole text where there is none.
inline std::string_view behind_tagged(std::string_view text, std::string_view name) {
  if (!text.starts_with("<" + std::string(name) + ">")) return text;
  const std::string closes = "</" + std::string(name) + ">";
  const std::size_t end = text.find(closes);
  return end == std::string_view::npos ? text : text.substr(end + closes.size());
}

}  // namespace parlance
