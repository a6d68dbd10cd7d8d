// SPDX-License-Identifier: Apache-2.0
// iFlow's own settings.json, from which its server takes the model and where that is: the protocol has no word for either. Blocks;
// any thread. Only the three members are written; all others stay byte for byte as they were.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"

namespace parlance::driver {

struct IflowSettingsChange {              // what is absent stays
  std::optional<std::string> model{};     // modelName
  std::optional<std::string> base_url{};  // baseUrl
  std::optional<std::string> api_key{};   // apiKey
};

struct IflowSettingsWritten {
  bool changed = false;  // false: it said so already, and was not touched
  // What was there was no JSON object, and lies now under this name; the person is to be told.
  std::optional<std::string> kept_at{};
};

// `$IFLOW_HOME/settings.json`, else `~/.iflow/settings.json`; empty without a home.
std::string iflow_settings_path(std::string_view iflow_home, std::string_view home);

// The document with the change made, as text. Errors: invalid_request (no JSON object).
Result<std::string> changed_settings(std::string_view document, const IflowSettingsChange& change);

// Written beside and renamed, with mode 0600; a folder that is made has 0700. A file that is a link stays one. Errors: denied, failed
// (what the system says); nothing was written then, though what could not be read may lie beside: the message says so. `now` goes into the name of a file that is kept.
Result<IflowSettingsWritten> write_iflow_settings(const std::string& path, const IflowSettingsChange& change,
                                                  WallTime now = wall_now());

}  // namespace parlance::driver
