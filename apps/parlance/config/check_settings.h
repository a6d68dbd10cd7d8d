// SPDX-License-Identifier: Apache-2.0
// Settings that cannot work, found before anything is started: addresses that are none, folders and files that are not there. Looks at
// the disk, not at the network. Any thread.
#pragma once

#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"

namespace parlance::app {

struct WrongSetting {
  std::string name;     // "listen"
  std::string message;  // what is wrong with it, and where it came from
  std::string cure;
};
std::string sentence_of(const WrongSetting& wrong);  // "--listen: …; …"

// Of the settings named; all when none is.
std::vector<WrongSetting> wrong_settings(const Settings& settings, const std::vector<std::string_view>& names = {});
// The same as one error (invalid_params) with a line for each, or nothing.
Result<void> check_settings(const Settings& settings, const std::vector<std::string_view>& names = {});

// The state folder: made, or looked at, for ours alone. Says on stderr that it was open to others. Errors: denied.
Result<void> keep_state_folder(const Settings& settings);

}  // namespace parlance::app
