// SPDX-License-Identifier: Apache-2.0
// Converts the events of a turn into the pieces and the completion of a chat. Loop thread only; the follower must outlive the
// object.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/face/openai/chat_follower.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/model/model.h"

namespace parlance::face {

class TurnStream {
 public:
  TurnStream(ChatFollower& follower, std::string page_url) : follower_(follower), page_url_(std::move(page_url)) {}

  Result<void> take(const hub::Event& event);  // Errors: the follower refused the piece
  bool ended() const { return ended_; }
  Result<model::Completion> take_result();  // call after the end
  // Open requests to a person, oldest first.
  const std::vector<hub::Ask>& asks() const { return asks_; }
  const std::string& page_url() const { return page_url_; }

 private:
  void add(const hub::event::TurnStart&) {}
  template <hub::ForPagesAlone Kind>
  void add(const Kind&) {}
  void add(const hub::event::Text& text);
  void add(const hub::event::ThinkingContent& thought);
  void add(const hub::event::ThinkingEnd&) {}
  void add(const hub::event::ToolStart&) { paragraph_ = true; }
  void add(const hub::event::ToolUpdate&) {}
  void add(const hub::event::ToolOutput&) {}
  void add(const hub::event::ToolEnd&) {}
  void add(const hub::event::ToolConfirmation& asked) { add_ask(asked.ask); }
  void add(const hub::event::UserQuestion& asked) { add_ask(asked.ask); }
  void add(const hub::event::PlanApproval& asked) { add_ask(asked.ask); }
  void add(const hub::event::AskSettled& settled);
  void add(const hub::event::Plan&) {}
  void add(const hub::event::Usage& usage);
  void add(const hub::event::ModeChanged&) {}
  void add(const hub::event::OptionChanged&) {}
  void add(const hub::event::Commands&) {}
  void add(const hub::event::Cleared&) {}  // concerns messages from before this turn
  void add(const hub::event::Notice& notice);
  void add(const hub::event::Failure& failure);
  void add(const hub::event::TurnEnd& end);
  void add_ask(const hub::Ask& ask);
  void pass(model::Chunk chunk);

  ChatFollower& follower_;
  std::string page_url_;
  model::Completion completion_;
  std::vector<hub::Ask> asks_;
  std::optional<Error> failure_;
  Result<void> taken_{};
  bool paragraph_ = false;  // a tool ran since the last text
  bool ended_ = false;
};

// "run_command: npm test": the subject of a request.
std::string subject_of(const hub::Ask& ask);

}  // namespace parlance::face
