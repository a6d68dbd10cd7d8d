// SPDX-License-Identifier: Apache-2.0
// iFlow's settings.json, the only source of its server's model and address: the protocol has no message for either. Blocks; any
// thread. Writes three members; the rest of the file stays byte for byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"

namespace parlance::driver {

struct IflowSettingsChange {              // absent members stay
  std::optional<std::string> model{};     // modelName
  std::optional<std::string> base_url{};  // baseUrl
  std::optional<std::string> api_key{};   // apiKey
};

struct IflowSettingsWritten {
  bool changed = false;  // false: already equal, and not written
  // Path of the old content if it was no JSON object; the caller informs the person. Absent: the file was valid.
  std::optional<std::string> kept_at{};
};

// `$IFLOW_HOME/settings.json`, else `~/.iflow/settings.json`; empty without a home.
std::string iflow_settings_path(std::string_view iflow_home, std::string_view home);

// The changed document as text. Errors: invalid_request (no JSON object).
Result<std::string> changed_settings(std::string_view document, const IflowSettingsChange& change);

// Writes a temporary file and renames it, with mode 0600; new folders get 0700. A link stays a link. Errors: denied, failed (the
// system's reason); the file is unchanged then, except that an invalid file may be kept beside it, as the message says. `now` is
// part of the kept file's name.
Result<IflowSettingsWritten> write_iflow_settings(const std::string& path, const IflowSettingsChange& change,
                                                  WallTime now = wall_now());

}  // namespace parlance::driver
