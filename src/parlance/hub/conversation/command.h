// SPDX-License-Identifier: Apache-2.0
// A person's request to a conversation, as a value, and the rules of each command. A hub that does not own the conversation stores
// the command for the owner. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "parlance/base/error.h"
#include "parlance/hub/conversation/answer.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/team/audit.h"
#include "parlance/hub/team/rights.h"

namespace parlance::hub {

struct Conversation;  // conversation/conversation.h

// Absent members stay unchanged.
struct ConversationChanges {
  std::optional<std::string> title{};
  std::optional<Mode> mode{};
  std::optional<std::string> model{};
  std::optional<bool> think{};
  std::optional<bool> archived{};
  std::optional<Access> access{};
};

// The effect of a command that starts or queues a turn.
struct Prompted {
  std::string turn{};    // id of the started turn; empty: no turn started
  std::string queued{};  // id of the waiting prompt; empty: no prompt waits
};

// ---- commands: one struct each, with its fields, its tag in the shared store and its result ----------------------------------

// Requires text, attachments, or both.
struct SendPrompt {
  static constexpr std::string_view tag = "send_prompt";
  using Result = Prompted;
  std::string text{};
  PromptOptions options{};
  std::vector<Attachment> attachments{};
  std::vector<PromptContext> context{};
};

// A turn without a new message: the agent continues at the end of the log. Error: invalid_request (a turn runs).
struct ContinueTurn {
  static constexpr std::string_view tag = "continue_turn";
  using Result = Prompted;
  PromptOptions options{};
};

// Lets the agent do the preparation of a prompt with these options early. Errors: those of the agent; a prompt tries again.
struct PrepareAgent {
  static constexpr std::string_view tag = "prepare_agent";
  using Result = void;
  PromptOptions options{};
};

// Restarts a dead agent with its session, before the next prompt, and logs a notice. Errors: invalid_request (a turn runs),
// disconnected (the agent's runner or program is missing), those of the agent.
struct RestartAgent {
  static constexpr std::string_view tag = "restart_agent";
  using Result = void;
};

// Error: not_found (already running or removed).
struct WithdrawPrompt {
  static constexpr std::string_view tag = "withdraw_prompt";
  using Result = void;
  std::string prompt{};  // QueuedPrompt::id
};

// Does nothing without a turn.
struct StopTurn {
  static constexpr std::string_view tag = "stop_turn";
  using Result = void;
  bool only_own = false;  // true: only a turn that a prompt of the caller started
};

// Resumes a held queue. Does nothing if the queue is empty or a turn runs.
struct ResumeQueue {
  static constexpr std::string_view tag = "resume_queue";
  using Result = void;
};

// An open agent accepts a new mode, model or thinking first. Errors: invalid_params (an empty title), those of the agent.
struct ChangeSettings {
  static constexpr std::string_view tag = "change_settings";
  using Result = Conversation;
  ConversationChanges changes{};
};

// An option of the conversation's agent (options_in_force). Errors: invalid_params (no such option or value), those of the agent.
struct SetOption {
  static constexpr std::string_view tag = "set_option";
  using Result = Conversation;
  std::string option{};  // AgentOption::id
  std::string value{};
};

// Stops the turn first. Hides all earlier events, and the agent starts a new session. The rows stay (event::Cleared).
struct ClearConversation {
  static constexpr std::string_view tag = "clear_conversation";
  using Result = void;
};

// Stops the turn first, and deletes the rows.
struct RemoveConversation {
  static constexpr std::string_view tag = "remove_conversation";
  using Result = void;
};

// The first answer counts. Errors: not_found, invalid_params (no such option, incomplete answers), invalid_request (digest of
// other content), failed (settled already; the message names the result and the user).
struct AnswerRequest {
  static constexpr std::string_view tag = "answer_request";
  using Result = Ask;
  std::string request{};  // Ask::id
  Answer answer{};
};

// Resumes the conversation of an orphaned request: the agent requests the call again. The old request becomes cancelled.
struct RepeatRequest {
  static constexpr std::string_view tag = "repeat_request";
  using Result = Prompted;
  std::string request{};  // Ask::id
};

using Command = std::variant<SendPrompt, ContinueTurn, PrepareAgent, RestartAgent, WithdrawPrompt, StopTurn, ResumeQueue,
                             ChangeSettings, SetOption, ClearConversation, RemoveConversation, AnswerRequest, RepeatRequest>;

// ---- the rules of each command; a command without a row does not compile ---------------------------------------------------

struct CommandRules {
  Permission permission{};        // of the caller, on the conversation
  bool needs_agent = false;       // false: the command ignores the agent, or continues without an agent
  bool is_repeatable = false;     // false: the hub writes the outcome in the commit with the effect
  std::string_view audit_name{};  // AuditEntry::what of the command's entry; empty: no entry
};

template <class C>
struct CommandRow : CommandRules {};

inline constexpr std::tuple command_table{
    CommandRow<SendPrompt>{{.permission = Permission::prompt, .needs_agent = true}},
    CommandRow<ContinueTurn>{{.permission = Permission::prompt, .needs_agent = true}},
    CommandRow<PrepareAgent>{{.permission = Permission::prompt, .needs_agent = true, .is_repeatable = true}},
    CommandRow<RestartAgent>{{.permission = Permission::prompt, .needs_agent = true, .is_repeatable = true}},
    CommandRow<WithdrawPrompt>{{.permission = Permission::prompt}},
    CommandRow<StopTurn>{{.permission = Permission::stop, .is_repeatable = true}},
    CommandRow<ResumeQueue>{{.permission = Permission::prompt, .is_repeatable = true}},
    CommandRow<ChangeSettings>{{.permission = Permission::change}},
    CommandRow<SetOption>{{.permission = Permission::change}},
    CommandRow<ClearConversation>{{.permission = Permission::change}},
    CommandRow<RemoveConversation>{{.permission = Permission::remove, .audit_name = audit::conversation_deleted}},
    // Only an answer with a new rule has an entry.
    CommandRow<AnswerRequest>{{.permission = Permission::answer, .audit_name = audit::rule_added}},
    CommandRow<RepeatRequest>{{.permission = Permission::prompt, .needs_agent = true}},
};

// A row without a permission would have the weakest.
static_assert(std::apply([](const auto&... row) { return ((row.permission != Permission::list) && ...); }, command_table),
              "each row of command_table needs a permission");

template <class C>
inline constexpr const CommandRules& rules_of = std::get<CommandRow<C>>(command_table);

// For a command whose kind is known at run time only.
inline const CommandRules& rules_of_command(const Command& command) {
  return std::visit([]<class C>(const C&) -> const CommandRules& { return rules_of<C>; }, command);
}

// The commands of Hub::submit_at_once.
using CommandAtOnce = std::variant<StopTurn, ResumeQueue>;

// A command with its conversation and its caller.
struct Submission {
  std::string id{};  // set when stored for another hub; the owner executes an id once
  std::string conversation{};
  std::string user{};  // User::id of the caller
  std::string by{};    // the caller's name; empty: the person of this machine
  Command command{};
};

// The result of a command.
struct CommandOutcome {
  std::optional<Error> error{};  // absent: success
  Prompted prompted{};           // empty for commands with another result
};

// Written together with the changes of the command.
struct CommandDone {
  std::string id{};
  CommandOutcome outcome{};
};

}  // namespace parlance::hub
