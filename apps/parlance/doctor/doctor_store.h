// SPDX-License-Identifier: Apache-2.0
// Checks of a shared store for `parlance doctor`. Main thread.
#pragma once

#include <string>

#include "apps/parlance/doctor/report.h"

namespace parlance::app {

// Adds findings about the database at `address`: its gateways, warnings about its settings, and its memories. Blocking.
void check_store(DoctorReport& report, const std::string& address);

}  // namespace parlance::app
