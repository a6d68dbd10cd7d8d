// SPDX-License-Identifier: Apache-2.0
// The state of a gateway with a shared database, as /health reports it. Values; any thread.
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
      wire::field<&SharedState::hub>("hub",
                                     "Name of this gateway among the gateways of the database. Each start has a new name."),
      wire::field<&SharedState::following>("following",
                                           "Source of changes by other gateways: notices, comparing (behind a pooler) or off."),
      wire::field<&SharedState::since>("since", "Time since this state applies, RFC 3339 in UTC."),
      wire::field<&SharedState::owned>("owned", "Number of conversations that this gateway owns."),
      wire::field<&SharedState::followed>("followed", "Number of conversations with another owner or without an owner."),
      wire::field<&SharedState::lease_s>("lease_s", "Seconds until the lease expires. Each renewal extends the lease."));
};

}  // namespace parlance::app
