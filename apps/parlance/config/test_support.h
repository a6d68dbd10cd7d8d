// SPDX-License-Identifier: Apache-2.0
// For tests of the configuration: an environment, a home and a working folder of the test's own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "apps/parlance/config/resolve_settings.h"

namespace parlance::app::test {

class ConfigTest : public testing::Test {
 protected:
  ConfigTest() : before_(std::filesystem::current_path()) {
    std::string folder = (std::filesystem::temp_directory_path() / "parlance-XXXXXX").string();
    EXPECT_NE(::mkdtemp(folder.data()), nullptr);
    base = std::filesystem::canonical(folder).string();
    for (const char* sub : {"/home", "/work", "/state"}) std::filesystem::create_directory(base + sub);
    std::filesystem::current_path(base + "/work");
    for (const SettingSpec& spec : all_settings()) {
      unset(std::string(spec.environment));
      for (const std::string_view alias : spec.aliases) unset(std::string(alias));
    }
    for (const char* variable : {"OPENCLAW_HOST", "OPENCLAW_PORT", "PARLANCE_API_KEY", "OPENCLAW_API_KEY", "OPENAI_API_KEY",
                                 "ANTHROPIC_API_KEY", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
      unset(variable);
    set("HOME", base + "/home");
    set("PARLANCE_STATE", base + "/state");
  }
  ~ConfigTest() override {
    for (auto it = changed_.rbegin(); it != changed_.rend(); ++it) {
      if (it->second) ::setenv(it->first.c_str(), it->second->c_str(), 1);
      else ::unsetenv(it->first.c_str());
    }
    std::filesystem::current_path(before_);
    std::error_code ignored;
    std::filesystem::remove_all(base, ignored);
  }

  void set(const std::string& name, const std::string& value) {
    keep(name);
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  void unset(const std::string& name) {
    keep(name);
    ::unsetenv(name.c_str());
  }
  // Below the folder of the test.
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = base + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  // The user's own file.
  std::string own(const std::string& text) const { return write("home/.config/parlance/parlance.toml", text); }
  Settings resolved(const std::map<std::string, std::string>& flags = {}, const std::string& file = "") const {
    auto settings = resolve_settings(flags, file);
    EXPECT_TRUE(settings) << settings.error().message;
    return settings.value_or(Settings{});
  }
  std::string refusal(const std::map<std::string, std::string>& flags = {}, const std::string& file = "") const {
    const auto settings = resolve_settings(flags, file);
    return settings ? "taken" : settings.error().message;
  }

  std::string base;

 private:
  void keep(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    changed_.emplace_back(name, value != nullptr ? std::optional<std::string>(value) : std::nullopt);
  }
  std::filesystem::path before_;
  std::vector<std::pair<std::string, std::optional<std::string>>> changed_;
};

}  // namespace parlance::app::test
