// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/following.h"

#include "parlance/hub/conversation/conversation.h"

namespace parlance::app {

Task<Result<hub::StopReason>> follow_turn(hub::Follower& follower, TerminalOutput& output, AskAnswerer& asks,
                                          std::function<void(const hub::EventBody&)> heard) {
  for (;;) {
    PARLANCE_CO_TRY(news, co_await follower.next());
    for (const hub::EventPtr& event : news.events) {
      output.show(*event);
      if (heard) heard(event->body);
      if (const hub::Ask* ask = ask_of(event->body)) PARLANCE_CO_TRY_DO(co_await asks.settle(*ask));
      if (const auto* end = std::get_if<hub::event::TurnEnd>(&event->body)) co_return end->stop_reason;
    }
    if (news.conversation) output.show_waiting(news.conversation->waits_for.value_or(""));
  }
}

}  // namespace parlance::app
