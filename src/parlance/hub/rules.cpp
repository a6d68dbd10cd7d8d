// SPDX-License-Identifier: Apache-2.0
// Standing permissions: their use in decisions, their statistics, and their end.
#include <algorithm>
#include <utility>

#include "parlance/hub/hub.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {

Decision Hub::Implementation::decide(const Room& room, std::string_view tool, const ToolIntent& intent) const {
  return judge(action_in(room.live, tool, intent), rules_for(room));
}

Decision Hub::Implementation::judge(const Action& action, const std::vector<Rule>& by) const {
  Decision decision = hub::decide(action, by);
  if (settings.asks_everything && decision.effect == Effect::allow)
    return {.effect = Effect::ask, .why = in_words(ReasonId::nothing_decided), .reason = ReasonId::nothing_decided};
  return decision;
}

Task<Result<Decision>> Hub::Implementation::decide_now(const Room& room, std::string tool, const ToolIntent& intent) {
  Decision decision = decide(room, tool, intent);
  if (shared == nullptr || decision.effect != Effect::allow || decision.rule.empty()) co_return decision;
  PARLANCE_CO_TRY_DO(co_await refresh_standing());
  co_return decide(room, tool, intent);
}

// Rules of the configuration apply everywhere, a user's rules in the user's own conversations.
std::vector<Rule> Hub::Implementation::rules_for(const Room& room) const {
  std::vector<Rule> all = settings.rules;
  for (const Rule& rule : rules)
    if (room.live.is_of(rule.user.value_or(""))) all.push_back(rule);
  return all;
}

// Runs inside the answering operation. An answer of a guest creates no rule for the user's other conversations.
std::string Hub::Implementation::grant(Room& room, Rule rule, const Submission& from) {
  rule.id = settings.new_id("rule_");
  rule.user = room.live.user;
  if (!room.live.is_of(from.user)) rule.conversation = room.live.id;
  rule.created_at = time_text();
  room.log.put(rule);
  if (shared != nullptr)
    room.log.put(AuditEntry{.what = std::string(rules_of<AnswerRequest>.audit_name),
                            .user = from.user,
                            .by = from.by,
                            .about = rule.id,
                            .conversation = room.live.id});
  return rule.id;
}

// Counts uses of users' rules; configured rules have no counters.
void Hub::Implementation::count_use(Room& room, const Decision& decision, const std::string& what) {
  const auto used = std::ranges::find(rules, decision.rule, &Rule::id);
  if (decision.rule.empty() || used == rules.end()) return;
  used->uses = used->uses.value_or(0) + 1;
  used->used_for = title_of(what);
  used->used_at = time_text();
  room.log.put_used(*used);
}

// A new rule or mode may answer open asks.
void Hub::Implementation::decide_again() {
  if (pending.empty()) return;
  if (shared != nullptr) scope.start(decide_again_by_newest());
  else decide_open();
}

Task<void> Hub::Implementation::decide_again_by_newest() {
  if (const auto read = co_await refresh_standing(); read) decide_open();  // on failure a person decides
}

void Hub::Implementation::decide_open() {
  std::vector<std::shared_ptr<PendingAsk>> open;
  for (const auto& [id, one] : pending)
    if (one->intent && !one->settling) open.push_back(one);
  for (const auto& one : open) {
    const auto room = find_room(one->ask.conversation);
    const std::string tool = one->ask.tool.value_or("");
    const Decision decision = judge(action_in(room->live, tool, *one->intent), rules_for(*room));
    const bool only_a_person = decision.effect == Effect::allow && one->ask.kind != AskKind::permission;
    if (decision.effect == Effect::ask || only_a_person) continue;
    count_use(*room, decision, one->ask.title);
    AskAnswer answer = answer_of(one->ask.options, decision);
    answer.by = decision.why;
    settle(*one, AskState::answered, std::move(answer));
  }
}

// An agent may ask the same question several times at once. An "always" answer settles the equal asks; other asks stay open.
void Hub::Implementation::answer_equal(const Room& room, const PendingAsk& answered, const AskAnswer& answer) {
  const bool always = answer.kind == OptionKind::allow_always || answer.kind == OptionKind::reject_always;
  if (!always || answer.edited) return;
  const auto content = [&](Ask ask) {
    ask.call.reset();
    return digest_of(ask, room.live.folder);
  };
  const std::string wanted = content(answered.ask);
  std::vector<std::shared_ptr<PendingAsk>> equal;
  for (const auto& [id, one] : pending)
    if (one->ask.conversation == room.live.id && !one->settling && !one->unclaimed && content(one->ask) == wanted)
      equal.push_back(one);
  for (const auto& one : equal) {
    AskAnswer same = answer;
    same.digest = one->ask.digest;
    settle(*one, AskState::answered, std::move(same));
  }
}

Task<Result<void>> Hub::revoke(std::string id, CallerPtr by) {
  Implementation& self = *implementation_;
  const auto known = std::ranges::find(self.rules, id, &Rule::id);
  if (known == self.rules.end()) co_return fail(Errc::not_found, "no such rule, or it comes from the configuration: " + id);
  const std::optional<std::string> user = known->user;
  Commit change{.removed_rules = {id}};
  if (self.shared != nullptr)
    change.audit.push_back({.what = std::string(audit::rule_removed),
                            .user = by->user,
                            .by = by->name,
                            .about = id,
                            .conversation = known->conversation.value_or("")});
  PARLANCE_CO_TRY_DO(co_await self.store.commit(std::move(change)));
  std::erase_if(self.rules, [&](const Rule& rule) { return rule.id == id; });
  self.tell(change::RuleRemoved{.id = id, .user = user});
  co_return Result<void>{};
}

std::vector<Rule> Hub::rules() const {
  std::vector<Rule> all = implementation_->settings.rules;
  all.insert(all.end(), implementation_->rules.begin(), implementation_->rules.end());
  return all;
}

}  // namespace parlance::hub
