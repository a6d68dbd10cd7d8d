// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/runner_connections.h"

#include <utility>

#include "parlance/base/log.h"

namespace parlance::hub {
namespace {

Error not_connected(const std::string& place, const RunnerConnection* known) {
  const std::string since = known == nullptr || known->since.empty() ? " to this gateway yet" : " since " + known->since;
  return {.code = Errc::disconnected,
          .message = "the runner " + place + " is not connected" + since +
                     ": start the runner on its machine with `parlance runner --name " + place +
                     "`, then send this again; the conversation remains readable meanwhile"};
}

}  // namespace

Task<Result<RunnerConnection>> RunnerConnections::connected(std::string place, std::string body, std::string user) {
  RunnerConnection at{.place = place, .user = user, .connected = true, .here = true, .since = core_.time_text(), .body = body};
  if (core_.shared != nullptr) {
    PARLANCE_CO_TRY(written, co_await core_.shared->runner_connected(std::move(place), std::move(body), std::move(user)));
    at = std::move(written);
  }
  // The update about a later connection to another hub may precede the answer of a slow store.
  if (const auto known = runners_.find(at.place); known != runners_.end() && known->second.connection > at.connection)
    co_return fail(Errc::denied, "another runner with the name " + at.place +
                                     " has connected to another gateway: the newer runner stays connected; give this runner "
                                     "another --name to use both");
  runners_.insert_or_assign(at.place, at);
  co_return at;
}

void RunnerConnections::disconnected(const std::string& place) {
  const auto known = runners_.find(place);
  if (known == runners_.end() || !std::exchange(known->second.here, false)) return;
  known->second.connected = false;
  known->second.since = core_.time_text();
  const auto report = [](SharedStore& store, std::string name, std::uint64_t connection) -> Task<void> {
    if (const auto reported = co_await store.runner_disconnected(name, connection); !reported)
      log(LogLevel::warn, "the disconnect of a runner could not be stored",
          {{"runner", name}, {"error", reported.error().message}});
  };
  if (core_.shared != nullptr) core_.scope.start(report(*core_.shared, place, known->second.connection));
}

void RunnerConnections::forget(const std::string& place) {
  const auto known = runners_.find(place);
  if (known != runners_.end() && !known->second.connected) runners_.erase(known);
}

void RunnerConnections::note(RunnerConnection now) {
  const auto known = runners_.find(now.place);
  const bool is_older = known != runners_.end() &&
                        (now.connection < known->second.connection || (now.here && now.connection == known->second.connection));
  if (!is_older) runners_.insert_or_assign(now.place, std::move(now));
}

Result<void> RunnerConnections::check(const ConversationRuntime& runtime) const {
  if (!runtime.current.place) return {};
  const auto known = runners_.find(*runtime.current.place);
  if (known != runners_.end() && known->second.here) return {};
  return fail(not_connected(*runtime.current.place, known == runners_.end() ? nullptr : &known->second));
}

bool RunnerConnections::is_at_another_hub(const ConversationRuntime& runtime) const {
  if (!runtime.current.place) return false;
  const auto known = runners_.find(*runtime.current.place);
  return known != runners_.end() && known->second.connected && !known->second.here;
}

Task<Result<void>> RunnerConnections::look(const ConversationRuntime& runtime) {
  const std::string place = *runtime.current.place;
  PARLANCE_CO_TRY(at, co_await core_.shared->find_runner(place));
  if (at) note(*at);
  if (!at || !at->connected) co_return fail(not_connected(place, at ? &*at : nullptr));
  co_return Result<void>{};
}

}  // namespace parlance::hub
