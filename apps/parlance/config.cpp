// parlance config: every setting, its value, and with --origin where it came from.
#include <cstdio>

#include "commands.h"
#include "deployed_settings.h"

namespace parlance::app {

int run_config(const Settings& settings, bool with_origin) {
  for (const SettingSpec& spec : all_settings()) {
    const Setting& setting = settings[spec.name];
    // A token in a terminal ends up in scrollback and screenshots.
    const bool secret = spec.name == "token" && setting.value != "auto";
    const std::string value = secret ? "(set, not shown)" : setting.value.empty() ? "(none)" : setting.value;
    if (with_origin) std::printf("%-18s %-28s %s\n", std::string(spec.name).c_str(), value.c_str(), setting.origin.c_str());
    else std::printf("%-18s %s\n", std::string(spec.name).c_str(), value.c_str());
  }
  if (const std::string key = model_key_origin(settings); !key.empty())
    std::printf("%-18s (set, not shown) %s\n", "(model key)", key.c_str());
  for (const std::string& sentence : ignored_settings(settings)) std::printf("%-18s %s\n", "(ignored)", sentence.c_str());
  std::printf("%-18s %s\n", "(state folder)", state_folder(settings).c_str());
  for (const std::string& file : settings.files()) std::printf("%-18s %s\n", "(file)", file.c_str());
  if (settings.files().empty())
    std::printf("%-18s %s\n", "(file)",
                ("none; looked for ./parlance.toml and " + user_config_folder() + "/parlance.toml").c_str());
  return ExitCode::done;
}

}  // namespace parlance::app
