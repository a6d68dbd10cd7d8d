// SPDX-License-Identifier: Apache-2.0
// Permission rules as Claude Code writes them ("Bash(git log:*)", "Read(//etc/**)", "mcp__SERVER"): those of a host, from its lists of
// tools and from the updates that come with its answers, for agents of ours. Nothing here is looser than Claude Code: a command that is
// more than one simple command is allowed by no rule that names a part of it. Loop thread only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::face {

struct RuledCall {
  std::string tool{};  // as Claude Code calls it
  json::Value input{};
  std::string folder{};  // of the conversation
};

class ClaudeRules {
 public:
  void allow(const std::vector<std::string>& rules) { add(allowed_, rules); }
  void deny(const std::vector<std::string>& rules) { add(denied_, rules); }
  // addRules, replaceRules and removeRules; other kinds of updates are not about rules. All are kept as long as this: whatever their
  // destination, nothing is written to the settings of Claude Code.
  void update(const claude::PermissionUpdate& update);

  bool allows(const RuledCall& call) const;
  bool denies(const RuledCall& call) const { return any_fits(denied_, call); }
  bool asks(const RuledCall& call) const { return any_fits(asked_, call); }

 private:
  using Rules = std::vector<claude::PermissionRule>;
  static void add(Rules& to, const std::vector<std::string>& rules);
  static bool any_fits(const Rules& rules, const RuledCall& call);

  Rules allowed_;
  Rules denied_;
  Rules asked_;
};

// "Bash(git log:*)" in its parts.
claude::PermissionRule read_rule(const std::string& text);

// What a host is told with a question: rules that would answer it from now on, as a JSON list; why it is asked; which path it is about.
struct QuestionAbout {
  std::string suggestions_json{};
  std::string reason{};
};
QuestionAbout question_about(const RuledCall& call);

// The path that a call is about, absolute; empty: none.
std::string path_of_call(const RuledCall& call);

}  // namespace parlance::face
