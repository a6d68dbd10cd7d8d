// SPDX-License-Identifier: Apache-2.0
// parlance config: every setting, its value, and with --origin where it came from; and which folders' files are trusted.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/config/deployed_settings.h"
#include "apps/parlance/config/resolve_settings.h"
#include "apps/parlance/config/trust.h"
#include "parlance/base/sha256.h"
#include "parlance/transport/whole_file.h"

namespace parlance::app {

static int print_settings(const Settings& settings, bool with_origin) {
  std::error_code error;
  for (const SettingSpec& spec : all_settings()) {
    const Setting& setting = settings[spec.name];
    std::string set = setting.value;
    if (set.empty() && spec.name == "state") set = state_folder(settings);
    if (set.empty() && spec.name == "folder") set = std::filesystem::current_path(error).string();
    const std::string value = set.empty() ? "(none)" : printable(shown_value(spec.name, set));
    if (with_origin) std::printf("%-18s %-28s %s\n", std::string(spec.name).c_str(), value.c_str(), setting.origin.c_str());
    else std::printf("%-18s %s\n", std::string(spec.name).c_str(), value.c_str());
  }
  if (const std::string key = model_key_origin(settings); !key.empty())
    std::printf("%-18s (set, not shown) %s\n", "(model key)", key.c_str());
  if (!settings.connections_fault().empty()) std::printf("%-18s %s\n", "(fault)", settings.connections_fault().c_str());
  for (const std::string& sentence : ignored_settings(settings)) std::printf("%-18s %s\n", "(ignored)", sentence.c_str());
  for (const ConfigFile& file : settings.files()) std::printf("%-18s %s\n", "(file)", file.path.c_str());
  for (const std::string& sentence : untrusted_sentences(settings))
    std::printf("%-18s %s\n", "(does not count)", sentence.c_str());
  if (settings.files().empty())
    std::printf("%-18s %s\n", "(file)",
                ("none; looked for ./parlance.toml and " + user_config_folder() + "/parlance.toml").c_str());
  return ExitCode::done;
}

namespace {

std::string shown(const ConfigEntry& entry) {
  std::string all;
  for (const std::string& value : entry.values) all += (all.empty() ? "" : " ") + shown_value(entry.key, value);
  return printable(std::move(all));
}

int trust(const Settings& settings, const std::string& folder) {
  const std::string path = trusted_name(folder);
  const auto file = read_found_config_file(path);
  if (!file) return complain(file.error(), ExitCode::usage);
  if (const auto known = check_names(*file); !known) return complain(known.error(), ExitCode::usage);
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error());
  if (const auto done = trust_file(state_folder(settings), {path, file->sha256}); !done)
    return complain_of_use(done.error(), ExitCode::failed);
  std::printf("Trusted in its present form: %s\n", path.c_str());
  for (const ConfigEntry& entry : file->entries) {
    if (!is_table(entry) && spec_of(entry.key).folder_may == FolderMay::not_say) continue;
    const std::string key = is_table(entry) ? " " + entry.key.substr(entry.key.rfind('-') + 1) : "";
    std::printf("  %s%s = %s\n", name_of(entry).c_str(), key.c_str(), shown(entry).c_str());
  }
  std::printf("A changed file needs trust again. parlance config untrust withdraws the trust.\n");
  return ExitCode::done;
}

int untrust(const Settings& settings, const std::string& folder) {
  const std::string path = trusted_name(folder);
  auto done = untrust_file(state_folder(settings), path);
  if (!done) return complain(done.error());
  const std::string below = path.substr(0, path.rfind('/') + 1);
  for (const TrustedFile& file :
       trusted_files(state_folder(settings))) {  // files of agents, which a person allowed in a conversation
    if (!file.path.starts_with(below)) continue;
    if (const auto also = untrust_file(state_folder(settings), file.path); !also) return complain(also.error());
    std::printf("Not trusted any more: %s\n", file.path.c_str());
    done = true;
  }
  std::printf("%s: %s\n", *done ? "Not trusted any more" : "The file was not trusted", path.c_str());
  return ExitCode::done;
}

int list_trusted(const Settings& settings) {
  const std::vector<TrustedFile> all = trusted_files(state_folder(settings));
  for (const TrustedFile& file : all) {
    const auto now = read_whole_file(file.path);
    const char* state = !now ? "is gone" : sha256_hex(*now) == file.sha256 ? "trusted" : "has changed: not trusted";
    std::printf("%-26s %s\n", state, file.path.c_str());
  }
  if (all.empty()) std::printf("No folder's parlance.toml is trusted.\n");
  return ExitCode::done;
}

}  // namespace

Action declare_config_trust(CLI::App& app) {
  struct Wanted {
    std::string folder = ".";
    bool list = false;
  };
  auto wanted = std::make_shared<Wanted>();
  app.add_option("folder", wanted->folder, "Folder of the parlance.toml. Default: the working folder.")->type_name("FOLDER");
  app.add_flag("--list", wanted->list, "List the trusted files only.");
  return [wanted](const Settings& settings, const Words&) {
    return wanted->list ? list_trusted(settings) : trust(settings, wanted->folder);
  };
}

Action declare_config_untrust(CLI::App& app) {
  auto folder = std::make_shared<std::string>(".");
  app.add_option("folder", *folder, "Folder of the parlance.toml. Default: the working folder.")->type_name("FOLDER");
  return [folder](const Settings& settings, const Words&) { return untrust(settings, *folder); };
}

Action declare_config(CLI::App& app) {
  auto origin = std::make_shared<bool>(false);
  app.add_flag("--origin", *origin, "Print the source of each value.");
  return [origin](const Settings& settings, const Words&) { return print_settings(settings, *origin); };
}

}  // namespace parlance::app
