// Reading parlance.toml: the one file that includes the TOML reader (CLI11's).
#include <fstream>

#include <CLI/CLI.hpp>

#include "settings.h"

namespace parlance::app {
namespace {

// As a variable of the environment holds several paths.
std::string joined(const std::vector<std::string>& values) {
  std::string all;
  for (const std::string& value : values) (all += all.empty() ? "" : ":") += value;
  return all;
}

}  // namespace

Result<std::vector<ConfigEntry>> read_config_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) return fail(Errc::not_found, path + ": the configuration file cannot be read");
  std::vector<ConfigEntry> entries;
  try {
    for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(file)) {
      if (item.name == "++" || item.name == "--") continue;  // how the reader marks the beginning and end of a section
      std::string key;
      for (const std::string& parent : item.parents) key += parent + "-";
      key += item.name;
      const bool is_list = key == databases_setting;
      if (item.inputs.size() != 1 && !is_list && !key.starts_with(mcp_section))
        return fail(Errc::invalid_params, path + ": \"" + key + "\" takes one value");
      std::string value = is_list ? joined(item.inputs) : item.inputs.empty() ? "" : item.inputs.front();
      entries.push_back({std::move(key), std::move(value), item.inputs});
    }
  } catch (const std::exception& error) {
    return fail(Errc::invalid_params, path + ": " + error.what());
  }
  return entries;
}

}  // namespace parlance::app
