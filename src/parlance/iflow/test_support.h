// SPDX-License-Identifier: Apache-2.0
// For tests: a client of iFlow beside a scripted agent, joined in memory, with virtual time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/iflow/errors.h"
#include "parlance/iflow/frame_tap.h"
#include "parlance/iflow/options.h"
#include "parlance/protocol/acp/test_support.h"

namespace parlance::iflow::test {

using namespace std::chrono_literals;
using acp::test::said;
using acp::test::Script;

class ScriptedAgent : public testing::Test {
 protected:
  ScriptedAgent() {
    script.initialized.is_authenticated = true;
    script.initialized.capabilities = acp::AgentCapabilities{.load_session = true};
    acp::test::serve(router, script);
    router.on(acp::method::set_think,
              [this](const acp::iflow::SetThink& request, Context& context) -> Result<acp::iflow::ThinkSet> {
                script.asked.push_back(context.method + (request.think_enabled ? " on" : " off"));
                return acp::iflow::ThinkSet{.success = true};
              });
    router.on(acp::method::set_model, [this](const acp::SetModel& request, Context& context) -> Result<acp::ModelSet> {
      script.asked.push_back(context.method + " " + request.model_id);
      return acp::ModelSet{};
    });
  }
  ~ScriptedAgent() override {
    scope.cancel();
    agents.clear();
  }

  // Each connection has an agent of its own.
  Options options(bool one_byte = false) {
    Options out{.cwd = "/w", .permission_mode = PermissionMode::interactive};
    out.transport = [this, one_byte]() -> Task<Result<std::unique_ptr<Frames>>> {
      if (unreachable) co_return fail(make_error(ErrorKind::connection, "unreachable"));
      auto [near, far] = memory_pair(loop, {.one_byte_reads = one_byte, .capacity = 1 << 20});
      agents.push_back(std::make_unique<Peer>(loop,
                                              tapped(framed_stream(loop, std::move(far), line_framing()),
                                                     [this](BytesView frame) { from_client.emplace_back(frame); }),
                                              acp::dialect(acp::Side::agent, acp::Flavour::iflow), router));
      scope.start([](Peer& peer) -> Task<void> { co_await peer.run(); }(*agents.back()));
      static_cast<void>(agents.back()->notify(acp::method::iflow_ready, {}));
      co_return framed_stream(loop, std::move(near), line_framing());
    };
    return out;
  }

  void settle() {
    while (loop.run_ready()) {}
  }
  // What a task that needs no time ends with.
  template <class T>
  T get(Task<T> task) {
    std::optional<T> got;
    scope.start(keep(std::move(task), got));
    settle();
    if (!got) throw std::runtime_error("it waits");
    return *std::move(got);
  }
  void get(Task<void> task) {
    scope.start(std::move(task));
    settle();
  }
  template <class T>
  static Task<void> keep(Task<T> task, std::optional<T>& into) {
    into.emplace(co_await std::move(task));
  }
  // A turn in which the agent says these things.
  void will_say(std::vector<acp::SessionUpdate> updates) {
    script.prompt = [updates = std::move(updates)](const acp::Prompt&, Peer& client) -> Task<Result<acp::PromptResult>> {
      for (const acp::SessionUpdate& update : updates) EXPECT_TRUE(client.notify(acp::method::update, update));
      co_return acp::PromptResult{};
    };
  }

  Loop loop{Loop::Time::virtual_};
  Script script{loop};
  Router router;
  std::vector<std::unique_ptr<Peer>> agents;
  std::vector<std::string> from_client;  // as it came
  bool unreachable = false;
  Scope scope{loop};
};

inline acp::SessionUpdate update_of(std::string_view json) {
  auto update = json::from_text<acp::Update>(json);
  if (!update) throw std::runtime_error(update.error().message);
  return {.session_id = "s-1", .update = *std::move(update)};
}

}  // namespace parlance::iflow::test
