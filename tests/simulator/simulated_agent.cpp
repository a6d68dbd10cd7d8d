// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/simulated_agent.h"

#include <string>
#include <utility>

#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "tests/simulator/sentence.h"

namespace parlance::simulator {

namespace {

using namespace std::chrono_literals;
namespace event = hub::event;

class SimulatedAgent final : public hub::Agent {
 public:
  SimulatedAgent(Setting& setting, std::shared_ptr<bool> has_lied)
      : setting_(setting), has_lied_(std::move(has_lied)), cancelled_(setting.loop) {}

  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    const Faults& faults = setting_.faults;
    conversation_ = setting_.ledger.executed(prompt.text, turn.setup().id);
    for (std::size_t steps = 1 + random().below(6); steps > 0 && !turn.cancelled(); --steps) {
      co_await sleep_for(setting_.loop, random().between(0s, 9s));
      if (random().chance(faults.dying_agent)) co_return fail(Errc::disconnected, "the simulated agent died");
      if (random().chance(faults.lying_agent)) lie(turn);
      if (random().chance(faults.hanging_agent)) co_await hang(turn);
      if (random().chance(0.5)) {
        std::string text = sentence("about ", prompt.text, " in ", steps, " steps. ");
        setting_.ledger.wrote(prompt.text, text, has_lied_);
        turn.emit(event::Text{.text = std::move(text)});
      } else {
        PARLANCE_CO_TRY_DO(co_await use_a_tool(turn));
      }
    }
    co_return turn.cancelled() ? hub::StopReason::cancelled : hub::StopReason::end_turn;
  }
  void cancel() override { cancelled_.notify_all(); }
  Task<Result<void>> set_mode(hub::Mode) override { co_return Result<void>{}; }
  Task<Result<void>> set_model(std::string) override { co_return Result<void>{}; }
  Task<Result<void>> set_think(bool) override { co_return Result<void>{}; }
  Task<void> close() override { co_await sleep_for(setting_.loop, random().between(0s, 500ms)); }

 private:
  Random& random() { return setting_.random; }

  Task<void> hang(hub::Turn& turn) {
    const Ledger::Hanging hanging(setting_.ledger, conversation_);
    while (!turn.cancelled()) co_await cancelled_.wait();
  }

  Task<Result<void>> use_a_tool(hub::Turn& turn) {
    const std::string call = sentence("call", random().next());
    turn.emit(event::ToolStart{.call = call, .tool = "run"});
    PARLANCE_CO_TRY(answer, co_await turn.ask({.call = call,
                                               .tool = "run",
                                               .title = "make",
                                               .options = {{.id = "yes", .kind = hub::OptionKind::allow_once},
                                                           {.id = "no", .kind = hub::OptionKind::reject_once}}}));
    if (answer.allowed()) {
      setting_.ledger.call_carried_out(conversation_, call);
      turn.emit(event::ToolOutput{.call = call, .text = "done"});
    }
    turn.emit(event::ToolEnd{.call = call, .state = answer.allowed() ? hub::ToolEndState::done : hub::ToolEndState::rejected});
    co_return Result<void>{};
  }

  // What an agent must not do; the log keeps its form all the same.
  void lie(hub::Turn& turn) {
    switch (random().below(4)) {
      case 0: turn.emit(event::ToolEnd{.call = "never_begun", .state = hub::ToolEndState::done}); break;
      case 1: turn.emit(event::ToolOutput{.call = "never_begun", .text = "output of no call"}); break;
      case 2: turn.emit(event::ThinkingEnd{}); break;
      default: turn.emit(event::ToolStart{.call = "never_ended", .tool = "run"}); break;
    }
  }

  Setting& setting_;
  std::shared_ptr<bool> has_lied_;
  Signal cancelled_;
  std::string conversation_;  // of the gateway
};

}  // namespace

Task<Result<std::unique_ptr<hub::Agent>>> SimulatedProvider::open(hub::SessionSetup, hub::AgentHost) {
  co_await sleep_for(setting_.loop, setting_.random.between(0s, 2s));
  co_return std::make_unique<SimulatedAgent>(setting_, has_lied_);
}

}  // namespace parlance::simulator
