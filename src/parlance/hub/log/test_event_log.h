// SPDX-License-Identifier: Apache-2.0
// A log with its store and callbacks, for the tests of this folder. One thread.
#pragma once

#include <functional>
#include <string>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/event_log.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub::test {

// Refuses each commit with the outcome of a command, like a shared store after the withdrawal of the command.
struct WithdrawingStore : MemoryStore {
  using MemoryStore::MemoryStore;
  Task<Result<void>> write(CommitPtr change) override {
    if (change->done.empty()) return MemoryStore::write(std::move(change));
    return refuse();
  }
  static Task<Result<void>> refuse() { co_return std::unexpected(command_ended()); }
};

struct LogBench {
  LogBench() { store.put({{.id = "c"}}); }

  EventLog::Callbacks callbacks() {
    return {.time_text = [this] { return "time " + std::to_string(++times); },
            .written =
                [this](const CommitPtr& written) {
                  for (const Event& event : written->events) published += std::to_string(event.seq) + " ";
                  for (const Ask& ask : written->asks) published += ask.id + " ";
                  published += "| ";
                },
            .health = [this](const Error* error) { health += error != nullptr ? error->message + ". " : "well. "; },
            .row = [] { return Conversation{{.id = "c", .title = "as it is"}}; }};
  }
  // The log retries a failed batch after this time.
  void wait_for_retry() { loop.advance(limits::store_retry); }
  void fail(bool failing) { store.failing = failing; }
  void hold(bool held) {
    store.held = held;
    store.changed.notify_all();
    loop.run_ready();
  }
  // "1:a 2:bc": the texts in the store.
  std::string texts() {
    std::string all;
    for (const Event& event : store.logs["c"]) {
      const auto* text = std::get_if<event::Text>(&event.body);
      all += (all.empty() ? "" : " ") + std::to_string(event.seq) + ":" + (text != nullptr ? text->text : "-");
    }
    return all;
  }
  EventLog::Outcome operation(const std::function<void()>& work, const std::string& name) {
    return log.operation(
        work, {.done = [this, name] { outcomes += name + " done. "; }, .undo = [this, name] { outcomes += name + " undone. "; }});
  }
  std::string outcome_of(const EventLog::Outcome& outcome) {
    if (!outcome->is_set()) return "open";
    const auto result = loop.block_on(outcome->get());
    return result ? "done" : result.error().message;
  }
  // The result of `written()`, if available.
  Task<void> wait_written(std::string& into) {
    const auto written = co_await log.written();
    into = written ? "written" : written.error().message;
  }

  Loop loop{Loop::Time::virtual_};
  WithdrawingStore store{loop};
  int times = 0;
  std::string published;
  std::string health;
  std::string outcomes;
  EventLog log{loop, store, "c", 0, callbacks()};
  Scope scope{loop};
};

}  // namespace parlance::hub::test
