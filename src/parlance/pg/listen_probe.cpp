// SPDX-License-Identifier: Apache-2.0
#include "parlance/pg/listen_probe.h"

#include <algorithm>

#include "parlance/base/secret.h"

namespace parlance::pg {

// By two connections, as it is used: a pooler may give one of them the same server process twice.
Outcome<bool> notifications_arrive(const ConnectSettings& settings, const Interrupt& interrupt) {
  auto listener = Connection::open(settings, interrupt);
  if (!listener) return std::unexpected(std::move(listener).error());
  auto sender = Connection::open(settings, interrupt);
  if (!sender) return std::unexpected(std::move(sender).error());
  const std::string nonce = make_token();
  if (auto done = (*listener)->run({.sql = "LISTEN parlance_probe"}); !done) return std::unexpected(std::move(done).error());
  if (auto done = (*sender)->run({.sql = "SELECT pg_notify('parlance_probe', $1)", .parameters = {nonce}}); !done)
    return std::unexpected(std::move(done).error());
  const TimePoint until = Clock::now() + limits::pg_listen;
  while (Clock::now() < until && !interrupt.raised()) {
    const auto notifications = (*listener)->notifications(until, -1);
    if (!notifications) return std::unexpected(notifications.error());
    if (std::ranges::find(*notifications, nonce, &Notification::payload) != notifications->end()) return true;
  }
  return false;
}

}  // namespace parlance::pg
