// SPDX-License-Identifier: Apache-2.0
// parlance tokens: by which users and runners come in. A token is printed once, when it is made, and kept as a hash. Blocks; main thread.
#include <chrono>
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/team/team_store.h"
#include "parlance/base/clock.h"
#include "parlance/base/secret.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/value.h"
#include "parlance/gateway/auth.h"
#include "parlance/gateway/page_cookie.h"

namespace parlance::app {
namespace {

constexpr int most_days = 3650;
constexpr std::size_t longest_label = 200;  // characters: a line of a list

struct TokenOptions {
  std::string user;
  std::string kind = "person";
  std::string label;
  int days = 0;  // 0: no end
  std::string id;
  bool json = false;
};

Result<hub::Token> kept_form_of(const std::string& token, const TokenOptions& wanted, WallTime now) {
  PARLANCE_TRY(cookie, gateway::PageCookie::value_for(token));
  hub::Token kept{.hash = gateway::hash_of(token),
                  .page_hash = gateway::hash_of(cookie),
                  .kind = *hub::token_kind_named(wanted.kind),
                  .label = wanted.label,
                  .created_at = to_rfc3339(now)};
  if (wanted.days > 0) kept.expires_at = to_rfc3339(now + std::chrono::hours(24) * wanted.days);
  return kept;
}

int create_token(const Settings& settings, const TokenOptions& wanted) {
  auto rows = team_store(settings);
  if (!rows) return complain_of_use(rows.error(), ExitCode::failed);
  const std::string token = make_token();
  const auto now = rows->now();
  if (!now) return complain(now.error());
  auto kept = kept_form_of(token, wanted, *now);
  if (!kept) return complain(kept.error());
  const auto added = rows->add_token(wanted.user, *std::move(kept));
  if (!added) return complain_of_use(added.error(), ExitCode::failed);
  std::fprintf(
      stderr,
      "The token %s of %s. It is shown once and has the permissions of this user. To revoke it: parlance tokens revoke %s\n",
      added->id.c_str(), visible_line(wanted.user).c_str(), added->id.c_str());
  std::printf("%s\n", token.c_str());
  return ExitCode::done;
}

json::Value token_json(const hub::Token& given_token, const std::string& user) {
  json::Object token;
  token.set("id", given_token.id);
  token.set("user", user);
  token.set("kind", std::string(to_string(given_token.kind)));
  token.set("label", given_token.label);
  token.set("created_at", given_token.created_at);
  if (given_token.expires_at) token.set("expires_at", *given_token.expires_at);
  return json::Value(std::move(token));
}

void print_tokens(const hub::Team& team, const TokenOptions& wanted, WallTime now) {
  json::Array list;
  for (const hub::Token& token : team.tokens) {
    const hub::User* const user = team.user(token.user);
    const std::string name = user == nullptr ? token.user : user->name;
    if (!wanted.user.empty() && name != wanted.user) continue;
    list.push_back(token_json(token, name));
    if (wanted.json) continue;
    const bool over = token.expires_at && *token.expires_at <= to_rfc3339(now);
    std::printf("%s  %-6s  %s%s%s  %s  %s\n", token.id.c_str(), std::string(to_string(token.kind)).c_str(),
                token.created_at.substr(0, 10).c_str(), token.expires_at ? (over ? ", expired " : ", until ") : "",
                token.expires_at ? token.expires_at->substr(0, 10).c_str() : "", visible_line(name).c_str(),
                visible_line(token.label).c_str());
  }
  const bool none = list.empty();
  if (wanted.json) std::printf("%s\n", json::to_text(json::Value(std::move(list))).c_str());
  else if (none) std::puts("There are none: parlance tokens create NAME makes one.");
}

}  // namespace

Action declare_tokens_create(CLI::App& app) {
  auto wanted = std::make_shared<TokenOptions>();
  app.add_option("user", wanted->user, "The user's name.")->required();
  app.add_option("--kind", wanted->kind, "person: pages and programs of the user; runner: a runner of the user only.")
      ->check(CLI::IsMember({"person", "runner"}))
      ->capture_default_str();
  app.add_option("--label", wanted->label, "Purpose for people: a laptop, a script.")
      ->check([](const std::string& label) { return label.size() <= longest_label ? "" : "a label has at most 200 bytes"; })
      ->type_name("TEXT");
  app.add_option("--days", wanted->days, "Days of validity. Default: no limit.")->check(CLI::Range(1, most_days))->type_name("N");
  return [wanted](const Settings& settings, const Words&) { return create_token(settings, *wanted); };
}

Action declare_tokens_list(CLI::App& app) {
  auto wanted = std::make_shared<TokenOptions>();
  app.add_option("user", wanted->user, "Only tokens of this user.");
  app.add_flag("--json", wanted->json, "For programs: one JSON document.");
  return [wanted](const Settings& settings, const Words&) {
    auto rows = team_store(settings);
    if (!rows) return complain_of_use(rows.error(), ExitCode::failed);
    const auto team = rows->all();
    if (!team) return complain(team.error());
    const auto now = rows->now();
    if (!now) return complain(now.error());
    print_tokens(*team, *wanted, *now);
    return static_cast<int>(ExitCode::done);
  };
}

Action declare_tokens_revoke(CLI::App& app) {
  auto wanted = std::make_shared<TokenOptions>();
  app.add_option("id", wanted->id, "The token's id, as `parlance tokens list` shows it.")->required();
  return [wanted](const Settings& settings, const Words&) {
    auto rows = team_store(settings);
    if (!rows) return complain_of_use(rows.error(), ExitCode::failed);
    if (const auto revoked = rows->revoke_token(wanted->id); !revoked) return complain_of_use(revoked.error(), ExitCode::failed);
    std::printf("%s is revoked; its connections close within seconds.\n", wanted->id.c_str());
    return static_cast<int>(ExitCode::done);
  };
}

}  // namespace parlance::app
