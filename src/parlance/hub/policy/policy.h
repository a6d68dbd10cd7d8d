// SPDX-License-Identifier: Apache-2.0
// Who decides whether a tool may do something: plan mode first (it never writes or runs), then the rules (first match wins), then
// the conversation's mode; what nobody decides is asked. Judged is what would really happen: the real path that the path guard found,
// the command as the table of free commands reads it. Pure: no I/O, no clock; such facts come in with the intent. Values; any thread.
//
// An allow rule fits less than its words alone would: nothing in a guarded place that it does not name, nothing outside the folder
// that it does not name, no form of a tabled command that does more than read, and of a path on one machine nothing that lies at the same path on
// another. What it does not fit goes on to the next rule.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_call.h"

namespace parlance::hub {

enum class Effect : std::uint8_t { deny, ask, allow };  // from the strictest to the most lenient: an unset one denies

// Everything that is set must fit; a rule with nothing set fits everything.
struct Rule {
  std::string id{};
  Effect effect = Effect::ask;
  std::string label{};  // one line for the person
  std::string created_at{};
  // What it has decided so far.
  std::optional<std::uint64_t> uses{};
  std::optional<std::string> used_for{};  // the last time, one line for the person
  std::optional<std::string> used_at{};

  // Not shown to faces as such; the label says it.
  std::optional<std::string> user{};  // in whose conversations it counts: User::id; absent: the person's of this machine
  std::optional<std::string> agent{};
  std::optional<std::string> conversation{};
  std::optional<std::string> folder{};  // the conversation's folder is this one
  std::optional<std::string> place{};   // the runner on whose machine its paths lie; absent: the gateway's
  std::optional<std::string> tool{};
  std::optional<std::string> path_prefix{};  // absolute; whole components; the real path has to lie there
  std::vector<std::string> command_words{};  // the command's first words
  friend bool operator==(const Rule&, const Rule&) = default;
};

// What is about to be done, and by whom.
struct Action {
  std::string_view conversation;
  std::string_view agent;
  std::string_view folder;
  std::string_view place{};  // the runner on whose machine; empty: the gateway's
  Mode mode = Mode::default_;
  std::string_view tool;
  const ToolIntent& intent;
};
// In a conversation; all three outlive it.
Action action_in(const Conversation& conversation, std::string_view tool, const ToolIntent& intent);

struct Decision {
  Effect effect = Effect::ask;
  std::string why{};   // "rule: npm test in /home/me/app", "mode autoEdit: edits inside the folder"
  std::string rule{};  // id, when a rule decided
  Reason reason{};     // the sentence of `why` for translation; empty: only `why` says it
};

// `rules` in the order in which they are tried. A call that names several places gets the strictest decision of them.
Decision decide(const Action& action, std::span<const Rule> rules);
bool matches(const Rule& rule, const Action& action);

// An "always" answer as a rule, made together with the option that offers it.
struct OfferedRule {
  std::string option{};
  Rule rule{};
};
struct Offer {
  std::vector<AskOption> options{};
  std::vector<OfferedRule> rules{};
};
// Yes or no, this time: what is offered where nothing more can be.
std::vector<AskOption> once_offer();
// Allow once, always in this folder, always in this conversation, reject, reject and stop: what our own tool loop offers for an intent.
// Nothing is offered "always" that a rule could not describe narrowly: of commands only what the table of free commands has.
Offer standard_offer(const Action& action);

}  // namespace parlance::hub
