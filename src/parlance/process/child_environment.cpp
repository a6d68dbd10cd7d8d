// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/child_environment.h"

#include <algorithm>
#include <unistd.h>

#include "parlance/base/text.h"

namespace parlance {
namespace {

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

bool matches(std::string_view name, std::string_view pattern) {
  return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
}

Result<std::string> variable(const std::string& name, const std::string& value) {
  if (name.empty() || name.find('=') != std::string::npos || name.find('\0') != std::string::npos ||
      value.find('\0') != std::string::npos)
    return fail(Errc::invalid_params, "environment: no name of a variable, or a NUL in its value: \"" + name + "\"");
  return name + "=" + value;
}

}  // namespace

Result<std::vector<std::string>> child_environment(const ChildSettings& settings) {
  std::vector<std::string> result;
  if (settings.environment) {
    for (const auto& [name, value] : *settings.environment) {
      PARLANCE_TRY(text, variable(name, value));
      result.push_back(std::move(text));
    }
    return result;
  }
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view name = name_of(*at);
    const bool secret = is_withheld(name, settings.withheld) && std::ranges::find(settings.passed, name) == settings.passed.end();
    const bool unset = secret || std::ranges::any_of(settings.unset, [&](const auto& pattern) { return matches(name, pattern); });
    const bool replaced = std::ranges::any_of(settings.set, [&](const auto& pair) { return pair.first == name; });
    if (!unset && !replaced) result.emplace_back(*at);
  }
  for (const auto& [name, value] : settings.set) {
    PARLANCE_TRY(text, variable(name, value));
    std::erase_if(result, [&](const std::string& earlier) { return name_of(earlier) == name; });  // The last one wins.
    result.push_back(std::move(text));
  }
  return result;
}

const char* find_variable(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& text : environment)
    if (text.size() > name.size() && text[name.size()] == '=' && text.starts_with(name)) return text.c_str() + name.size() + 1;
  return nullptr;
}

std::string_view search_path(const std::vector<std::string>& environment) {
  const char* const path = find_variable(environment, "PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

std::vector<std::string> program_candidates(const std::string& program, std::string_view path) {
  if (program.find('/') != std::string::npos) return {program};
  std::vector<std::string> result;
  for (const std::string_view folder : split(path, ':'))
    if (!folder.empty()) result.push_back(std::string(folder) + "/" + program);
  return result;
}

}  // namespace parlance
