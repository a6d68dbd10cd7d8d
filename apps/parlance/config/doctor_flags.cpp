// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/doctor_flags.h"

#include <algorithm>
#include <array>
#include <stdlib.h>

#include "parlance/codec/json/value.h"

namespace parlance::app {

// Settings that reach the doctor in another way, and settings that no check needs.
static constexpr std::array<std::string_view, 10> left_out{"token",       "store", "listen",    "embed-listen", "state",
                                                           "serve-agent", "open",  "log-level", "log-json",     "ready-file"};

std::vector<std::string> doctor_flags(const Settings& settings) {
  std::vector<std::string> flags;
  for (const SettingSpec& spec : all_settings()) {
    const Setting& setting = settings[spec.name];
    if (setting.origin == default_origin || setting.value.empty() || std::ranges::find(left_out, spec.name) != left_out.end())
      continue;
    flags.push_back("--" + std::string(spec.name) + "=" + setting.value);
  }
  if (!settings.given_file().empty()) flags.push_back("--config=" + settings.given_file());
  flags.push_back("--state=" + state_folder(settings));
  return flags;
}

std::string doctor_flags_text(const Settings& settings) {
  json::Array flags;
  for (std::string& flag : doctor_flags(settings)) flags.emplace_back(std::move(flag));
  return json::to_text(json::Value(std::move(flags)));
}

std::vector<std::string> take_doctor_flags(const Settings& settings) {
  const auto given = environment_variable(doctor_flags_variable);
  ::unsetenv(std::string(doctor_flags_variable).c_str());
  const json::Value list = json::parse_or_null(given.value_or(""));
  if (list.array() == nullptr) return doctor_flags(settings);
  std::vector<std::string> flags;
  for (const json::Value& entry : *list.array())
    if (entry.text() != nullptr) flags.push_back(*entry.text());
  return flags;
}

}  // namespace parlance::app
