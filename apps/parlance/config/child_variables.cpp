// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/child_variables.h"

#include <cstdlib>

namespace parlance::app {

Result<std::vector<std::pair<std::string, std::string>>> child_variables(const ConfigEntry& entry) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const std::string& text : entry.values) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (name.empty()) return fail(Errc::invalid_params, "\"" + text + "\" names no variable; write \"NAME\" or \"NAME=value\"");
    if (equals != std::string::npos) {
      variables.emplace_back(name, text.substr(equals + 1));
      continue;
    }
    const char* const value = std::getenv(name.c_str());
    if (value == nullptr)
      return fail(Errc::invalid_params, "the environment has no " + name + "; set it, or write \"" + name + "=value\"");
    variables.emplace_back(name, value);
  }
  return variables;
}

}  // namespace parlance::app
