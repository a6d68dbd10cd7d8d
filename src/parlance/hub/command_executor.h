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
#include "parlance/hub/room.h"

namespace parlance::hub {

class CommandExecutor {
 public:
  explicit CommandExecutor(Hub::Implementation& hub) : hub_(hub) {}

  Task<Result<Prompted>> submit(Submission from);  // performed here, or by the owner of the conversation
  Result<void> submit_at_once(Submission from);    // a stop or the resumption of a queue, without a wait
  Task<Result<Prompted>> perform(std::shared_ptr<Room> room, Submission& from);
  Task<Result<Prompted>> remove(std::shared_ptr<Room> room, std::optional<Submission> from = {});  // absent: no person asks
  void note_done(Room& room, const Submission& from, const Prompted& prompted = {});  // in the operation with the effect

 private:
  // One for each command. The awaiting caller owns `from`, which contains `command`; the callee may move parts out of both.
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, SendPrompt& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, ContinueTurn& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, PrepareAgent& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, RestartAgent& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, WithdrawPrompt& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, StopTurn& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, ResumeQueue& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, ChangeSettings& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, SetOption& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, ClearConversation& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, RemoveConversation& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, AnswerRequest& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, RepeatRequest& command);
  Task<void> submit_unheard(Submission from);
  void stop_for(Room& room, const StopTurn& command, const std::string& by);
  Task<Result<void>> remove_rows(const Conversation& conversation, std::optional<Submission> from);

  // ---- settings (settings.cpp)
  EventLog::Outcome change(const std::shared_ptr<Room>& room, const Submission& from, const ConversationChanges& changes);
  void log_changes(Room& room, const ConversationChanges& before, const std::string& by);
  std::vector<AgentOption> options_of(const Room& room) const;  // in force
  EventLog::Outcome choose(const std::shared_ptr<Room>& room, AgentOption option, const Submission& from);
  Task<void> tell_settings(std::shared_ptr<Agent> agent, ConversationChanges settings_before);
  Task<void> tell_option(std::shared_ptr<Agent> agent, std::string id, std::string value);
  EventLog::Outcome write_cleared(const std::shared_ptr<Room>& room, const Submission& from);

  Hub::Implementation& hub_;
};

inline Submission submission_of(const CallerPtr& by, std::string conversation, Command command) {
  return {.conversation = std::move(conversation), .user = by->user, .by = by->name, .command = std::move(command)};
}

}  // namespace parlance::hub
