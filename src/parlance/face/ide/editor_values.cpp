// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/ide/editor_values.h"

#include "parlance/base/uri.h"

namespace parlance::face::ide {

std::string file_uri(std::string_view path) {
  std::string uri = "file://";
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    uri += percent_encode(path.substr(0, slash));
    if (slash == std::string_view::npos) break;
    uri += '/';
    path.remove_prefix(slash + 1);
  }
  return uri;
}

// Claude Code prepends file:// to an unescaped path: a percent sign may be literal.
std::string path_of(std::string_view uri_or_path) {
  constexpr std::string_view scheme = "file://";
  if (!uri_or_path.starts_with(scheme)) return std::string(uri_or_path);
  const std::string_view path = uri_or_path.substr(scheme.size());
  return percent_decode(path).value_or(std::string(path));
}

std::optional<hub::editor::Position> find_text(std::string_view text, std::string_view needle) {
  const std::size_t found = needle.empty() ? std::string_view::npos : text.find(needle);
  if (found == std::string_view::npos) return {};
  hub::editor::Position at;
  for (const char byte : text.substr(0, found)) {
    const auto unit = static_cast<unsigned char>(byte);
    if (byte == '\n') at = {.line = at.line + 1, .character = 0};
    else if (unit >= 0xF0) at.character += 2;  // a surrogate pair
    else if (unit < 0x80 || unit >= 0xC0) ++at.character;
  }
  return at;
}

}  // namespace parlance::face::ide
