// SPDX-License-Identifier: Apache-2.0
// A parlance.toml as it was read once: what counts of it, and what does not because nobody trusts it. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::app {

inline constexpr std::string_view config_file_name = "parlance.toml";
inline constexpr std::string_view databases_setting = "databases";  // several paths: a list in the file, PATH:PATH elsewhere
inline constexpr std::string_view mcp_section = "mcp-";             // [mcp.NAME], read by mcp_servers.cpp
inline constexpr std::string_view agents_section = "agents-";       // [agents.NAME], read by acp_agents.cpp

// One key = value.
struct ConfigEntry {
  std::string key;  // with '-' for '_', and its sections before it: "model-url", "mcp-NAME-command"
  std::string value;
  std::vector<std::string> values;  // of a list; only sections that are about something else than settings have any
};
bool is_mcp(const ConfigEntry& entry);
bool is_table(const ConfigEntry& entry);  // of one of those: about something else than a setting
// "model-url", or "[mcp.NAME]", printable.
std::string name_of(const ConfigEntry& entry);

// A value of a file in one line, with marks in place of hidden characters: a person reads it before they trust the file.
std::string printable(std::string text);

struct ConfigFile {
  std::string path;                      // as it was found
  std::string sha256{};                  // of what was read
  std::vector<ConfigEntry> entries{};    // that count
  std::vector<ConfigEntry> untrusted{};  // that will count once a person trusts this file as it is
  std::vector<ConfigEntry> misplaced{};  // that never count in a working folder
  bool changed = false;                  // it was trusted, and has been changed since
};

// All entries count. Errors: the file cannot be read (of the kind that says why), invalid_params (no TOML, a list where one value is
// meant). A file that is no plain file is read for a person who names it, and refused where it was only found.
Result<ConfigFile> read_config_file(const std::string& path);
Result<ConfigFile> read_found_config_file(const std::string& path);

}  // namespace parlance::app
