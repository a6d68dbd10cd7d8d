// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/wrapper.h"

#include <algorithm>
#include <array>

#include "parlance/base/text.h"
#include "parlance/driver/iflow/limits.h"

namespace parlance::driver {
namespace {

constexpr std::array script_endings{".js", ".mjs", ".cjs"};
// Names of the wrapper's folder: in all versions of cmd-shim, pnpm and yarn, in three languages.
constexpr std::array folder_names{"%~dp0%", "%dp0%", "%~dp0", "${basedir}", "$basedir", "${basedir_win}", "$PSScriptRoot"};

char separator(Platform platform) { return platform == Platform::windows ? '\\' : '/'; }
bool is_separator(char c, Platform platform) { return c == '/' || (platform == Platform::windows && c == '\\'); }

bool is_script_name(std::string_view name) {
  return std::ranges::any_of(script_endings,
                             [&](std::string_view ending) { return name.size() > ending.size() && name.ends_with(ending); });
}

// Words of a line: between quotes, or between blanks.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const char quote = line.front() == '"' || line.front() == '\'' ? line.front() : '\0';
    if (quote != 0) line.remove_prefix(1);
    const std::size_t end = quote != 0 ? line.find(quote) : line.find_first_of(" \t\"'");
    const std::string_view word = line.substr(0, end);
    if (!word.empty()) words.push_back(word);
    if (end == std::string_view::npos) break;
    line.remove_prefix(quote != 0 || line[end] == ' ' || line[end] == '\t' ? end + 1 : end);
  }
  return words;
}

std::optional<std::string> resolved(std::string_view word, std::string_view folder, Platform platform) {
  for (const std::string_view name : folder_names) {
    if (!word.starts_with(name)) continue;
    word.remove_prefix(name.size());
    while (!word.empty() && is_separator(word.front(), platform)) word.remove_prefix(1);
    return evened(std::string(folder) + separator(platform) + std::string(word), platform);
  }
  if (word.contains('%') || word.contains('$')) return std::nullopt;  // an unknown variable
  if (is_absolute(word, platform)) return evened(word, platform);
  return evened(std::string(folder) + separator(platform) + std::string(word), platform);
}

bool has_drive(std::string_view path) {
  return path.size() > 1 && path[1] == ':' && ((path[0] >= 'a' && path[0] <= 'z') || (path[0] >= 'A' && path[0] <= 'Z'));
}

}  // namespace

std::optional<std::string> script_of_wrapper(std::string_view text, std::string_view folder, Platform platform) {
  if (text.size() > limits::iflow_wrapper_bytes || text.contains('\0')) return std::nullopt;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.starts_with('#') || line.starts_with("::") || equal_ignoring_case(line.substr(0, 4), "rem ")) continue;
    for (const std::string_view word : words_of(line))
      if (is_script_name(word))
        if (auto path = resolved(word, folder, platform)) return path;
  }
  return std::nullopt;
}

bool is_node_script(std::string_view path, std::string_view text) {
  if (text.contains('\0')) return false;
  if (is_script_name(path)) return true;
  if (!text.starts_with("#!")) return false;
  const std::string_view first = text.substr(0, text.find('\n'));
  const auto words = words_of(first.substr(2));
  return std::ranges::any_of(words, [](std::string_view word) { return word == "node" || word.ends_with("/node"); });
}

std::vector<std::string> windows_names() { return {"iflow", "iflow.ps1", "iflow.cmd"}; }

std::vector<std::string> windows_wrappers(std::string_view appdata) {
  if (appdata.empty()) return {};
  const std::string base = evened(std::string(appdata) + "\\npm\\iflow", Platform::windows);
  return {base + ".ps1", base + ".cmd", base};
}

std::optional<std::string> windows_node(std::string_view program, std::string_view where_output,
                                        const std::function<bool(const std::string&)>& is_file) {
  if (std::string beside = node_beside(program, Platform::windows); is_file(beside)) return beside;
  for (const std::string_view line : split(where_output, '\n'))
    if (std::string named(trim(line)); is_absolute(named, Platform::windows) && is_file(named)) return named;
  return std::nullopt;
}

std::string folder_of(std::string_view path, Platform platform) {
  for (std::size_t at = path.size(); at > 0; --at)
    if (is_separator(path[at - 1], platform)) return std::string(path.substr(0, at == 1 ? 1 : at - 1));
  return ".";
}

std::string node_beside(std::string_view program, Platform platform) {
  const std::string folder = folder_of(program, platform);
  const std::string name = platform == Platform::windows ? "node.exe" : "node";
  return is_separator(folder.back(), platform) ? folder + name : folder + separator(platform) + name;
}

bool is_absolute(std::string_view path, Platform platform) {
  if (path.starts_with('/')) return true;
  if (platform != Platform::windows) return false;
  return path.starts_with('\\') || (path.size() > 2 && has_drive(path) && is_separator(path[2], platform));
}

std::string evened(std::string_view path, Platform platform) {
  std::string root;
  if (platform == Platform::windows && has_drive(path)) {
    root = path.substr(0, 2);
    path.remove_prefix(2);
  }
  const std::size_t first = std::ranges::find_if_not(path, [&](char c) { return is_separator(c, platform); }) - path.begin();
  root.append(std::min<std::size_t>(first, platform == Platform::windows ? 2 : 1), separator(platform));
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto end = std::ranges::find_if(path, [&](char c) { return is_separator(c, platform); });
    const std::string_view part(path.begin(), end);
    if (part == ".." && !parts.empty() && parts.back() != "..") parts.pop_back();
    else if (!part.empty() && part != "." && !(part == ".." && !root.empty())) parts.push_back(part);
    path.remove_prefix(end == path.end() ? path.size() : part.size() + 1);
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    root += (i == 0 ? "" : std::string(1, separator(platform))) + std::string(parts[i]);
  return root;
}

}  // namespace parlance::driver
