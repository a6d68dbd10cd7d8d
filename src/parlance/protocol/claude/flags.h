// SPDX-License-Identifier: Apache-2.0
// The command line with which a host starts Claude Code, parsed like Claude Code: some flags have no value, some one, some any
// number, and each may repeat. For the other direction see launch.h. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::claude {

struct Flag {
  std::string name{};                 // "--add-dir"; the first of several names.
  std::vector<std::string> values{};  // Empty: a flag without a value.
};

class Flags {
 public:
  explicit Flags(const std::vector<std::string>& words);

  bool has(std::string_view name) const;
  std::string text(std::string_view name) const;              // The last one counts. Empty: absent.
  std::vector<std::string> all(std::string_view name) const;  // In order.
  const std::vector<Flag>& list() const { return flags_; }

 private:
  std::vector<Flag> flags_;
};

// Each value in a word of its own, "--add-dir=x", so that no value can become a flag.
std::vector<std::string> words_of(const Flag& flag);

// Thinking on or off, for agents without adaptive thinking and token limits. Absent: not given.
std::optional<bool> thinking_of(const Flags& flags);
// The same, with the effort as default: high effort turns thinking on, low effort off.
std::optional<bool> thinking_of_effort(const Flags& flags);

// Names of tools, separated by commas or blanks. A rule in brackets may contain both: "Read, Bash(git log:*)".
std::vector<std::string> tool_names(std::string_view text);

}  // namespace parlance::claude
