// SPDX-License-Identifier: Apache-2.0
// parlance chat: a person talks with agents, at a terminal, through a pipe, or from an editor. Loop thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/parlance/chat/chat_place.h"
#include "apps/parlance/chat/mentions.h"
#include "apps/parlance/chat/rooms.h"
#include "apps/parlance/chat/talk.h"
#include "apps/parlance/chat/work_status.h"
#include "apps/parlance/remote/gateway.h"
#include "parlance/async/cancel.h"
#include "parlance/hub/conversation/attachment.h"

namespace parlance::app {

struct ChatOptions {
  RoomRequest room{};
  std::optional<std::string> resume{};  // the conversation to begin with; "": the newest
  std::string approve = "ask";          // ask, all, none
  std::shared_ptr<Gateway> gateway{};   // none: everything is done here
};

class Chat {
 public:
  Chat(Loop& loop, const Settings& settings, ChatOptions options, ChatPlace place);
  ~Chat();

  // To the end of input, /exit, or `quit`. The exit code.
  Task<int> run();
  // The turn, or the wait of the prompt in the queue, which withdraws the prompt. No effect without both.
  void stop();
  void quit();
  bool working() const { return turn_ != Turn::none; }
  void mentioned(const editor::AtMentioned& lines);  // in the editor: sent with the next prompt
  // Ctrl-C: stops the turn, or clears the line; the second press quits.
  void interrupted();

 private:
  friend struct ChatCommands;  // slash_commands.h
  Task<Result<void>> begin();
  Task<Typed> next_line();
  Task<void> show_others();
  void show_message(const hub::EventBody& body);  // of another author
  Task<void> answer_others(std::string typed);    // requests of turns of others; `typed`: the dropped line
  void note_open_asks();
  Task<Result<hub::StopReason>> follow_own(hub::Prompted begun, std::string text);
  // Cancels the wait of the own prompt in a queue that stands still.
  Task<void> end_wait(CancelSource& wait);
  // After the wait: withdraws the prompt after a stop, or reports the reason. false: the turn of the prompt has begun.
  Task<bool> leave_queue(std::string prompt);
  bool asks_person() const { return options_.approve == "ask"; }
  Task<void> enter(std::unique_ptr<Room> room);
  Task<void> leave();
  // A command to the present conversation.
  template <class C>
  Task<Result<typename C::Result>> submit(C command) {
    return talk_->room->hub.submit(talk_->room->conversation, std::move(command));
  }
  Task<void> take(std::string text);
  Task<bool> take_command(std::string_view text);  // false: a text for the agent, not a mistyped command
  Task<void> turn(std::string text);
  Task<void> show_turns(std::size_t turns);
  void say(const std::string& line) const;
  void say(const Error& error) const { say("error: " + error.message); }
  const hub::Conversation& conversation() const;

  Loop& loop_;
  ChatOptions options_;
  ChatPlace place_;
  std::unique_ptr<Rooms> rooms_;
  WorkStatus status_;
  Mentions mentions_;
  CancelSource quit_;
  std::unique_ptr<Talk> talk_;
  std::string turn_id_;                    // of the person's last prompt; empty: it waits in the queue
  CancelSource* waiting_ = nullptr;        // the wait in the queue; null: none
  std::vector<hub::Ask> asked_;            // by turns of others, unanswered
  std::vector<hub::Attachment> attached_;  // to the next prompt
  enum class Turn : std::uint8_t { none, running, stopping } turn_ = Turn::none;
  bool done_ = false;
  bool failed_ = false;  // the last turn
  bool reading_ = false;
  bool again_ = false;  // the last Ctrl-C came soon behind another
  TimePoint interrupted_at_{};
};

}  // namespace parlance::app
