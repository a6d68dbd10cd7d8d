// SPDX-License-Identifier: Apache-2.0
// The folders of a conversation that names none. Any thread.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"

namespace parlance::app {

// The real path of --folder, else of the working folder; the home folder where neither exists.
std::string working_folder(const Settings& settings);

}  // namespace parlance::app
