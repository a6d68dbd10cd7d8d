// SPDX-License-Identifier: Apache-2.0
// What `parlance doctor` says of runners: at the gateway's side from what that tells of them, at a runner's side by trying the way to its gateway.
// Blocking.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "apps/parlance/doctor/report.h"
#include "parlance/async/loop.h"

namespace parlance::app {

// `health`: the body of the gateway's /health.
void tell_runners(DoctorReport& report, const std::string& health);

// The way that `parlance runner --to URL` would go: with its token, to where a runner would say what it offers; nothing is offered.
void check_way_to_gateway(DoctorReport& report, Loop& loop, const Settings& settings, const std::string& to,
                          const std::string& token_file);

}  // namespace parlance::app
