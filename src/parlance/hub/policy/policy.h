// SPDX-License-Identifier: Apache-2.0
// Decides whether a tool call may run. Order: plan mode (never writes or runs), then the rules (first match wins), then the
// conversation's mode; otherwise a person decides. The decision covers the real effect: the path resolved by the path guard, the
// command as read by the table of free commands. Pure: no I/O, no clock; such facts are part of the intent. Values; any thread.
//
// An allow rule fits less than its words: no guarded place and no path outside the folder without its name in the rule. It fits
// no tabled command beyond read-only forms, and no equal path on another machine. An action outside the rule continues with the
// next rule.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/tool_call.h"

namespace parlance::hub {

struct SessionSetup;  // conversation/session_setup.h

enum class Effect : std::uint8_t { deny, ask, allow };  // from strict to lenient: an unset effect denies

// All set fields must fit; a rule without fields fits every action.
struct Rule {
  std::string id{};
  Effect effect = Effect::ask;
  std::string label{};  // one line for the person
  std::string created_at{};
  // Statistics of its decisions.
  std::optional<std::uint64_t> uses{};
  std::optional<std::string> used_for{};  // latest use, one line for the person
  std::optional<std::string> used_at{};

  // Not shown to frontends as fields; the label describes them.
  std::optional<std::string> user{};  // User::id of the owner of the conversations; absent: the person of this machine
  std::optional<std::string> agent{};
  std::optional<std::string> conversation{};
  std::optional<std::string> folder{};  // equals the conversation's folder
  std::optional<std::string> runner{};  // runner of the paths; absent: the gateway
  std::optional<std::string> tool{};
  std::optional<std::string> path_prefix{};  // absolute; whole components; prefix of the real path
  std::vector<std::string> command_words{};  // the command's first words
  friend bool operator==(const Rule&, const Rule&) = default;
};

// A requested action with its origin.
struct Action {
  std::string_view conversation;
  std::string_view agent;
  std::string_view folder;
  std::string_view runner{};  // runner; empty: the gateway's machine
  Mode mode = Mode::default_;
  std::string_view tool;
  const ToolIntent& intent;
};
// Refers to all three arguments, which must outlive the result.
Action action_in(const SessionSetup& setup, std::string_view tool, const ToolIntent& intent);

// The result of the policy for an action, with its reason.
struct Decision {
  Effect effect = Effect::ask;
  std::string why{};   // "rule: npm test in /home/me/app", "mode autoEdit: edits inside the folder"
  std::string rule{};  // id of the deciding rule
  Reason reason{};     // the sentence of `why` for translation; empty: `why` is the only text
};

// `rules` in order of evaluation. A call with several paths gets the strictest decision.
Decision decide(const Action& action, std::span<const Rule> rules);
// Whether the rule covers the action, beyond equal words: see above for the limits of allow rules.
bool matches(const Rule& rule, const Action& action);

// A rule behind an "always" option, made together with the option.
struct OfferedRule {
  std::string option{};
  Rule rule{};
};
// The options of a request, and the rules behind its "always" options.
struct Offer {
  std::vector<AskOption> options{};
  std::vector<OfferedRule> rules{};
};
// Yes or no, this time: the minimal offer.
std::vector<AskOption> once_offer();
// The offer of the built-in tool loop: allow once, always in this folder, always in this conversation, reject, reject and stop.
// "Always" requires a narrow rule: for commands only rows of the table of free commands.
Offer standard_offer(const Action& action);

}  // namespace parlance::hub
