// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/claude/flags.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parlance::claude {
namespace {

constexpr std::array<std::string_view, 24> alone{"--print",
                                                 "--verbose",
                                                 "--include-partial-messages",
                                                 "--include-hook-events",
                                                 "--replay-user-messages",
                                                 "--allow-dangerously-skip-permissions",
                                                 "--dangerously-skip-permissions",
                                                 "--fork-session",
                                                 "--continue",
                                                 "--strict-mcp-config",
                                                 "--no-session-persistence",
                                                 "--session-mirror",
                                                 "--await-initialize",
                                                 "--managed-settings-in-initialize",
                                                 "--bare",
                                                 "--brief",
                                                 "--chrome",
                                                 "--no-chrome",
                                                 "--disable-slash-commands",
                                                 "--ide",
                                                 "--mcp-debug",
                                                 "--debug-to-stderr",
                                                 "--exclude-dynamic-system-prompt-sections",
                                                 "--version"};

constexpr std::array<std::string_view, 7> take_many{"--add-dir",    "--allowedTools", "--disallowedTools", "--tools", "--betas",
                                                    "--mcp-config", "--file"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> other_names{{{"-p", "--print"},
                                                                                    {"-c", "--continue"},
                                                                                    {"-r", "--resume"},
                                                                                    {"-d", "--debug"},
                                                                                    {"-n", "--name"},
                                                                                    {"--allowed-tools", "--allowedTools"},
                                                                                    {"--disallowed-tools", "--disallowedTools"}}};

std::string full_name(std::string_view name) {
  const auto known = std::ranges::find(other_names, name, &std::pair<std::string_view, std::string_view>::first);
  return std::string(known == other_names.end() ? name : known->second);
}

}  // namespace

Flags::Flags(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) continue;
    const std::size_t equals = word.find('=');
    Flag flag{.name = full_name(std::string_view(word).substr(0, equals))};
    if (equals != std::string::npos) {
      flag.values.push_back(word.substr(equals + 1));
    } else if (std::ranges::find(alone, flag.name) == alone.end()) {
      // Flags that a newer host brings take one word: more often than not they do.
      const bool many = std::ranges::find(take_many, flag.name) != take_many.end();
      while (i + 1 < words.size() && !words[i + 1].starts_with('-') && (many || flag.values.empty()))
        flag.values.push_back(words[++i]);
    }
    flags_.push_back(std::move(flag));
  }
}

bool Flags::has(std::string_view name) const { return std::ranges::find(flags_, name, &Flag::name) != flags_.end(); }

std::string Flags::text(std::string_view name) const {
  std::vector<std::string> values = all(name);
  return values.empty() ? std::string() : std::move(values.back());
}

std::vector<std::string> Flags::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const Flag& flag : flags_)
    if (flag.name == name) values.insert(values.end(), flag.values.begin(), flag.values.end());
  return values;
}

std::vector<std::string> words_of(const Flag& flag) {
  if (flag.values.empty()) return {flag.name};
  std::vector<std::string> words;
  for (const std::string& value : flag.values) words.push_back(flag.name + "=" + value);
  return words;
}

std::optional<bool> thinking_of(const Flags& flags) {
  if (flags.has("--thinking")) return flags.text("--thinking") != "disabled";
  if (flags.has("--max-thinking-tokens")) return flags.text("--max-thinking-tokens") != "0";
  return std::nullopt;
}

std::optional<bool> thinking_of_effort(const Flags& flags) {
  if (const auto said = thinking_of(flags)) return said;
  const std::string effort = flags.text("--effort");
  if (effort == "low") return false;
  if (effort == "high" || effort == "xhigh" || effort == "max") return true;
  return std::nullopt;
}

std::vector<std::string> tool_names(std::string_view text) {
  std::vector<std::string> names;
  std::string name;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth > 0 || (c != ',' && c != ' ')) name += c;
    else if (!name.empty()) names.push_back(std::exchange(name, {}));
  }
  if (!name.empty()) names.push_back(std::move(name));
  return names;
}

}  // namespace parlance::claude
