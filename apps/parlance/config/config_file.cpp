// SPDX-License-Identifier: Apache-2.0
// Reading parlance.toml: the only file that includes the TOML reader (CLI11's).
#include "apps/parlance/config/config_file.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <CLI/CLI.hpp>

#include "parlance/base/byte_order_mark.h"
#include "parlance/base/sha256.h"
#include "parlance/base/visible_text.h"
#include "parlance/transport/whole_file.h"

namespace parlance::app {
namespace {

// As a variable of the environment holds several paths.
std::string joined(const std::vector<std::string>& values) {
  std::string all;
  for (const std::string& value : values) (all += all.empty() ? "" : ":") += value;
  return all;
}

// The section of a table [SECTION.NAME], or nothing.
std::string_view table_of(std::string_view key) {
  for (const std::string_view section : {mcp_section, agents_section})
    if (key.starts_with(section)) return section;
  return "";
}

Result<std::vector<ConfigEntry>> read_entries(const std::string& path, const std::string& text) {
  // TOML forbids control characters, and a terminal would obey control characters in a displayed value.
  const auto control =
      std::ranges::find_if(text, [](unsigned char c) { return (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; });
  if (control != text.end())
    return fail(Errc::invalid_params, path + ": line " + std::to_string(1 + std::count(text.begin(), control, '\n')) +
                                          " holds a control character, which TOML does not allow");
  std::vector<ConfigEntry> entries;
  try {
    std::istringstream input(text);
    for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(input)) {
      if (item.name == "++" || item.name == "--") continue;  // how the reader marks the beginning and end of a section
      std::string key;
      for (const std::string& parent : item.parents) key += parent + "-";
      key += item.name;
      const bool is_list = key == databases_setting;
      if (item.inputs.size() != 1 && !is_list && table_of(key).empty())
        return fail(Errc::invalid_params, path + ": \"" + key + "\" takes one value");
      std::string value = is_list ? joined(item.inputs) : item.inputs.empty() ? "" : item.inputs.front();
      // Names of servers and their members keep their spelling.
      if (table_of(key).empty()) std::ranges::replace(key, '_', '-');
      entries.push_back({std::move(key), std::move(value), item.inputs});
    }
  } catch (const std::exception& error) {
    return fail(Errc::invalid_params, path + ": " + error.what());
  }
  return entries;
}

}  // namespace

bool is_mcp(const ConfigEntry& entry) { return entry.key.starts_with(mcp_section); }
bool is_table(const ConfigEntry& entry) { return !table_of(entry.key).empty(); }

std::string name_of(const ConfigEntry& entry) {
  std::string name = entry.key;
  if (const std::string_view section = table_of(entry.key); !section.empty())
    name = "[" + std::string(section.substr(0, section.size() - 1)) + "." +
           entry.key.substr(section.size(), entry.key.rfind('-') - section.size()) + "]";
  return printable(std::move(name));
}

std::string printable(std::string text) { return visible_line(text); }

Result<ConfigFile> read_config_file(const std::string& path) {
  auto text = read_whole_file(path);
  if (!text) return std::unexpected(std::move(text).error().in("the configuration file"));
  PARLANCE_TRY(entries, read_entries(path, std::string(without_byte_order_mark(*text))));
  return ConfigFile{.path = path, .sha256 = sha256_hex(*text), .entries = std::move(entries)};
}

Result<ConfigFile> read_found_config_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return fail(Errc::invalid_params, path + ": a configuration file is a plain file; --config reads any other");
  return read_config_file(path);
}

}  // namespace parlance::app
