// SPDX-License-Identifier: Apache-2.0
// The reason of a request or a decision, as an id with values. Each frontend translates the id into the language of its person; the
// English sentence of the id is here. Ids are stored and sent, so an id keeps its meaning. Values; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::hub {

// In the order of reason_texts().
enum class ReasonId : std::uint8_t {
  // modes
  memory_look,
  memory_forget,
  memory_wanted,
  memory_keep,
  memory_kept,
  question,
  placeless_read,
  unknown_place,
  read_inside,
  read_outside,
  edit_outside,
  edit_inside,
  edits_asked,
  commands,
  reading_command,
  commands_asked,
  tool_outside,
  tools,
  tools_asked,
  plan_first,
  // rules
  rule,
  kept_back,
  nothing_decided,
  // guarded places
  git_runs,
  start_up,
  agent_obeys,
  editor_runs,
  tool_runs,
  // findings about a command
  word_nowhere,
  word_outside,
  word_folder,
  program_of_folder,
  no_program,
  no_repository,
  repository_hook,
  repository_unread,
  repository_sets,
  words_lead_outside,
  words_alone,
  // requests of agents
  call_unclear,
  asks,
  plan_made,
  plan_made_as,
  works_as,
  own_words,
  hook,
  rounds,
  mcp_model,
  session_lost,
  folder_programs,
  limit_of_day,
  limit_of_conversation,
};

struct ReasonText {
  std::string_view id;        // the value of Reason::id
  std::string_view sentence;  // English, without a full stop; "{0}" is the first value
};
// All ids with their English sentences, printed in docs/policy.md.
std::span<const ReasonText> reason_texts();

struct Reason {
  Reason() = default;
  Reason(ReasonId reason, std::vector<std::string> with = {});

  std::string id{};                   // empty: no reason; unknown: of a newer version
  std::vector<std::string> values{};  // for the sentence
  // Name of the agent that wants the call in the folder of the conversation. Empty: the sentence stands alone.
  std::string agent{};
  friend bool operator==(const Reason&, const Reason&) = default;
};

// The English sentence. Empty for an empty or unknown id.
std::string in_words(const Reason& reason);

}  // namespace parlance::hub
