// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/reason.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parlance/base/text.h"

namespace parlance::hub {
namespace {

constexpr std::array texts{
    ReasonText{"memory_look", "reading the memory"},
    ReasonText{"memory_forget", "a deleted memory cannot be restored"},
    ReasonText{"memory_wanted", "your message asks for this"},
    ReasonText{"memory_keep", "keeping memories"},
    ReasonText{"memory_kept", "new memories need approval"},
    ReasonText{"question", "a question to the person"},
    ReasonText{"placeless_read", "a call without access to files"},
    ReasonText{"unknown_place", "a read of an unknown location"},
    ReasonText{"read_inside", "reading inside the folder"},
    ReasonText{"read_outside", "reading outside the folder"},
    ReasonText{"edit_outside", "changing files outside the folder"},
    ReasonText{"edit_inside", "changing files inside the folder"},
    ReasonText{"edits_asked", "changes need approval"},
    ReasonText{"commands", "commands"},
    ReasonText{"reading_command", "a read-only command"},
    ReasonText{"commands_asked", "commands need approval"},
    ReasonText{"tool_outside", "a tool with access outside the folder"},
    ReasonText{"tools", "tools"},
    ReasonText{"tools_asked", "tools of unknown effect need approval"},
    ReasonText{"plan_first", "changes and commands wait for the approval of the plan"},
    ReasonText{"rule", "rule: {0}"},
    ReasonText{"kept_back", "a rule protects this file: {0}"},
    ReasonText{"nothing_decided", "nothing is decided here"},
    ReasonText{"git_runs", "git runs programs named in its own files"},
    ReasonText{"start_up", "programs run or trust this file at their next start"},
    ReasonText{"agent_obeys", "a coding agent runs or obeys this file at its next start"},
    ReasonText{"editor_runs", "an editor runs the contents of this file"},
    ReasonText{"tool_runs", "a developer's tool runs the contents of this file without a question"},
    ReasonText{"word_nowhere", "the place of `{0}` is unknown"},
    ReasonText{"word_outside", "`{0}` lies outside the folder: {1}"},
    ReasonText{"word_folder", "`{0}` is a folder and may contain links"},
    ReasonText{"program_of_folder", "`{0}` would be the program {1} of the folder"},
    ReasonText{"no_program", "the program `{0}` does not exist"},
    ReasonText{"no_repository", "the folder itself is not a repository"},
    ReasonText{"repository_hook", "the repository has a hook: {0}"},
    ReasonText{"repository_unread", "the repository's configuration cannot be read"},
    ReasonText{"repository_sets", "the repository's configuration sets {0} and may start a program or lead outside"},
    ReasonText{"words_lead_outside", "words of the command lead outside the folder"},
    ReasonText{"words_alone", "the agent runs the command itself, and only the words are known"},
    ReasonText{"call_unclear", "the call names no clear place"},
    ReasonText{"asks", "{0} asks"},
    ReasonText{"plan_made", "{0} has made a plan and waits for your word"},
    ReasonText{"plan_made_as", "{0} has made a plan and waits for your word; the agent would work as {1}"},
    ReasonText{"works_as", "the agent runs as {0}"},
    ReasonText{"own_words", "{0}"},
    ReasonText{"hook", "A hook requires approval: {0}"},
    ReasonText{"rounds", "The agent has asked for tools {0} times in this turn. The work may go on, or go in circles"},
    ReasonText{"mcp_model", "The MCP server {0} requests an answer of the model while {1} runs, at the cost of an answer"},
    ReasonText{"session_lost", "{0} cannot continue the earlier session: {1}. A new session does not know earlier messages"},
    ReasonText{"folder_programs",
               "{0} starts these programs, or sends conversations to these addresses, without a further request"},
    ReasonText{"limit_of_day", "The limit of {0} a day is reached: {1} were used"},
    ReasonText{"limit_of_conversation", "The limit of {0} for a conversation is reached: {1} were used"},
};
static_assert(texts.size() == static_cast<std::size_t>(ReasonId::limit_of_conversation) + 1);

}  // namespace

std::span<const ReasonText> reason_texts() { return texts; }

Reason::Reason(ReasonId reason, std::vector<std::string> with)
    : id(texts[static_cast<std::size_t>(reason)].id), values(std::move(with)) {}

std::string in_words(const Reason& reason) {
  const auto found = std::ranges::find(texts, reason.id, &ReasonText::id);
  if (found == texts.end()) return {};
  std::string words;
  for (std::string_view rest = found->sentence; !rest.empty();) {
    const std::size_t at = std::min(rest.find('{'), rest.size());
    words += rest.substr(0, at);
    if (at == rest.size()) break;
    const auto index = static_cast<std::size_t>(rest[at + 1] - '0');
    if (index < reason.values.size()) words += reason.values[index];
    rest.remove_prefix(at + 3);
  }
  return words;
}

}  // namespace parlance::hub
