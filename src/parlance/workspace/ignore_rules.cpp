// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/ignore_rules.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/workspace/fd.h"
#include "parlance/workspace/limits.h"

namespace parlance::workspace {
namespace {

constexpr std::string_view any_parts = "**";
constexpr std::size_t either_most = 64;  // maximum number of patterns for a pattern with {a,b}

bool is_any_parts(std::string_view part) { return part.size() > 1 && part.find_first_not_of('*') == std::string_view::npos; }

// The POSIX classes, by the name between [: and :]. ASCII alone, as in git.
bool is_in_class(std::string_view name, char c) {
  const bool upper = c >= 'A' && c <= 'Z';
  const bool lower = c >= 'a' && c <= 'z';
  const bool digit = c >= '0' && c <= '9';
  const bool visible = c > ' ' && c < 0x7f;
  if (name == "upper") return upper;
  if (name == "lower") return lower;
  if (name == "alpha") return upper || lower;
  if (name == "digit") return digit;
  if (name == "alnum") return upper || lower || digit;
  if (name == "xdigit") return digit || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
  if (name == "graph") return visible;
  if (name == "print") return visible || c == ' ';
  if (name == "punct") return visible && !upper && !lower && !digit;
  if (name == "blank") return c == ' ' || c == '\t';
  if (name == "space") return c == ' ' || (c >= '\t' && c <= '\r');
  return name == "cntrl" && ((c >= 0 && c < ' ') || c == 0x7f);
}

bool is_class(std::string_view name) {
  constexpr std::array<std::string_view, 12> all{"upper", "lower", "alpha", "digit", "alnum", "xdigit",
                                                 "graph", "print", "punct", "blank", "space", "cntrl"};
  return std::ranges::find(all, name) != all.end();
}

// One character of a bracket, possibly after a backslash; nothing at the end.
std::optional<char> member(std::string_view pattern, std::size_t& i) {
  if (i < pattern.size() && pattern[i] == '\\') ++i;
  return i < pattern.size() ? std::optional(pattern[i++]) : std::nullopt;
}

// The position behind the bracket, and whether the bracket contains `c`. As in git, an open bracket and a bracket with an unknown
// class match nothing.
std::pair<std::size_t, bool> in_bracket(std::string_view pattern, std::size_t at, char c) {
  const std::pair nothing(pattern.size(), false);
  std::size_t i = at + 1;
  const bool not_in = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (not_in) ++i;
  bool found = false;
  for (bool first = true;; first = false) {
    if (i >= pattern.size()) return nothing;
    if (pattern[i] == ']' && !first) return {i + 1, found != not_in};
    if (pattern.substr(i).starts_with("[:")) {
      const std::size_t end = pattern.find(']', i + 2);
      if (end == std::string_view::npos) return nothing;
      if (end > i + 2 && pattern[end - 1] == ':') {
        const std::string_view name = pattern.substr(i + 2, end - i - 3);
        if (!is_class(name)) return nothing;
        found = found || is_in_class(name, c);
        i = end + 1;
        continue;
      }
    }
    const auto from = member(pattern, i);
    if (!from) return nothing;
    auto to = from;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') to = member(pattern, ++i);
    if (!to) return nothing;
    found = found || (*from <= c && c <= *to);
  }
}

// The position behind the pattern's piece at `at`, if the piece matches `c`.
std::optional<std::size_t> step(std::string_view pattern, std::size_t at, char c) {
  if (at >= pattern.size()) return std::nullopt;
  if (pattern[at] == '?') return at + 1;
  if (pattern[at] == '[') {
    const auto [end, is_in] = in_bracket(pattern, at, c);
    return is_in ? std::optional(end) : std::nullopt;
  }
  if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
  return pattern[at] == c ? std::optional(at + 1) : std::nullopt;
}

// Matches one name. Only the last star is retried: the time is at most the pattern's length times the name's.
bool name_fits(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  std::size_t i = 0;
  std::optional<std::pair<std::size_t, std::size_t>> star;  // position behind the star, and characters taken so far
  while (i < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = {++at, i};
    } else if (const auto next = step(pattern, at, name[i])) {
      at = *next;
      ++i;
    } else if (star) {
      at = star->first;
      i = ++star->second;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

// The same over names: `**` is the star.
bool path_fits(std::span<const std::string> parts, std::span<const std::string_view> names) {
  std::size_t at = 0;
  std::size_t i = 0;
  std::optional<std::pair<std::size_t, std::size_t>> star;
  while (i < names.size()) {
    if (at < parts.size() && parts[at] == any_parts) {
      star = {++at, i};
    } else if (at < parts.size() && name_fits(parts[at], names[i])) {
      ++at;
      ++i;
    } else if (star) {
      at = star->first;
      i = ++star->second;
    } else {
      return false;
    }
  }
  while (at < parts.size() && parts[at] == any_parts) ++at;
  return at == parts.size();
}

// `a/{b,c}` as `a/b` and `a/c`.
std::vector<std::string> either_of(std::string glob) {
  std::vector<std::string> waiting{std::move(glob)};
  std::vector<std::string> plain;
  while (!waiting.empty() && plain.size() + waiting.size() < either_most) {
    const std::string folder = std::move(waiting.back());
    waiting.pop_back();
    const std::size_t close = folder.find('}');
    const std::size_t open = close == std::string::npos ? close : folder.rfind('{', close);
    if (open == std::string::npos) {
      plain.push_back(folder);
      continue;
    }
    for (const std::string_view part : split(std::string_view(folder).substr(open + 1, close - open - 1), ','))
      waiting.push_back(folder.substr(0, open) + std::string(part) + folder.substr(close + 1));
  }
  return plain;
}

// Trailing spaces are ignored, unless escaped.
std::string_view without_spaces(std::string_view line) {
  while (line.ends_with('\r') || (line.ends_with(' ') && !line.ends_with("\\ "))) line.remove_suffix(1);
  return line;
}

std::string read_rules(int folder, const std::string& file) {
  const Fd fd(::openat(folder, file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat about{};
  if (fd.get() < 0 || ::fstat(fd.get(), &about) != 0 || !S_ISREG(about.st_mode)) return {};
  std::string text(limits::ignore_file_bytes, '\0');
  const ssize_t size = ::read(fd.get(), text.data(), text.size());
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return text;
}

bool exists(const std::string& path) {
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0;
}

// The root of the repository of this folder; empty: no repository.
std::string repository_of(std::string folder) {
  while (!folder.empty() && !exists(folder + "/.git"))
    folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/'));
  return folder;
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) add(line);
}

IgnoreRules IgnoreRules::of_globs(const std::vector<std::string>& globs) {
  IgnoreRules rules;
  for (const std::string& glob : globs)
    for (const std::string& pattern : either_of(glob)) rules.add("/" + pattern);
  return rules;
}

void IgnoreRules::add(std::string_view line) {
  line = without_spaces(line);
  if (line.empty() || line.starts_with('#')) return;
  Rule rule{.taken_back = line.starts_with('!')};
  if (rule.taken_back) line.remove_prefix(1);
  rule.folders_only = line.ends_with('/');
  if (rule.folders_only) line.remove_suffix(1);
  if (!line.contains('/')) rule.parts.emplace_back(any_parts);
  if (line.starts_with('/')) line.remove_prefix(1);
  for (const std::string_view part : split(line, '/')) rule.parts.emplace_back(is_any_parts(part) ? any_parts : part);
  if (rule.parts.back().empty()) return;
  if (rule.parts.back() == any_parts) rule.parts.emplace_back("*");  // the contents, not the folder itself
  rules_.push_back(std::move(rule));
}

std::optional<bool> IgnoreRules::ignores(std::string_view path, bool is_folder) const {
  const std::vector<std::string_view> names = split(path, '/');
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule)
    if ((is_folder || !rule->folders_only) && path_fits(rule->parts, names)) return !rule->taken_back;
  return std::nullopt;
}

IgnoreFiles::IgnoreFiles(const std::string& root, const std::vector<std::string>& globs) : globs_(IgnoreRules::of_globs(globs)) {
  const std::string repository = repository_of(root);
  if (!repository.empty())
    add(AT_FDCWD, repository + "/.git/info/exclude", {}, root == repository ? "" : root.substr(repository.size() + 1) + "/");
  for (std::size_t end = repository.empty() ? root.size() : repository.size(); end != std::string::npos && end <= root.size();) {
    add(AT_FDCWD, root.substr(0, end) + "/.gitignore", {}, end == root.size() ? "" : root.substr(end + 1) + "/");
    end = end == root.size() ? std::string::npos : std::min(root.find('/', end + 1), root.size());
  }
}

void IgnoreFiles::add(int folder, const std::string& file, std::string below, std::string before) {
  IgnoreRules rules(read_rules(folder, file));
  if (!rules.empty()) layers_.push_back({.below = std::move(below), .before = std::move(before), .rules = std::move(rules)});
}

bool IgnoreFiles::ignores(int folder, const std::string& path, const std::string& name, bool is_folder) {
  while (!layers_.empty() && !path.starts_with(layers_.back().below)) layers_.pop_back();
  if (globs_.ignores(path, is_folder).value_or(false)) return true;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer)
    if (const auto ignored = layer->rules.ignores(layer->before + path.substr(layer->below.size()), is_folder)) {
      if (*ignored) return true;
      break;
    }
  if (is_folder) add(folder, name + "/.gitignore", path + "/", {});
  return false;
}

}  // namespace parlance::workspace
