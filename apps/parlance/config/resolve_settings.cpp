// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/resolve_settings.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <unistd.h>
#include <utility>

#include "apps/parlance/config/deployed_settings.h"
#include "apps/parlance/config/nearest_word.h"
#include "apps/parlance/config/trust.h"
#include "parlance/base/text.h"

namespace parlance::app {
namespace {

// Removes settings forbidden in a working folder's file.
void judge(ConfigFile& file, const std::string& state) {
  const Trust trust = trust_in(state, {trusted_name("."), file.sha256});
  std::vector<ConfigEntry> all = std::exchange(file.entries, {});
  for (ConfigEntry& entry : all) {
    const FolderMay may = is_table(entry) ? FolderMay::say_once_trusted : spec_of(entry.key).folder_may;
    const bool counts = may == FolderMay::say || (may == FolderMay::say_once_trusted && trust == Trust::full);
    auto& kept = counts ? file.entries : may == FolderMay::not_say ? file.misplaced : file.untrusted;
    kept.push_back(std::move(entry));
  }
  file.changed = trust == Trust::changed;
}

// "a|b|c" lists the permitted values; capitals stand for any text ("TEXT|auto").
Result<void> check_choice(const SettingSpec& spec, const Setting& setting) {
  if (spec.value_name.empty() && !switch_of(setting.value))
    return fail(Errc::invalid_params, std::string(spec.name) + ": \"" + printable(setting.value) + "\" (" + setting.origin +
                                          ") is neither true nor false");
  if (!spec.value_name.contains('|') || std::ranges::any_of(spec.value_name, [](char c) { return c >= 'A' && c <= 'Z'; }))
    return {};
  for (const std::string_view choice : split(spec.value_name, '|'))
    if (choice == setting.value) return {};
  std::string alternatives(spec.value_name);
  for (std::size_t at = 0; (at = alternatives.find('|', at)) != std::string::npos; at += 2) alternatives.replace(at, 1, ", ");
  return fail(Errc::invalid_params, std::string(spec.name) + ": \"" + printable(setting.value) + "\" (" + setting.origin +
                                        ") is none of " + alternatives);
}

// The environment and the command line win; otherwise the last file wins.
Setting resolved(const SettingSpec& spec, const Settings& settings, const std::map<std::string, std::string>& flags) {
  Setting setting{std::string(spec.fallback), std::string(default_origin)};
  for (const ConfigFile& file : settings.files())
    for (const ConfigEntry& entry : file.entries)
      if (entry.key == spec.name) setting = {entry.value, file.path};
  for (const std::string_view alias : spec.aliases)
    if (auto value = environment_variable(alias)) setting = {*std::move(value), "environment " + std::string(alias)};
  if (auto value = environment_variable(spec.environment))
    setting = {*std::move(value), "environment " + std::string(spec.environment)};
  if (const auto found = flags.find(std::string(spec.name)); found != flags.end())
    setting = {found->second, "flag --" + std::string(spec.name)};
  return setting;
}

Result<void> add_file(Settings& settings, Result<ConfigFile> file) {
  if (!file) return std::unexpected(std::move(file).error());
  PARLANCE_TRY_DO(check_names(*file));
  settings.add_file(*std::move(file));
  return {};
}

// The user's file, and the working folder's file, which wins. The state folder decides about the rights of the second file, which
// cannot set the state folder.
Result<void> add_usual_files(Settings& settings, const std::map<std::string, std::string>& flags) {
  const std::string own = user_config_folder() + "/" + std::string(config_file_name);
  const std::string found(config_file_name);
  if (::access(own.c_str(), F_OK) == 0) PARLANCE_TRY_DO(add_file(settings, read_config_file(own)));
  std::error_code error;
  if (::access(found.c_str(), F_OK) != 0 || std::filesystem::equivalent(own, found, error)) return {};
  PARLANCE_TRY(file, read_found_config_file(found));
  PARLANCE_TRY_DO(check_names(file));
  Settings so_far = settings;
  so_far.set("state", resolved(spec_of("state"), settings, flags));
  judge(file, state_folder(so_far));
  settings.add_file(std::move(file));
  return {};
}

std::string joined_names(const std::vector<ConfigEntry>& entries) {
  std::string all;
  std::set<std::string> listed;
  for (const ConfigEntry& entry : entries)
    if (const std::string name = name_of(entry); listed.insert(name).second) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

std::vector<std::string> untrusted_sentences(const Settings& settings) {
  std::vector<std::string> all;
  for (const ConfigFile& file : settings.files()) {
    if (!file.untrusted.empty())
      all.push_back(file.path + " of this folder " + (file.changed ? "has changed since you trusted it" : "is not trusted") +
                    ", so these do not count: " + joined_names(file.untrusted) +
                    ". Read what it says, and if you want that: parlance config trust");
    if (!file.misplaced.empty())
      all.push_back(joined_names(file.misplaced) + " does not count in the " + file.path +
                    " of a working folder: give --state, or say it in " + user_config_folder());
  }
  return all;
}

Result<Settings> resolve_settings(const std::map<std::string, std::string>& flags, const std::string& file) {
  Settings settings;
  settings.set_given_file(file);
  if (!file.empty()) PARLANCE_TRY_DO(add_file(settings, read_config_file(file)));
  else PARLANCE_TRY_DO(add_usual_files(settings, flags));
  for (const SettingSpec& spec : all_settings()) {
    Setting setting = resolved(spec, settings, flags);
    PARLANCE_TRY_DO(check_choice(spec, setting));
    settings.set(spec.name, std::move(setting));
  }
  complete_settings(settings);
  return settings;
}

Result<void> check_names(const ConfigFile& file) {
  for (const ConfigEntry& entry : file.entries) {
    if (is_table(entry) || std::ranges::find(all_settings(), entry.key, &SettingSpec::name) != all_settings().end()) continue;
    std::vector<std::string> names;
    for (const SettingSpec& spec : all_settings()) names.emplace_back(spec.name);
    const std::string nearest = nearest_word(entry.key, names);
    return fail(Errc::invalid_params,
                file.path + ": \"" + name_of(entry) + "\" is no setting" +
                    (nearest.empty() ? "; parlance config lists them" : "; did you mean \"" + nearest + "\"?"));
  }
  return {};
}

}  // namespace parlance::app
