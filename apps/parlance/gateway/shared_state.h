// SPDX-License-Identifier: Apache-2.0
// How a gateway is among those that share its database, as /health tells. Values; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "parlance/wire/describe.h"

namespace parlance::app {

struct SharedState {
  std::string hub{};
  std::string following{};  // "notices", "comparing" (behind a pooler), "off" (the database does not answer)
  std::string since{};
  std::int64_t owned = 0;
  std::int64_t followed = 0;
  std::int64_t lease_s = 0;

  static constexpr auto wire = wire::fields(
      wire::field<&SharedState::hub>("hub", "Its name among the gateways of the database, new with every start."),
      wire::field<&SharedState::following>("following",
                                           "How it hears of the others: notices, comparing (behind a pooler), or off."),
      wire::field<&SharedState::since>("since", "RFC 3339, UTC."),
      wire::field<&SharedState::owned>("owned", "Conversations that it runs."),
      wire::field<&SharedState::followed>("followed", "Conversations that others run, or nobody."),
      wire::field<&SharedState::lease_s>("lease_s", "Seconds until it takes itself for dead, unless it can renew its lease."));
};

}  // namespace parlance::app
