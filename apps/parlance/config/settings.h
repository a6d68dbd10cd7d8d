// SPDX-License-Identifier: Apache-2.0
// The settings of a person, and the origin of each value: a flag, the environment, parlance.toml, a stored model
// connection, or the default, in this order.
// The names of the deployed program are aliases. Built in main, constant afterwards.
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

// Whether a working folder's parlance.toml, possibly from a stranger's repository, may set the value.
enum class FolderMay : std::uint8_t {
  say_once_trusted,  // starts programs, names targets of texts and keys, or permits actions without a request
  say,               // harmless
  not_say,           // the state folder contains the records of trust
};

struct SettingSpec {
  std::string_view name;                      // --NAME, and the key in parlance.toml (with '-' or '_')
  std::string_view environment;               // "PARLANCE_…"
  std::span<const std::string_view> aliases;  // other variables with the same meaning
  std::string_view fallback;
  std::string_view value_name;  // "ADDR:PORT"; empty: a switch
  std::string_view doc;
  FolderMay folder_may = FolderMay::say_once_trusted;
  bool secret = false;  // Its variables are on the list of process/child_secrets.h.
};
std::span<const SettingSpec> all_settings();
const SettingSpec& spec_of(std::string_view name);

inline constexpr std::string_view default_origin = "default";
inline constexpr std::string_view stored_origin = "model connection ";  // the beginning; a name follows

struct Setting {
  std::string value;
  std::string origin;  // "default", "flag --listen", "environment PARLANCE_LISTEN", "/home/x/.config/parlance/parlance.toml"
};

// Whether the value comes from a stored connection (parlance model), which a running agent follows.
inline bool is_stored_connection(const Setting& setting) { return setting.origin.starts_with(stored_origin); }

class Settings {
 public:
  const std::string& text(std::string_view name) const;
  bool is_on(std::string_view name) const;
  const Setting& operator[](std::string_view name) const;
  void set(std::string_view name, Setting setting);
  const std::vector<ConfigFile>& files() const { return files_; }  // later ones count more
  void add_file(ConfigFile file) { files_.push_back(std::move(file)); }
  const std::string& given_file() const { return given_file_; }  // --config, or empty
  // Why the stored connections cannot be used; empty: they can, or a setting has precedence.
  const std::string& connections_fault() const { return connections_fault_; }
  void set_connections_fault(std::string reason) { connections_fault_ = std::move(reason); }
  void set_given_file(std::string path) { given_file_ = std::move(path); }

 private:
  std::map<std::string, Setting, std::less<>> values_;
  std::vector<ConfigFile> files_;
  std::string given_file_;
  std::string connections_fault_;
};

// The value of a switch. Absent: another word.
std::optional<bool> switch_of(std::string_view value);

// An address with a password or a query. Every user of the machine can read command lines, so it travels in the environment.
bool may_hold_secret(const std::string& value);
// The displayed form: without secrets.
std::string shown_value(std::string_view name, const std::string& value);

// Hides the store's address from later child processes. Call before other threads exist.
void keep_store_to_ourselves();

// Empty ones are none.
std::optional<std::string> environment_variable(std::string_view name);

std::string own_program();                           // The path of this binary, for a start in another role.
std::string state_folder(const Settings& settings);  // Created with mode 0700 by the first writer.
std::string home_folder();                           // $HOME, if absolute; otherwise of the account; "/" if unknown
std::string user_config_folder();

}  // namespace parlance::app
