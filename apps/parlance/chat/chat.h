// SPDX-License-Identifier: Apache-2.0
// parlance chat: a person talks with agents, at a terminal, through a pipe, or from an editor. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/parlance/chat/chat_place.h"
#include "apps/parlance/chat/mentions.h"
#include "apps/parlance/chat/rooms.h"
#include "apps/parlance/chat/talk.h"
#include "apps/parlance/chat/work_status.h"
#include "apps/parlance/remote/gateway.h"
#include "parlance/async/cancel.h"

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
  void stop();  // the turn; no effect without a turn
  void quit();
  bool working() const { return turn_ != Turn::none; }
  void mentioned(const editor::AtMentioned& lines);  // in the editor: sent with the next prompt
  // Ctrl-C: stops the turn, or clears the line; the second press quits.
  void interrupted();

  // The commands (chat_commands.cpp); each prints its effect.
  Task<void> help(std::string words);
  Task<void> mode(std::string words);
  Task<void> model(std::string words);
  Task<void> agent(std::string words);
  Task<void> resume(std::string words);
  Task<void> title(std::string words);
  Task<void> archive(std::string words);
  Task<void> access(std::string words);
  Task<void> search(std::string words);
  Task<void> memory(std::string words);
  Task<void> test_editor(std::string words);
  Task<void> clear(std::string words);
  Task<void> exit(std::string words);

 private:
  Task<Result<void>> begin();
  Task<Typed> next_line();
  Task<void> show_others();
  void show_message(const hub::EventBody& body);  // of another author
  Task<void> answer_others(std::string typed);    // requests of turns of others; `typed`: the dropped line
  void note_open_asks();
  Task<Result<hub::StopReason>> follow_own(hub::Prompted begun, std::string text);
  bool asks_person() const { return options_.approve == "ask"; }
  Task<void> enter(std::unique_ptr<Room> room);
  Task<void> leave();
  // Prints an error. No value: nothing has changed.
  Task<std::optional<hub::Conversation>> change(hub::ConversationChanges changes);
  Task<void> take(std::string text);
  Task<bool> take_command(std::string_view text);  // false: a text for the agent, not a mistyped command
  Task<void> turn(std::string text);
  Task<void> show_last_turn();
  void say(const std::string& line) const;
  void say(const Error& error) const { say("error: " + error.message); }
  const hub::Conversation& conversation() const;

  Loop& loop_;
  const Settings& settings_;
  ChatOptions options_;
  ChatPlace place_;
  std::unique_ptr<Rooms> rooms_;
  WorkStatus status_;
  Mentions mentions_;
  CancelSource quit_;
  std::unique_ptr<Talk> talk_;
  std::string turn_id_;          // of the person's last prompt; empty: it waits in the queue
  std::vector<hub::Ask> asked_;  // by turns of others, unanswered
  enum class Turn : std::uint8_t { none, running, stopping } turn_ = Turn::none;
  bool done_ = false;
  bool failed_ = false;  // the last turn
  bool reading_ = false;
  bool again_ = false;  // the last Ctrl-C came soon behind another
  TimePoint interrupted_at_{};
};

}  // namespace parlance::app
