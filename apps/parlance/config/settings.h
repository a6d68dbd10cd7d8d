// SPDX-License-Identifier: Apache-2.0
// What a person can set, and where each value came from: a flag, the environment, parlance.toml, or the default, in that order.
// The names of the deployed program are read as aliases. Built in main, constant afterwards.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/parlance/config/config_file.h"
#include "parlance/base/result.h"

namespace parlance::app {

// Whether a parlance.toml in the working folder may say it, which may have come with somebody else's repository.
enum class FolderMay : std::uint8_t {
  say_once_trusted,  // it starts programs, says where texts and keys go, or what may be done unasked
  say,               // nothing of the kind
  not_say,           // the state folder holds what is trusted
};

struct SettingSpec {
  std::string_view name;                      // --NAME, and the key in parlance.toml (with '-' or '_')
  std::string_view environment;               // "PARLANCE_…"
  std::span<const std::string_view> aliases;  // other variables that mean the same
  std::string_view fallback;
  std::string_view value_name;  // "ADDR:PORT"; empty: a switch
  std::string_view doc;
  FolderMay folder_may = FolderMay::say_once_trusted;
  bool secret = false;  // Its variables are on the list of process/child_secrets.h.
};
std::span<const SettingSpec> all_settings();
const SettingSpec& spec_of(std::string_view name);

inline constexpr std::string_view default_origin = "default";

struct Setting {
  std::string value;
  std::string origin;  // "default", "flag --listen", "environment PARLANCE_LISTEN", "/home/x/.config/parlance/parlance.toml"
};

class Settings {
 public:
  const std::string& text(std::string_view name) const;
  bool is_on(std::string_view name) const;
  const Setting& operator[](std::string_view name) const;
  void set(std::string_view name, Setting setting);
  const std::vector<ConfigFile>& files() const { return files_; }  // later ones count more
  void add_file(ConfigFile file) { files_.push_back(std::move(file)); }
  const std::string& given_file() const { return given_file_; }  // --config, or empty
  void set_given_file(std::string path) { given_file_ = std::move(path); }

 private:
  std::map<std::string, Setting, std::less<>> values_;
  std::vector<ConfigFile> files_;
  std::string given_file_;
};

// As a person may see it: without a secret that it holds.
std::string shown_value(std::string_view name, const std::string& value);

// No program that is started from now on gets it. Before there are threads.
void keep_store_to_ourselves();

// Empty ones are none.
std::optional<std::string> environment_variable(std::string_view name);

std::string own_program();                           // The path of this binary, to start it again in another role.
std::string state_folder(const Settings& settings);  // Made with mode 0700 by whoever writes there first.
std::string user_config_folder();

}  // namespace parlance::app
