// SPDX-License-Identifier: Apache-2.0
// Checks of runners for `parlance doctor`. At the gateway, the state in /health decides; on a runner's machine, a connection to the gateway.
// Blocking.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "apps/parlance/doctor/report.h"
#include "parlance/async/loop.h"

namespace parlance::app {

// Adds a finding for each runner. `health` is the body of the gateway's /health.
void report_runners(DoctorReport& report, const std::string& health);

// Connects to the address of `parlance runner --to URL` with its token, and closes the connection without an offer.
void check_way_to_gateway(DoctorReport& report, Loop& loop, const Settings& settings, const std::string& to,
                          const std::string& token_file);

}  // namespace parlance::app
