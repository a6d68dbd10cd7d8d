// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/shared_settings.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/implementation.h"

namespace parlance::hub {

Decision SharedSettings::decide(const Room& room, std::string_view tool, const ToolIntent& intent) const {
  return judge(action_in(room.live, tool, intent), rules_for(room));
}

Decision SharedSettings::judge(const Action& action, const std::vector<Rule>& by) const {
  Decision decision = hub::decide(action, by);
  if (hub_.settings.asks_everything && decision.effect == Effect::allow)
    return {.effect = Effect::ask, .why = in_words(ReasonId::nothing_decided), .reason = ReasonId::nothing_decided};
  return decision;
}

Task<Result<Decision>> SharedSettings::decide_now(const Room& room, std::string tool, const ToolIntent& intent) {
  Decision decision = decide(room, tool, intent);
  if (hub_.shared == nullptr || decision.effect != Effect::allow || decision.rule.empty()) co_return decision;
  PARLANCE_CO_TRY_DO(co_await refresh());
  co_return decide(room, tool, intent);
}

// Rules of the configuration apply everywhere, a user's rules in the user's own conversations.
std::vector<Rule> SharedSettings::rules_for(const Room& room) const {
  std::vector<Rule> all = hub_.settings.rules;
  for (const Rule& rule : rules)
    if (room.live.is_of(rule.user.value_or(""))) all.push_back(rule);
  return all;
}

// Runs inside the answering operation. An answer of a guest creates no rule for the user's other conversations.
std::string SharedSettings::grant(Room& room, Rule rule, const Submission& from) {
  rule.id = hub_.settings.new_id("rule_");
  rule.user = room.live.user;
  if (!room.live.is_of(from.user)) rule.conversation = room.live.id;
  rule.created_at = hub_.time_text();
  room.log.put(rule);
  if (hub_.shared != nullptr)
    room.log.put(AuditEntry{.what = std::string(rules_of<AnswerRequest>.audit_name),
                            .user = from.user,
                            .by = from.by,
                            .about = rule.id,
                            .conversation = room.live.id});
  return rule.id;
}

// Counts uses of users' rules; configured rules have no counters.
void SharedSettings::count_use(Room& room, const Decision& decision, const std::string& what) {
  const auto used = std::ranges::find(rules, decision.rule, &Rule::id);
  if (decision.rule.empty() || used == rules.end()) return;
  used->uses = used->uses.value_or(0) + 1;
  used->used_for = title_of(what);
  used->used_at = hub_.time_text();
  room.log.put_used(*used);
}

Task<Result<void>> SharedSettings::refresh() {
  PARLANCE_CO_TRY(now, co_await hub_.shared->standing_version());
  if (now == version_) co_return Result<void>{};
  co_return co_await load();
}

Task<Result<void>> SharedSettings::load() {
  PARLANCE_CO_TRY(now, co_await hub_.shared->standing());
  version_ = now.version;
  std::vector<Rule> before = std::exchange(rules, std::move(now.rules));
  bool more = false;
  for (const Rule& rule : rules) {
    const auto known = std::ranges::find(before, rule.id, &Rule::id);
    more = more || known == before.end();
    if (known == before.end() || *known != rule) hub_.publisher.tell(change::RuleAdded{.rule = rule});
    if (known != before.end()) before.erase(known);
  }
  for (const Rule& gone : before) hub_.publisher.tell(change::RuleRemoved{.id = gone.id, .user = gone.user});
  if (now.limits != hub_.spending.limits()) hub_.spending.set_limits(std::move(now.limits));
  if (more) hub_.requests.decide_open();
  take_team(std::move(now.team));
  co_return Result<void>{};
}

// Frontends show names: a changed name restarts their lists.
void SharedSettings::take_team(TeamPtr now) {
  const Team none;
  const Team& is = now ? *now : none;
  const Team& was = team ? *team : none;
  if (is == was) return;
  const bool others = is.users != was.users;
  team = std::move(now);
  if (hub_.settings.team_changed) hub_.settings.team_changed(team);
  if (others) hub_.publisher.tell(change::Resync{});
}

}  // namespace parlance::hub
