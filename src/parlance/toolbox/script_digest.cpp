// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/script_digest.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "parlance/base/sha256.h"
#include "parlance/hub/commands/command_words.h"
#include "parlance/workspace/path_guard.h"

namespace parlance::toolbox {
namespace {

constexpr std::size_t most_script_bytes = 16 << 20;  // larger files are compiled programs, and reading takes too long

bool is_interpreter(std::string_view program) {
  static constexpr std::array names{"sh",  "bash", "dash", "zsh", "ksh", "fish",   "node", "deno",
                                    "bun", "ruby", "perl", "php", "lua", "source", "."};
  return std::ranges::find(names, program) != names.end() || program.starts_with("python");
}

// The word that names a script, if there is one: `./a.sh`, `env X=1 a/b`, `bash -e a.sh`.
std::optional<std::string> script_word(const std::vector<std::string>& words) {
  std::size_t at = 0;
  while (at < words.size() &&
         (words[at] == "env" || words[at] == "exec" || words[at] == "time" || words[at].find('=') != std::string::npos))
    ++at;
  if (at == words.size()) return std::nullopt;
  const std::string_view program = words[at];
  if (!is_interpreter(program.substr(program.rfind('/') + 1)))
    return program.contains('/') ? std::optional(words[at]) : std::nullopt;
  const auto file = std::find_if(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end(),
                                 [](const std::string& word) { return !word.starts_with('-'); });
  return file == words.end() ? std::nullopt : std::optional(*file);
}

std::optional<std::string> content_of(const workspace::PathGuard& guard, const workspace::ResolvedPath& path) {
  const auto file = guard.open_at(path, O_RDONLY | O_NONBLOCK);
  if (!file) return std::nullopt;
  std::string text;
  std::array<char, 64 << 10> buffer;
  while (text.size() <= most_script_bytes) {
    const ssize_t got = ::read(file->get(), buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got < 0) return std::nullopt;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return std::nullopt;
}

}  // namespace

std::string script_digest(const std::string& folder, const std::string& command) {
  const auto guard = workspace::PathGuard::open_real(folder);
  if (!guard) return "";
  std::string seen;
  for (const std::vector<std::string>& words : hub::command_parts(command).all) {
    const auto word = script_word(words);
    if (!word) continue;
    const workspace::ResolvedPath path = guard->resolve_word(*word);
    if (!path.inside || path.nowhere || path.folder) continue;
    const auto content = path.exists ? content_of(*guard, path) : std::nullopt;
    seen += path.relative + '\0' + (content ? sha256_hex(*content) : path.exists ? "unread" : "missing") + '\n';
  }
  return seen.empty() ? "" : sha256_hex(seen);
}

}  // namespace parlance::toolbox
