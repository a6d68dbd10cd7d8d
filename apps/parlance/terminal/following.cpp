// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/following.h"

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/turn_event.h"

namespace parlance::app {

namespace {

// Gives the unhandled events back, however the handling ends: the events behind a turn's end belong to the next turn.
class Handled {
 public:
  Handled(hub::Follower& follower, const hub::Follower::Batch& batch)
      : follower_(follower), batch_(batch), last_(batch.events.empty() ? follower.position() : batch.events.front()->seq - 1) {}
  ~Handled() {
    if (last_ != follower_.position()) follower_.put_back(batch_, last_);
  }
  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;
  void to(std::uint64_t seq) { last_ = seq; }

 private:
  hub::Follower& follower_;
  const hub::Follower::Batch& batch_;
  std::uint64_t last_;
};

}  // namespace

Task<Result<hub::StopReason>> follow_turn(hub::Follower& follower, TerminalOutput& output, AskAnswerer& asks,
                                          std::function<void(const hub::EventBody&)> on_event) {
  for (;;) {
    PARLANCE_CO_TRY(batch, co_await follower.next());
    Handled handled(follower, batch);
    for (const hub::EventPtr& event : batch.events) {
      handled.to(event->seq);
      output.show(*event);
      if (on_event) on_event(event->body);
      if (const hub::Ask* ask = ask_of(event->body)) PARLANCE_CO_TRY_DO(co_await asks.settle(*ask));
      if (const auto* end = std::get_if<hub::event::TurnEnd>(&event->body)) co_return end->stop_reason;
    }
    if (batch.conversation) output.show_waiting(batch.conversation->waits_for.value_or(""));
  }
}

}  // namespace parlance::app
