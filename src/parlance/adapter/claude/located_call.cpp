// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/located_call.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace parlance::adapter {
namespace {

// The white space that `String.prototype.trim` of JavaScript drops.
constexpr std::array<std::string_view, 25> white_space{" ",
                                                       "\t",
                                                       "\n",
                                                       "\v",
                                                       "\f",
                                                       "\r",
                                                       "\xC2\xA0",
                                                       "\xE1\x9A\x80",
                                                       "\xE2\x80\x80",
                                                       "\xE2\x80\x81",
                                                       "\xE2\x80\x82",
                                                       "\xE2\x80\x83",
                                                       "\xE2\x80\x84",
                                                       "\xE2\x80\x85",
                                                       "\xE2\x80\x86",
                                                       "\xE2\x80\x87",
                                                       "\xE2\x80\x88",
                                                       "\xE2\x80\x89",
                                                       "\xE2\x80\x8A",
                                                       "\xE2\x80\xA8",
                                                       "\xE2\x80\xA9",
                                                       "\xE2\x80\xAF",
                                                       "\xE2\x81\x9F",
                                                       "\xE3\x80\x80",
                                                       "\xEF\xBB\xBF"};

std::string_view trimmed(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view space : white_space) {
      if (text.starts_with(space)) text.remove_prefix(space.size()), again = true;
      if (text.ends_with(space)) text.remove_suffix(space.size()), again = true;
    }
  }
  return text;
}

bool searches(std::string_view tool) { return tool == "Glob" || tool == "Grep" || tool == "LS"; }

// The folder in which an absolute pattern begins to search: /a/b/*.txt searches in /a/b.
std::string base_of(std::string_view pattern) {
  const std::string_view literal = pattern.substr(0, pattern.find_first_of("*?[{"));
  return std::string(literal.substr(0, std::max<std::size_t>(literal.rfind('/'), 1)));
}

}  // namespace

LocatedCall located_call(ClaudeCall call, const std::string& folder, const std::string& cwd, const std::string& home) {
  LocatedCall located{.call = std::move(call)};
  json::Object* const input = located.call.input.object();
  if (input == nullptr) return {.call = std::move(located.call), .is_known = false};
  const std::string& here = cwd.empty() ? folder : cwd;
  const auto set = [&](std::string_view name, std::string path) {
    if (path == "~" || path.starts_with("~/")) {
      located.is_known = located.is_known && !home.empty();
      path = home + path.substr(1);
    }
    if (!path.starts_with('/')) path = here + "/" + path;
    located.is_known =
        located.is_known && std::ranges::none_of(path, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    input->set(std::string(name), std::move(path));
  };
  bool has_path = false;
  for (const char* const name : {"file_path", "notebook_path", "path"}) {
    const json::Value* const found = input->find(name);
    if (found == nullptr || found->is_null()) continue;
    if (found->text() == nullptr) located.is_known = false;
    const std::string path(trimmed(located.call.input.text_or(name, "")));
    if (path.empty()) continue;
    set(name, path);
    has_path = true;
  }
  if (!searches(located.call.tool)) return located;
  const std::string pattern(located.call.tool == "Glob" ? trimmed(located.call.input.text_or("pattern", "")) : "");
  if (pattern.starts_with('~') || pattern.contains("..")) located.is_known = false;
  if (pattern.starts_with('/')) set("path", base_of(pattern));
  else if (!has_path) set("path", here);
  return located;
}

}  // namespace parlance::adapter
