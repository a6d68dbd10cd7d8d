// Who decides whether a tool may do something: plan mode first (it never writes or runs), then the rules (first match wins), then
// the conversation's mode; what nobody decides is asked. Pure: no I/O, no clock. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hub/ask.h"
#include "hub/conversation.h"
#include "hub/tools.h"

namespace parlance::hub {

enum class Effect : std::uint8_t { allow, ask, deny };

// Everything that is set must fit; a rule with nothing set fits everything.
struct Rule {
  std::string id{};
  Effect effect = Effect::ask;
  std::string label{};  // one line for the person
  std::string created_at{};

  // Not shown to faces as such; the label says it.
  std::optional<std::string> agent{};
  std::optional<std::string> conversation{};
  std::optional<std::string> folder{};  // the conversation's folder is this one
  std::optional<std::string> tool{};
  std::optional<std::string> path_prefix{};  // absolute; whole components
  std::vector<std::string> command_words{};  // the command's first words
  friend bool operator==(const Rule&, const Rule&) = default;
};

// What is about to be done, and by whom.
struct Action {
  std::string_view conversation;
  std::string_view agent;
  std::string_view folder;
  Mode mode = Mode::default_;
  std::string_view tool;
  const ToolIntent& intent;
};

struct Decision {
  Effect effect = Effect::ask;
  std::string why{};   // "rule: npm test in /home/me/app", "mode autoEdit: edits inside the folder"
  std::string rule{};  // id, when a rule decided
};

// `rules` in the order in which they are tried.
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
// Allow once, always in this folder, always in this conversation, reject: what our own tool loop offers for an intent.
// Nothing is offered "always" that a rule could not describe narrowly (a compound command, a path outside the folder).
Offer standard_offer(const Action& action);

// ---- commands -------------------------------------------------------------------------------------------------------

// The words of a simple command, as a shell would see them; nothing when it is more than that (pipes, lists, substitutions,
// redirections, assignments, globs in the program's name, unbalanced quotes): an allow rule never fits such a command.
std::optional<std::vector<std::string>> simple_command(std::string_view command);
// The same for every simple command of a list or pipe, as well as it can be told: for rules that deny or ask.
std::vector<std::vector<std::string>> command_parts(std::string_view command);
// True for a simple command of the list of read-only programs that names nothing outside the folder (mode `smart`).
bool is_read_only_command(std::string_view command);

}  // namespace parlance::hub
