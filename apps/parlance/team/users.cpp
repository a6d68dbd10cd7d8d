// SPDX-License-Identifier: Apache-2.0
// parlance users: the users of the gateways of a store, and their roles. Blocks; main thread.
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/team/team_store.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/value.h"

namespace parlance::app {
namespace {

struct UserOptions {
  std::string name;
  std::string role = "member";
  bool json = false;
};
using UserOptionsPtr = std::shared_ptr<UserOptions>;

UserOptionsPtr with_user_name(CLI::App& app) {
  auto said = std::make_shared<UserOptions>();
  app.add_option("name", said->name, "The user's name.")->required();
  return said;
}

CLI::Option* role_option(CLI::Option* option) { return option->check(CLI::IsMember({"viewer", "member", "admin"})); }

// Changes one user and prints the result.
template <class Do>
Action user_changes(UserOptionsPtr said, const char* done, Do change) {
  return [said = std::move(said), done, change](const Settings& settings, const Words&) {
    auto rows = team_store(settings);
    if (!rows) return complain_of_use(rows.error(), ExitCode::failed);
    if (const Result<void> changed = change(*rows, *said); !changed) return complain_of_use(changed.error(), ExitCode::failed);
    std::printf("%s %s.\n", visible_line(said->name).c_str(), done);
    return static_cast<int>(ExitCode::done);
  };
}

void print_users(const hub::Team& team, bool as_json) {
  json::Array list;
  for (const hub::User& member : team.users) {
    std::size_t tokens = 0;
    for (const hub::Token& token : team.tokens) tokens += token.user == member.id ? 1 : 0;
    json::Object user;
    user.set("id", member.id);
    user.set("name", member.name);
    user.set("role", std::string(to_string(member.role)));
    user.set("disabled", member.disabled);
    user.set("tokens", static_cast<std::int64_t>(tokens));
    list.push_back(json::Value(std::move(user)));
    if (!as_json)
      std::printf("%-8s %-9s %4zu %-7s %s\n", std::string(to_string(member.role)).c_str(), member.disabled ? "disabled" : "",
                  tokens, tokens == 1 ? "token" : "tokens", visible_line(member.name).c_str());
  }
  if (as_json) std::printf("%s\n", json::to_text(json::Value(std::move(list))).c_str());
  else if (team.users.empty()) std::puts("There are none: parlance users add NAME makes one.");
}

}  // namespace

Action declare_users_add(CLI::App& app) {
  UserOptionsPtr said = with_user_name(app);
  role_option(app.add_option("--role", said->role,
                             "viewer reads conversations with the access view or team; member creates conversations and takes "
                             "part; admin manages users, limits and the state of the gateway."))
      ->capture_default_str();
  return user_changes(std::move(said), "exists now; parlance tokens create makes a token for this user",
                      [](store::TeamRows& rows, const UserOptions& wanted) -> Result<void> {
                        PARLANCE_TRY_DO(rows.add_user(wanted.name, *hub::role_named(wanted.role)));
                        return {};
                      });
}

Action declare_users_list(CLI::App& app) {
  auto said = std::make_shared<UserOptions>();
  app.add_flag("--json", said->json, "For programs: one JSON document.");
  return [said](const Settings& settings, const Words&) {
    auto rows = team_store(settings);
    if (!rows) return complain_of_use(rows.error(), ExitCode::failed);
    const auto team = rows->all();
    if (!team) return complain(team.error());
    print_users(*team, said->json);
    return static_cast<int>(ExitCode::done);
  };
}

Action declare_users_role(CLI::App& app) {
  UserOptionsPtr said = with_user_name(app);
  role_option(app.add_option("role", said->role, "viewer, member or admin."))->required();
  return user_changes(
      std::move(said), "has this role from now on; their pages reload",
      [](store::TeamRows& rows, const UserOptions& wanted) { return rows.set_role(wanted.name, *hub::role_named(wanted.role)); });
}

Action declare_users_disable(CLI::App& app) {
  return user_changes(with_user_name(app), "is disabled: none of their tokens opens anything, and their connections end",
                      [](store::TeamRows& rows, const UserOptions& wanted) { return rows.set_disabled(wanted.name, true); });
}

Action declare_users_enable(CLI::App& app) {
  return user_changes(with_user_name(app), "is enabled again, with the earlier tokens",
                      [](store::TeamRows& rows, const UserOptions& wanted) { return rows.set_disabled(wanted.name, false); });
}

}  // namespace parlance::app
