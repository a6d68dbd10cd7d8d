// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/shared_settings.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/log/replication_update.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::hub {

Decision SharedSettings::decide(const ConversationRuntime& runtime, std::string_view tool, const ToolIntent& intent) const {
  return judge(action_in(runtime.current, tool, intent), rules_for(runtime));
}

Decision SharedSettings::judge(const Action& action, const std::vector<Rule>& by) const {
  Decision decision = hub::decide(action, by);
  if (core_.settings.asks_everything && decision.effect == Effect::allow)
    return {.effect = Effect::ask, .why = in_words(ReasonId::nothing_decided), .reason = ReasonId::nothing_decided};
  return decision;
}

Task<Result<Decision>> SharedSettings::decide_now(const ConversationRuntime& runtime, std::string tool,
                                                  const ToolIntent& intent) {
  Decision decision = decide(runtime, tool, intent);
  if (core_.shared == nullptr || decision.effect != Effect::allow || decision.rule.empty()) co_return decision;
  PARLANCE_CO_TRY_DO(co_await refresh());
  co_return decide(runtime, tool, intent);
}

// Rules of the configuration apply everywhere, a user's rules in the user's own conversations.
std::vector<Rule> SharedSettings::rules_for(const ConversationRuntime& runtime) const {
  std::vector<Rule> all = core_.settings.rules;
  for (const Rule& rule : core_.rules)
    if (runtime.current.is_of(rule.user.value_or(""))) all.push_back(rule);
  return all;
}

// Runs inside the answering operation. An answer of a guest creates no rule for the user's other conversations.
std::string SharedSettings::grant(ConversationRuntime& runtime, Rule rule, const Submission& from) {
  rule.id = core_.settings.new_id("rule_");
  rule.user = runtime.current.user;
  if (!runtime.current.is_of(from.user)) rule.conversation = runtime.current.id;
  rule.created_at = core_.time_text();
  runtime.log.put(rule);
  if (core_.shared != nullptr)
    runtime.log.put(AuditEntry{.what = std::string(rules_of<AnswerRequest>.audit_name),
                               .user = from.user,
                               .by = from.by,
                               .about = rule.id,
                               .conversation = runtime.current.id});
  return rule.id;
}

// Counts uses of users' rules; configured rules have no counters.
void SharedSettings::count_use(ConversationRuntime& runtime, const Decision& decision, const std::string& what) {
  const auto used = std::ranges::find(core_.rules, decision.rule, &Rule::id);
  if (decision.rule.empty() || used == core_.rules.end()) return;
  used->uses = used->uses.value_or(0) + 1;
  used->used_for = title_of(what);
  used->used_at = core_.time_text();
  runtime.log.put_used(*used);
}

Task<Result<void>> SharedSettings::refresh() {
  PARLANCE_CO_TRY(now, co_await core_.shared->settings_version());
  if (now == version_ && !core_.rules_outdated) co_return Result<void>{};
  co_return co_await load();
}

Task<Result<void>> SharedSettings::load() {
  const std::uint64_t read = ++reads_;
  core_.rules_outdated = false;  // a commit during the read sets it again
  auto snapshot = co_await core_.shared->settings_snapshot();
  if (!snapshot) {
    core_.rules_outdated = true;
    co_return std::unexpected(std::move(snapshot).error());
  }
  if (read < newest_read_) co_return Result<void>{};  // a slow answer must not restore revoked rules
  newest_read_ = read;
  SettingsSnapshot& now = *snapshot;
  version_ = now.version;
  std::vector<Rule> before = std::exchange(core_.rules, std::move(now.rules));
  bool more = false;
  for (const Rule& rule : core_.rules) {
    const auto known = std::ranges::find(before, rule.id, &Rule::id);
    more = more || known == before.end();
    if (known == before.end() || *known != rule) publisher_.publish(change::RuleAdded{.rule = rule});
    if (known != before.end()) before.erase(known);
  }
  for (const Rule& gone : before) publisher_.publish(change::RuleRemoved{.id = gone.id, .user = gone.user});
  callbacks_.limits_read(std::move(now.limits));
  if (more) callbacks_.rules_added();
  take_team(std::move(now.team));
  co_return Result<void>{};
}

bool SharedSettings::still_allowed(const ConversationRuntime& runtime, const std::string& by, Permission permission) const {
  if (core_.shared == nullptr) return true;
  const Access access = runtime.current.access.value_or(Access::private_);
  if (by.empty()) return may(TeamRole::admin, runtime.current.is_of(""), access, permission);
  const User* const user = team_ == nullptr ? nullptr : team_->user_named(by);
  return user != nullptr && !user->disabled && may(user->role, runtime.current.is_of(user->id), access, permission);
}

bool SharedSettings::is_guest(const ConversationRuntime& runtime, const std::string& by) const {
  if (core_.shared == nullptr) return false;
  if (!runtime.current.user) return !by.empty();
  const User* const owner = team_ == nullptr ? nullptr : team_->user(*runtime.current.user);
  return owner == nullptr || owner->name != by;
}

// Frontends show names: a changed name restarts their lists.
void SharedSettings::take_team(TeamPtr now) {
  const Team none;
  const Team& is = now ? *now : none;
  const Team& was = team_ ? *team_ : none;
  if (is == was) return;
  const bool others = is.users != was.users;
  team_ = std::move(now);
  if (core_.settings.team_changed) core_.settings.team_changed(team_);
  if (others) publisher_.publish(change::Resync{});
}

}  // namespace parlance::hub
