// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/check_settings.h"

#include <algorithm>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/pg/address.h"
#include "parlance/transport/private_file.h"
#include "parlance/transport/socket_peers.h"

namespace parlance::app {
namespace {

// Seconds. A shorter lease ends gateways that are only busy; with a longer lease, people wait too long for a takeover.
constexpr int shortest_lease = 2;
constexpr int longest_lease = 300;

class Check {
 public:
  Check(const Settings& settings, const std::vector<std::string_view>& names) : settings_(settings), names_(names) {}

  // The value of a setting among the checked settings. Null: not checked, or empty.
  const std::string* wanted(std::string_view name) const {
    if (!names_.empty() && std::ranges::find(names_, name) == names_.end()) return nullptr;
    const std::string& value = settings_.text(name);
    return value.empty() ? nullptr : &value;
  }
  void wrong(std::string_view name, const std::string& what, std::string cure) {
    const Setting& setting = settings_[name];
    const std::string origin = setting.origin.starts_with("flag ") ? "" : " (" + setting.origin + ")";
    found.push_back({.name = std::string(name),
                     .message = "\"" + printable(shown_value(name, setting.value)) + "\"" + origin + " " + what,
                     .cure = std::move(cure)});
  }
  void address(std::string_view name, const std::string& example) {
    const std::string* value = wanted(name);
    if (value != nullptr && !parse_host_port(*value)) wrong(name, "is no address", "give ADDR:PORT, for example " + example);
  }
  void file(std::string_view name) {
    const std::string* value = wanted(name);
    if (value == nullptr) return;
    struct stat status{};
    if (::stat(value->c_str(), &status) != 0) wrong(name, "is not there", "give the path of a file");
    else if (S_ISDIR(status.st_mode)) wrong(name, "is a folder", "give the path of a file");
    else if (::access(value->c_str(), R_OK) != 0) wrong(name, "cannot be read", "name a readable file");
  }
  void url(std::string_view name, const std::string& example) {
    const std::string* value = wanted(name);
    if (value != nullptr && !model::split_url(*value))
      wrong(name, "is no address of a server", "give a URL, for example " + example);
  }
  std::vector<WrongSetting> found;

 private:
  const Settings& settings_;
  const std::vector<std::string_view>& names_;
};

void check_folder(Check& check) {
  const std::string* folder = check.wanted("folder");
  if (folder == nullptr) return;
  struct stat status{};
  if (::stat(folder->c_str(), &status) != 0) check.wrong("folder", "is not there", "name an existing folder");
  else if (!S_ISDIR(status.st_mode)) check.wrong("folder", "is no folder", "give a folder");
  else if (::access(folder->c_str(), R_OK | X_OK) != 0) check.wrong("folder", "cannot be entered", "name a readable folder");
}

void check_accounts(Check& check) {
  if (const std::string* group = check.wanted("agent-socket-group"); group != nullptr && !group_id(*group))
    check.wrong("agent-socket-group", "is no group of this machine", "name a group from the list of getent group");
  if (const std::string* user = check.wanted("agent-user"); user != nullptr && !user_id(*user))
    check.wrong("agent-user", "is no user of this machine", "name a user from the list of getent passwd");
}

void check_store(Check& check) {
  const std::string* store = check.wanted("store");
  if (store == nullptr) return;
  const std::string cure = "give postgresql://USER@HOST/DATABASE, or omit the setting for a file in the state folder";
  if (!pg::is_address(*store)) check.wrong("store", "is no address of a PostgreSQL", cure);
  else if (const auto good = pg::check_address(*store); !good)
    check.wrong("store", "cannot be used: " + good.error().message, cure);
}

void check_lease(Check& check) {
  const std::string* lease = check.wanted("lease");
  const int seconds = lease == nullptr ? shortest_lease : parse_number<int>(*lease).value_or(0);
  if (seconds < shortest_lease || seconds > longest_lease)
    check.wrong("lease", "is not a usable number of seconds", "give 2 to 300, for example 15");
}

void check_connections(Check& check, const Settings& settings) {
  if (check.wanted("model") == nullptr || settings.connections_fault().empty()) return;
  check.found.push_back({.name = "model", .message = settings.connections_fault(), .cure = "or choose a model with --model"});
}

void check_numbers(Check& check) {
  const std::string* pace = check.wanted("rehearsal-pace-ms");
  if (pace != nullptr && parse_number<int>(*pace).value_or(-1) < 0)
    check.wrong("rehearsal-pace-ms", "is no number of milliseconds", "give 0 or more");
  const std::string* rounds = check.wanted("tool-rounds");
  if (rounds != nullptr && parse_number<std::uint32_t>(*rounds).value_or(0) == 0)
    check.wrong("tool-rounds", "is no number of rounds", "give 1 or more, for example 100");
}

}  // namespace

std::string sentence_of(const WrongSetting& wrong) { return "--" + wrong.name + ": " + wrong.message + "; " + wrong.cure; }

std::vector<WrongSetting> wrong_settings(const Settings& settings, const std::vector<std::string_view>& names) {
  Check check(settings, names);
  check.address("listen", "127.0.0.1:55003");
  check.address("embed-listen", "127.0.0.1:50001");
  check_folder(check);
  if (settings.text("model") != "rehearsal") check.url("model-url", "http://127.0.0.1:11434/v1");
  for (const std::string_view name : {"model-key-file", "embed-key-file", "iflow-key-file", "scenario", "claude-hooks"})
    check.file(name);
  check_connections(check, settings);
  check_accounts(check);
  check_store(check);
  check_lease(check);
  check_numbers(check);
  return std::move(check.found);
}

Result<void> check_settings(const Settings& settings, const std::vector<std::string_view>& names) {
  std::string all;
  for (const WrongSetting& wrong : wrong_settings(settings, names))
    all += (all.empty() ? "" : "\nparlance: ") + sentence_of(wrong);
  if (all.empty()) return {};
  return fail(Errc::invalid_params, std::move(all));
}

Result<void> keep_state_folder(const Settings& settings) {
  const std::string folder = state_folder(settings);
  const auto kept = keep_private_folder(folder);
  if (!kept) return fail(Error(kept.error()).in("--state"));
  if (*kept == FolderCare::tightened)
    std::fprintf(stderr, "parlance: %s was open to other users of this machine; its mode is now 0700\n", folder.c_str());
  return {};
}

}  // namespace parlance::app
