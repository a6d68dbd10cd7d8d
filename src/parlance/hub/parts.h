// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the parts of a hub, from the bottom up. Each part uses parts below, and starts work in a higher part
// through a callback. This struct connects the callbacks. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "parlance/hub/runtime/command_executor.h"
#include "parlance/hub/runtime/creation.h"
#include "parlance/hub/runtime/recovery.h"
#include "parlance/hub/runtime/replication.h"
#include "parlance/hub/runtime/replication_reader.h"
#include "parlance/hub/runtime/runner_connections.h"
#include "parlance/hub/runtime/spending_gate.h"
#include "parlance/hub/runtime/takeover.h"
#include "parlance/hub/runtime/turn_runner.h"

namespace parlance::hub {

struct HubParts final : Core, private WriteObserver {
  HubParts(Loop& on, Store& in, HubSettings with) : Core(on, in, std::move(with)) {}

  ConversationRuntimes runtimes{*this, *this};
  Spending spending{*this};
  Histories histories{*this};
  Publisher publisher{*this, runtimes, spending, histories};
  SharedSettings shared_settings{*this,
                                 publisher,
                                 {.limits_read =
                                      [this](SpendingLimits now) {
                                        if (now != spending.limits()) gate.set_limits(std::move(now));
                                      },
                                  .rules_added = [this] { requests.decide_again(); }}};
  RequestBook requests{*this, runtimes, shared_settings, [this](ConversationRuntime& runtime) { turns.stop(runtime); }};
  AgentReports reports{publisher, requests};
  const TurnParts below_turns{*this, shared_settings, spending, histories, requests, reports};
  SpendingGate gate{*this, runtimes, spending, requests};
  TurnRunner turns{below_turns, gate};
  Recovery recovery{below_turns, turns};
  RunnerConnections runners{*this};
  Replication replication{*this, runtimes, publisher, [this](const auto& runtime) { reader.start_claim(runtime); }};
  Takeover takeover{
      below_turns, runtimes, publisher,   turns,
      recovery,    runners,  replication, [this](const auto& runtime) { scope.start(executor.do_commands(runtime)); }};
  CommandExecutor executor{*this, runtimes, publisher, shared_settings, requests, turns, runners, takeover};
  Creation creation{*this, runtimes, replication, turns, executor};
  ReplicationReader reader{*this, runtimes, publisher, shared_settings, runners, replication, takeover, executor};
  bool started = false;

 private:
  void written(ConversationRuntime& runtime, const CommitPtr& commit) override { publisher.written(runtime, commit); }
  void store_health(ConversationRuntime& runtime, const Error* error) override;
  bool store_failed_ = false;  // at the last write of any conversation
};

}  // namespace parlance::hub
