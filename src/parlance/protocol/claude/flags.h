// SPDX-License-Identifier: Apache-2.0
// The command line with which a host starts Claude Code, taken as Claude Code takes it: some flags stand alone, some take one word,
// some as many as follow, and each may come again. The other way round: launch.h. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::claude {

struct Flag {
  std::string name{};                 // "--add-dir"; one that has several names is called by its first
  std::vector<std::string> values{};  // none: it stood alone
};

class Flags {
 public:
  explicit Flags(const std::vector<std::string>& words);

  bool has(std::string_view name) const;
  std::string text(std::string_view name) const;              // the last one counts; empty when there is none
  std::vector<std::string> all(std::string_view name) const;  // in order
  const std::vector<Flag>& list() const { return flags_; }

 private:
  std::vector<Flag> flags_;
};

// Each value in a word of its own, "--add-dir=x": so nothing can be taken for a flag.
std::vector<std::string> words_of(const Flag& flag);

// On or off, for agents that know no more: whether it is adaptive or so many tokens. Nothing: not said.
std::optional<bool> thinking_of(const Flags& flags);
// The same, and where it is not said as the effort has it: much of it is worth a thought, little is not.
std::optional<bool> thinking_of_effort(const Flags& flags);

// Names of tools, parted by commas or blanks; a rule in brackets may hold both: "Read, Bash(git log:*)".
std::vector<std::string> tool_names(std::string_view text);

}  // namespace parlance::claude
