// What a person can set, and where each value came from: a flag, the environment, parlance.toml, or the default, in that order.
// The names of the deployed program that seed 001 describes are read as aliases. Built in main, constant afterwards.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace parlance::app {

struct SettingSpec {
  std::string_view name;                      // --NAME, and the key in parlance.toml (with '-' or '_')
  std::string_view environment;               // "PARLANCE_…"
  std::span<const std::string_view> aliases;  // other variables that mean the same
  std::string_view fallback;
  std::string_view value_name;  // "ADDR:PORT"; empty: a switch
  std::string_view doc;
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
  const std::vector<std::string>& files() const { return files_; }
  void add_file(std::string path) { files_.push_back(std::move(path)); }
  const std::string& given_file() const { return given_file_; }  // --config, or empty
  void set_given_file(std::string path) { given_file_ = std::move(path); }

 private:
  std::map<std::string, Setting, std::less<>> values_;
  std::vector<std::string> files_;
  std::string given_file_;
};

// `flags`: what the command line gave. `file`: --config, or "" for the usual places (working folder, then the user's folder).
// Errors: a file that cannot be read or has a key that is not known (with the line's place and the nearest name).
Result<Settings> resolve_settings(const std::map<std::string, std::string>& flags, const std::string& file);

// One key = value of a TOML file. config_file.cpp, which alone includes the parser.
struct ConfigEntry {
  std::string key;
  std::string value;
  std::vector<std::string> values;  // of a list; only sections that are about something else than settings have any
};
inline constexpr std::string_view databases_setting = "databases";  // several paths: a list in the file, PATH:PATH elsewhere
inline constexpr std::string_view mcp_section = "mcp-";             // [mcp.NAME], read by mcp_servers.cpp
Result<std::vector<ConfigEntry>> read_config_file(const std::string& path);

// The one that differs in the fewest characters: what was meant by a word that is not known. Empty if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& words);

std::string own_program();                           // The path of this binary, to start it again in another role.
std::string state_folder(const Settings& settings);  // Made with mode 0700 by whoever writes there first.
std::string user_config_folder();

}  // namespace parlance::app
