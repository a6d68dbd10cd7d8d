// SPDX-License-Identifier: Apache-2.0
// Permission rules in Claude Code's syntax ("Bash(git log:*)", "Read(//etc/**)", "mcp__SERVER"), for the built-in agent: from a
// host's lists of tools and from updates in its answers. The rules are at least as strict as in Claude Code: no rule for a part
// allows a compound command. Loop thread only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::face {

struct RuledCall {
  std::string tool{};  // Claude Code's name of the tool
  json::Value input{};
  std::string folder{};  // the conversation's folder
};

class ClaudeRules {
 public:
  void allow(const std::vector<std::string>& rules) { add(allowed_, rules); }
  void deny(const std::vector<std::string>& rules) { add(denied_, rules); }
  // Applies addRules, replaceRules and removeRules; ignores other kinds of updates. All rules last as long as this object:
  // independent of their destination, the settings of Claude Code are never written.
  void update(const claude::PermissionUpdate& update);

  bool allows(const RuledCall& call) const;
  bool denies(const RuledCall& call) const { return any_fits(denied_, call); }
  // Also a search that may read a denied file below its folder.
  bool asks(const RuledCall& call) const;

 private:
  using Rules = std::vector<claude::PermissionRule>;
  static void add(Rules& to, const std::vector<std::string>& rules);
  static bool any_fits(const Rules& rules, const RuledCall& call);

  Rules allowed_;
  Rules denied_;
  Rules asked_;
};

// Parses "Bash(git log:*)".
claude::PermissionRule read_rule(const std::string& text);

// Data for a request to a host: suggested rules as a JSON list, the reason, and the path.
struct QuestionAbout {
  std::string suggestions_json{};
  std::string reason{};
};
QuestionAbout question_about(const RuledCall& call);

// The absolute path of a call; empty: none.
std::string path_of_call(const RuledCall& call);

}  // namespace parlance::face
