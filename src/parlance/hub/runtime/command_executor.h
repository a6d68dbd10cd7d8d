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
  // An answer of a person in the conversation `from.conversation`; returns the settled request.
  Task<Result<Ask>> answer(Submission from);
  Task<void> do_commands(std::shared_ptr<ConversationRuntime> runtime);  // of other hubs

 private:
  // One for each command. The awaiting caller owns `from`, which contains `command`; the callee may move parts out of both.
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, SendPrompt& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, ContinueTurn& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, PrepareAgent& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, RestartAgent& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, WithdrawPrompt& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, StopTurn& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, ResumeQueue& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, ChangeSettings& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, SetOption& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, ClearConversation& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, RemoveConversation& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, AnswerRequest& command);
  Task<Result<Prompted>> execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, RepeatRequest& command);
  Task<Result<Prompted>> perform(std::shared_ptr<ConversationRuntime> runtime, Submission& from);
  Task<void> submit_without_result(Submission from);
  Task<void> do_command(std::shared_ptr<ConversationRuntime> runtime, Submission from);
  void stop_for(ConversationRuntime& runtime, const StopTurn& command, const std::string& by);
  Task<Result<void>> remove_rows(const Conversation& conversation, std::optional<Submission> from);

  // ---- settings (settings.cpp)
  EventLog::Outcome change(const std::shared_ptr<ConversationRuntime>& runtime, const Submission& from,
                           const ConversationChanges& changes);
  void log_changes(ConversationRuntime& runtime, const ConversationChanges& before, const std::string& by);
  std::vector<AgentOption> options_of(const ConversationRuntime& runtime) const;  // in force
  EventLog::Outcome choose(const std::shared_ptr<ConversationRuntime>& runtime, AgentOption option, const Submission& from);
  // To the open agent. After an error, the agent has the settings of the conversation again.
  Task<Result<void>> send_settings(std::shared_ptr<ConversationRuntime> runtime, ConversationChanges changes);
  Task<void> restore_settings(std::shared_ptr<ConversationRuntime> runtime);  // restarts an agent that refuses the mode
  Task<void> send_option(std::shared_ptr<Agent> agent, std::string id, std::string value);
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

inline Submission submission_of(const CallerPtr& by, std::string conversation, Command command) {
  return {.conversation = std::move(conversation), .user = by->user, .by = by->name, .command = std::move(command)};
}

}  // namespace parlance::hub
