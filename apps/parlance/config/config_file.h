// SPDX-License-Identifier: Apache-2.0
// A parsed parlance.toml: the valid entries, and the entries ignored for lack of trust. Values; any thread.
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

// A key = value.
struct ConfigEntry {
  std::string key;  // with '-' for '_', and its sections as prefix: "model-url", "mcp-NAME-command"
  std::string value;
  std::vector<std::string> values;  // of a list; only in sections about other things than settings
};
bool is_mcp(const ConfigEntry& entry);
bool is_table(const ConfigEntry& entry);  // in such a section
// "model-url", or "[mcp.NAME]", printable.
std::string name_of(const ConfigEntry& entry);

// A value in one line, with marks in place of hidden characters: a person reads the value before trusting the file.
std::string printable(std::string text);

struct ConfigFile {
  std::string path;                      // as found
  std::string sha256{};                  // of the read contents
  std::vector<ConfigEntry> entries{};    // in force
  std::vector<ConfigEntry> untrusted{};  // in force once a person trusts this version of the file
  std::vector<ConfigEntry> misplaced{};  // never in force in a working folder
  bool changed = false;                  // changed since a person trusted the file
};

// All entries count. Errors: an unreadable file (with the system's kind), invalid_params (invalid TOML, a list for a single
// value). A special file is read only if a person names the file, and refused if only found.
Result<ConfigFile> read_config_file(const std::string& path);
Result<ConfigFile> read_found_config_file(const std::string& path);

}  // namespace parlance::app
