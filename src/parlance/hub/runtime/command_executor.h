// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: executes commands, or routes them to the owner of the conversation. An id marks a command from
// another hub: the hub writes the outcome together with the effect. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/hub/conversation/command.h"
#include "parlance/hub/log/event_log.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/publisher.h"
#include "parlance/hub/runtime/request_book.h"
#include "parlance/hub/runtime/runner_connections.h"
#include "parlance/hub/runtime/takeover.h"
#include "parlance/hub/runtime/turn_runner.h"

namespace parlance::hub {

class CommandExecutor {
 public:
  CommandExecutor(Core& core, ConversationRuntimes& runtimes, Publisher& publisher, const SharedSettings& settings,
                  RequestBook& requests, TurnRunner& turns, const RunnerConnections& runners, Takeover& takeover)
      : core_(core),
        runtimes_(runtimes),
        publisher_(publisher),
        settings_(settings),
        requests_(requests),
        turns_(turns),
        runners_(runners),
        takeover_(takeover) {}

  Task<Result<Prompted>> submit(Submission from);  // performed here, or by the owner of the conversation
  Result<void> submit_at_once(Submission from);    // a stop or the resumption of a queue, without a wait
  Task<Result<Prompted>> remove(std::shared_ptr<ConversationRuntime> runtime,
                                std::optional<Submission> from = {});  // absent: no person asks
  // An answer of a person in the conversation `from.conversation`; returns the settled request. A closed request is answered
  // here from the store, without the owner. Errors: not_found (also a request of another conversation), those of
  // RequestBook::answer.
  Task<Result<Ask>> answer(Submission from);
  Task<void> do_commands(std::shared_ptr<ConversationRuntime> runtime);  // of other hubs

 private:
  // One for each command. The awaiting caller owns `from`, which contains `command`; the callee may move parts out of both.
  // Begins a turn, or queues the prompt behind a turn, a replay or earlier prompts. Errors: invalid_params (limits of a prompt),
  // overloaded (the queue is full).
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, SendPrompt& command);
  // Begins a turn without a new prompt. invalid_request: a turn runs already.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, ContinueTurn& command);
  // Opens the agent and its session ahead of the first prompt.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, PrepareAgent& command);
  // Opens an ended agent and logs a notice. invalid_request: a turn runs; disconnected: the program is absent.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, RestartAgent& command);
  // Removes a waiting prompt with its attachments. After a failed write the prompt waits at its old position. not_found: not
  // queued.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, WithdrawPrompt& command);
  // Completes when the stop is requested, not when the turn has ended.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, StopTurn& command);
  // Begins a turn with the first waiting prompt. Does nothing during a turn, and with an empty queue.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, ResumeQueue& command);
  // Both ask the open agent first, within limits::agent_setting_timeout: a refusal is the error, and the conversation stays
  // unchanged.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, ChangeSettings& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, SetOption& command);
  // Stops the turn and waits for its end, closes the agent, and forgets its session. The log keeps the events.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, ClearConversation& command);
  // `remove` as a task of the hub: continues after the caller has gone.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, RemoveConversation& command);
  // For commands of other hubs; local callers use `answer`, which returns the request.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, AnswerRequest& command);
  // Begins a turn in which the agent repeats an orphaned request. Errors: not_found, failed (the agent waits, or another turn
  // began).
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, RepeatRequest& command);
  // Executes a command of an owned conversation. Error without an execution: disconnected, for a command that needs an agent on
  // an unconnected runner.
  Task<Result<Prompted>> perform(std::shared_ptr<ConversationRuntime> runtime, Submission& from);
  // For `submit_at_once` at another owner: logs a failure, because the caller has returned.
  Task<void> submit_without_result(Submission from);
  // Checks the author's present permission, executes the command, and writes the outcome; repeats a failed write of the outcome.
  // After a change of the owner, the command stays in the store for the new owner.
  Task<void> do_command(std::shared_ptr<ConversationRuntime> runtime, Submission from);
  // Does nothing if the command concerns only the caller's own turn (`only_own`), and another person began the turn.
  void stop_for(ConversationRuntime& runtime, const StopTurn& command, const std::string& by);
  // Removes the conversation from the store, in a shared store with an audit entry. No entry: no person asks, or the
  // conversation belonged to a single program request.
  Task<Result<void>> remove_rows(const Conversation& conversation, std::optional<Submission> from);

  // ---- settings (settings.cpp)
  // Changes the row and logs each difference, in one operation. A failed write restores the row, and the settings of the open
  // agent.
  EventLog::Outcome change(const std::shared_ptr<ConversationRuntime>& runtime, const Submission& from,
                           const ConversationChanges& changes);
  // Appends a notice for each setting that differs from `before`, except the mode, which has its own event.
  void log_changes(ConversationRuntime& runtime, const ConversationChanges& before, const std::string& by);
  std::vector<AgentOption> options_of(const ConversationRuntime& runtime) const;  // in force
  // Stores the chosen value of an option and logs it, in one operation. A failed write restores the row and the agent's option.
  EventLog::Outcome choose(const std::shared_ptr<ConversationRuntime>& runtime, AgentOption option, const Submission& from);
  // To the open agent. After an error, the agent has the settings of the conversation again.
  Task<Result<void>> send_settings(std::shared_ptr<ConversationRuntime> runtime, ConversationChanges changes);
  Task<void> restore_settings(std::shared_ptr<ConversationRuntime> runtime);  // restarts an agent that refuses the mode
  Task<void> send_option(std::shared_ptr<Agent> agent, std::string id, std::string value);
  // Logs the event `cleared`, settles orphaned requests and forgets the agent session, in one operation.
  EventLog::Outcome write_cleared(const std::shared_ptr<ConversationRuntime>& runtime, const Submission& from);

  Core& core_;
  ConversationRuntimes& runtimes_;
  Publisher& publisher_;
  const SharedSettings& settings_;
  RequestBook& requests_;
  TurnRunner& turns_;
  const RunnerConnections& runners_;
  Takeover& takeover_;
};

// A command of a caller of this hub: without an id, since no other hub waits for its outcome.
inline Submission submission_of(const CallerPtr& by, std::string conversation, Command command) {
  return {.conversation = std::move(conversation), .user = by->user, .by = by->name, .command = std::move(command)};
}

}  // namespace parlance::hub
