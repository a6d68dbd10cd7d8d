// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: runs the turns of a conversation, from the prompt to the end of the turn. Owns the queue of
// prompts and the agent. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/agent.h"
#include "parlance/hub/conversation/turn_so_far.h"
#include "parlance/hub/log/event_log.h"
#include "parlance/hub/room.h"
#include "parlance/hub/team/rights.h"

namespace parlance::hub {

class TurnRunner {
 public:
  explicit TurnRunner(Hub::Implementation& hub) : hub_(hub) {}

  // ---- operations of a person; the id is set at once
  EventLog::Outcome begin_turn(const std::shared_ptr<Room>& room, Prompt prompt, std::vector<Attachment> attachments,
                               const Submission& from, std::string& turn);
  EventLog::Outcome queue_prompt(const std::shared_ptr<Room>& room, Prompt prompt, std::vector<Attachment> attachments,
                                 const Submission& from, std::string& id);
  void go_on(const std::shared_ptr<Room>& room, const std::string& by);
  void stop(Room& room, const std::string& by = {});  // by: User::name of the person

  Task<void> run_turn(std::shared_ptr<Room> room, Prompt prompt, std::optional<TurnSoFar> so_far = {});  // continues `so_far`
  void next_in_queue(const std::shared_ptr<Room>& room, bool held = false);  // held: only a prompt of QueueFlow::ahead

  // ---- permissions of authors
  bool still_may(const Room& room, const std::string& by, Permission permission) const;  // by: a name in the log
  bool is_guest(const Room& room, const std::string& by) const;

  // ---- reports of the agent
  void set_mode(Room& room, Mode mode);
  void set_options(Room& room, std::vector<AgentOption> options);
  void set_native_session(Room& room, std::string id);
  void set_waits_for(Room& room, std::string what);

  // ---- the agent of a conversation
  Task<Result<std::shared_ptr<Agent>>> agent_of(std::shared_ptr<Room> room);  // opens the agent
  Task<Result<void>> replay(std::shared_ptr<Room> room);
  Task<void> let_go(std::shared_ptr<Agent> agent);  // politely, with a time limit
  void renew(const std::shared_ptr<Room>& room);    // closes the agent; the next prompt opens the agent again
  Task<void> end(std::shared_ptr<Room> room);       // after the end of its turn

 private:
  std::string open_turn(Room& room, const Prompt& prompt);  // writes to the log; `run_turn` follows
  Task<void> run_when_written(std::shared_ptr<Room> room, Prompt prompt, std::shared_ptr<OneShot<bool>> written);
  Task<Result<StopReason>> drive(std::shared_ptr<Room> room, Prompt prompt, std::optional<TurnSoFar> so_far);
  Task<Result<void>> note_authors(std::shared_ptr<Room> room);  // before a turn continues earlier messages
  void drop_forbidden(Room& room);                              // at the head of the queue
  Task<void> let_go_of(std::shared_ptr<Room> room);

  Hub::Implementation& hub_;
};

// A single line of at most limits::conversation_title_bytes.
std::string title_of(std::string_view text);
// User::name of the acting user of a team.
inline std::optional<std::string> name_or_nothing(const std::string& by) { return by.empty() ? std::nullopt : std::optional(by); }

}  // namespace parlance::hub
