// SPDX-License-Identifier: Apache-2.0
// A machine elsewhere where agents work, through a runner on it: whether it is connected, and to which hub. A value; any thread.
#pragma once

#include <cstdint>
#include <string>

namespace parlance::hub {

struct PlaceAt {
  std::string place{};           // its name
  std::string user{};            // User::id of whose account works there; empty: of the person of a gateway's machine
  std::uint64_t connection = 0;  // how often it has connected: the last time counts
  bool connected = false;        // to a hub that lives …
  bool here = false;             // … this one
  std::string since{};           // RFC 3339, UTC: when it connected, or was lost
  std::string body{};            // what it offers: not looked into
  friend bool operator==(const PlaceAt&, const PlaceAt&) = default;
};

}  // namespace parlance::hub
