// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/settings.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <pwd.h>
#include <unistd.h>

#include "parlance/base/check.h"
#include "parlance/pg/address.h"
#include "parlance/transport/http/presentable.h"

namespace parlance::app {

std::optional<std::string> environment_variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

const Setting& Settings::operator[](std::string_view name) const {
  const auto found = values_.find(name);
  PARLANCE_CHECK(found != values_.end(), "a setting of the table");
  return found->second;
}
const std::string& Settings::text(std::string_view name) const { return (*this)[name].value; }
bool Settings::is_on(std::string_view name) const { return switch_of(text(name)).value_or(false); }
void Settings::set(std::string_view name, Setting setting) { values_[std::string(name)] = std::move(setting); }

std::optional<bool> switch_of(std::string_view value) {
  constexpr std::array<std::string_view, 4> on{"true", "1", "yes", "on"};
  constexpr std::array<std::string_view, 5> off{"false", "0", "no", "off", ""};
  if (std::ranges::find(on, value) != on.end()) return true;
  return std::ranges::find(off, value) != off.end() ? std::optional(false) : std::nullopt;
}

bool may_hold_secret(const std::string& value) { return value.contains("://") && presentable(value) != value; }

// A token in a terminal ends up in scrollback and screenshots.
std::string shown_value(std::string_view name, const std::string& value) {
  if (name == "token" && value != "auto") return "(set, not shown)";
  if (name == "store") return pg::is_address(value) ? pg::without_password(value) : "(no address, not shown)";
  return may_hold_secret(value) ? presentable(value) : value;
}

void keep_store_to_ourselves() { ::unsetenv("PARLANCE_STORE"); }

namespace {

// An absolute folder only: relative ones are invalid in the XDG specification.
std::optional<std::string> folder_variable(const char* name) {
  auto folder = environment_variable(name);
  return folder && folder->starts_with('/') ? folder : std::nullopt;
}

std::string below_home(const char* variable, const char* usual) {
  return std::filesystem::path(folder_variable(variable).value_or(home_folder() + usual)) / "parlance";
}

}  // namespace

std::string home_folder() {
  if (auto home = folder_variable("HOME")) return *home;
  const passwd* const account = ::getpwuid(::getuid());
  return account != nullptr && account->pw_dir != nullptr ? account->pw_dir : "/";
}

std::string user_config_folder() { return below_home("XDG_CONFIG_HOME", "/.config"); }

std::string own_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "parlance" : path.string();
}

std::string state_folder(const Settings& settings) {
  if (!settings.text("state").empty()) return settings.text("state");
  return below_home("XDG_STATE_HOME", "/.local/state");
}

}  // namespace parlance::app
