// SPDX-License-Identifier: Apache-2.0
// Checks settings before any start: invalid addresses, missing folders and files. Reads the disk, not the network. Any thread.
#pragma once

#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"

namespace parlance::app {

struct WrongSetting {
  std::string name;     // "listen"
  std::string message;  // the fault, and the origin of the value
  std::string cure;
};
std::string sentence_of(const WrongSetting& wrong);  // "--listen: …; …"

// Checks the named settings; no names: all settings.
std::vector<WrongSetting> wrong_settings(const Settings& settings, const std::vector<std::string_view>& names = {});
// The same check. Error: invalid_params, with a line for each wrong setting.
Result<void> check_settings(const Settings& settings, const std::vector<std::string_view>& names = {});

// Creates or checks the state folder, private to this user. Reports on stderr if the folder was open to others. Errors: denied.
Result<void> keep_state_folder(const Settings& settings);

}  // namespace parlance::app
