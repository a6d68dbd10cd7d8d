// SPDX-License-Identifier: Apache-2.0
// Two hubs on a shared store, for the tests of this folder. One thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_shared_store.h"

namespace parlance::hub::test {

struct SeveralHubs : ::testing::Test {
  template <class T>
  T get(Task<T> task) {
    return outcome_of(loop, std::move(task));
  }
  std::string conversation(Station& at) {
    const auto made = get(at.hub->create({.agent = "scripted", .folder = "/project"}));
    PARLANCE_CHECK(made, "a conversation");
    loop.advance(std::chrono::milliseconds(1));
    return made->id;
  }
  std::size_t count(const std::string& id, std::string_view kind) {
    std::size_t found = 0;
    for (const Event& event : shared.memory.logs[id]) found += trace_name(event.body) == kind;
    return found;
  }
  static Task<Result<StopReason>> asks_a_person(Turn& turn, Prompt) {
    turn.emit(event::ToolStart{.call = "c1", .tool = "run"});
    PARLANCE_CO_TRY(answer, co_await turn.ask({.call = "c1",
                                               .tool = "run",
                                               .title = "make",
                                               .options = {{.id = "yes", .kind = OptionKind::allow_once},
                                                           {.id = "no", .kind = OptionKind::reject_once}}}));
    turn.emit(event::ToolEnd{.call = "c1", .state = answer.allowed() ? ToolEndState::done : ToolEndState::rejected});
    co_return StopReason::end_turn;
  }
  static Answer given(const Ask& ask, std::string option) { return {.digest = ask.digest, .option = std::move(option)}; }
  Ask only_ask(Station& at) {
    const auto asks = open_asks(*at.hub);
    EXPECT_THAT(asks, testing::SizeIs(1));
    return asks.empty() ? Ask{} : asks.front();
  }

  Loop loop{Loop::Time::virtual_};
  SharedMemory shared{loop};
  Station a{loop, shared, "a"};
  Station b{loop, shared, "b"};
};

}  // namespace parlance::hub::test
