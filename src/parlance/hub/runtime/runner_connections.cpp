// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/runner_connections.h"

#include <utility>

#include "parlance/base/log.h"

namespace parlance::hub {
namespace {

Error not_connected(const std::string& runner, const RunnerConnection* known) {
  const std::string since = known == nullptr || known->since.empty() ? " to this gateway yet" : " since " + known->since;
  return {.code = Errc::disconnected,
          .message = "the runner " + runner + " is not connected" + since +
                     ": start the runner on its machine with `parlance runner --name " + runner +
                     "`, then send this again; the conversation remains readable meanwhile"};
}

}  // namespace

Task<Result<RunnerConnection>> RunnerConnections::connected(std::string runner, std::string body, std::string user) {
  RunnerConnection at{.runner = runner, .user = user, .connected = true, .here = true, .since = core_.time_text(), .body = body};
  if (core_.shared != nullptr) {
    PARLANCE_CO_TRY(written, co_await core_.shared->runner_connected(std::move(runner), std::move(body), std::move(user)));
    at = std::move(written);
  }
  // The update about a later connection to another hub may precede the answer of a slow store.
  if (const auto known = runners_.find(at.runner); known != runners_.end() && known->second.connection > at.connection)
    co_return fail(Errc::denied, "another runner with the name " + at.runner +
                                     " has connected to another gateway: the newer runner stays connected; give this runner "
                                     "another --name to use both");
  runners_.insert_or_assign(at.runner, at);
  co_return at;
}

void RunnerConnections::disconnected(const std::string& runner) {
  const auto known = runners_.find(runner);
  if (known == runners_.end() || !std::exchange(known->second.here, false)) return;
  known->second.connected = false;
  known->second.since = core_.time_text();
  const auto report = [](SharedStore& store, std::string name, std::uint64_t connection) -> Task<void> {
    if (const auto reported = co_await store.runner_disconnected(name, connection); !reported)
      log(LogLevel::warn, "the disconnect of a runner could not be stored",
          {{"runner", name}, {"error", reported.error().message}});
  };
  if (core_.shared != nullptr) core_.scope.start(report(*core_.shared, runner, known->second.connection));
}

void RunnerConnections::forget(const std::string& runner) {
  const auto known = runners_.find(runner);
  if (known != runners_.end() && !known->second.connected) runners_.erase(known);
}

void RunnerConnections::note(RunnerConnection now) {
  const auto known = runners_.find(now.runner);
  const bool is_older = known != runners_.end() &&
                        (now.connection < known->second.connection || (now.here && now.connection == known->second.connection));
  if (!is_older) runners_.insert_or_assign(now.runner, std::move(now));
}

Result<void> RunnerConnections::check(const ConversationRuntime& runtime) const {
  if (!runtime.current.runner) return {};
  const auto known = runners_.find(*runtime.current.runner);
  if (known != runners_.end() && known->second.here) return {};
  return fail(not_connected(*runtime.current.runner, known == runners_.end() ? nullptr : &known->second));
}

bool RunnerConnections::is_at_another_hub(const ConversationRuntime& runtime) const {
  if (!runtime.current.runner) return false;
  const auto known = runners_.find(*runtime.current.runner);
  return known != runners_.end() && known->second.connected && !known->second.here;
}

Task<Result<void>> RunnerConnections::refresh(const ConversationRuntime& runtime) {
  const std::string runner = *runtime.current.runner;
  PARLANCE_CO_TRY(at, co_await core_.shared->find_runner(runner));
  if (at) note(*at);
  if (!at || !at->connected) co_return fail(not_connected(runner, at ? &*at : nullptr));
  co_return Result<void>{};
}

}  // namespace parlance::hub
