// SPDX-License-Identifier: Apache-2.0
// Publishes the output of a running Chat in its turn. Loop thread only.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "parlance/agent/limits.h"
#include "parlance/driver/gorpc/chat_call.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"

namespace parlance::driver {

class TurnListener final : public ChatListener {
 public:
  // `thinking`: the turn has an open thinking block already.
  TurnListener(hub::Turn& turn, bool thinking) : turn_(turn), thinking_(thinking) {}

  void on_text(std::string_view piece) override {
    end_hold();
    end_thinking();
    if (!piece.empty()) turn_.emit(hub::event::Text{std::string(piece)});
  }
  void on_thought(std::string_view piece) override {
    if (piece.empty()) return;
    end_hold();
    if (!std::exchange(thinking_, true)) turn_.emit(hub::event::ThinkingStart{});
    turn_.emit(hub::event::ThinkingContent{std::string(piece)});
  }
  void on_wait(std::size_t before) override {
    turn_.set_waits_for("a free slot at the agent, with a limit of " + std::to_string(limits::running_chats) +
                        "; before it: " + std::to_string(before));
  }
  void on_begin() override { turn_.set_waits_for(""); }
  void on_hold(std::string what) override {
    held_ = !what.empty();
    turn_.set_waits_for(std::move(what));
  }
  Task<void> wait_writable() override {
    if (turn_.congested()) static_cast<void>(co_await turn_.written());
  }
  void on_other_answer() override {
    end_thinking();
    turn_.emit(
        hub::event::Failure{.code = std::string(hub::answers_anew),
                            .message = "The agent restarted during its answer, and answers again.",
                            .detail = "The incomplete first answer is above; the second answer follows from its beginning."});
  }
  void end_hold() {
    if (std::exchange(held_, false)) turn_.set_waits_for("");
  }
  void end_thinking() {
    if (std::exchange(thinking_, false)) turn_.emit(hub::event::ThinkingEnd{});  // the turn knows the duration
  }

 private:
  hub::Turn& turn_;
  bool thinking_;
  bool held_ = false;  // the turn shows a wait for the model
};

}  // namespace parlance::driver
