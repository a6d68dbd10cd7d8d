// SPDX-License-Identifier: Apache-2.0
// The connection state of a runner: connected or not, and to which hub. A value; any thread.
#pragma once

#include <cstdint>
#include <string>

namespace parlance::hub {

struct RunnerConnection {
  std::string runner{};          // the runner's name
  std::string user{};            // User::id of the account's owner; empty: the person of a gateway's machine
  std::uint64_t connection = 0;  // counter of connections: the latest counts
  bool connected = false;        // to a live hub
  bool here = false;             // connected to this hub
  std::string since{};           // RFC 3339, UTC: time of the connection or its loss
  std::string body{};            // its offer, opaque to the hub
  friend bool operator==(const RunnerConnection&, const RunnerConnection&) = default;
};

}  // namespace parlance::hub
