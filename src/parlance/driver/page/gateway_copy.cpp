// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/page/gateway_copy.h"

#include <algorithm>
#include <utility>

#include "parlance/async/notified.h"
#include "parlance/base/log.h"
#include "parlance/driver/page/limits.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/wire_form/conversation_tables.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::driver {
namespace {

// No value: unreadable, and logged.
template <class T>
std::optional<T> read(std::string_view what, const wire::Raw& raw) {
  auto value = json::from_text<T>(raw.json);
  if (value) return *std::move(value);
  log(LogLevel::warn, "a part of the gateway's state cannot be read",
      {{"part", std::string(what)}, {"error", value.error().message}});
  return std::nullopt;
}

bool is_waiting(const hub::Ask& ask) { return ask.state == hub::AskState::open || ask.state == hub::AskState::orphaned; }

}  // namespace

std::optional<hub::Event> read_event(const wire::Raw& raw) {
  auto event = wire_form::event_from_json(raw.json);
  if (event) return *std::move(event);
  const auto head = json::from_text<wire_form::EventHead>(raw.json);
  log(LogLevel::warn, "an event of the gateway cannot be read", {{"error", event.error().message}});
  if (!head) return std::nullopt;
  return hub::Event{.seq = head->seq,
                    .time = head->time,
                    .body = hub::event::Notice{.text = "This program cannot show an event of the newer gateway; update it."}};
}

// ---- the state -----------------------------------------------------------------------------------------------------------

const hub::Ask* GatewayCopy::ask(std::string_view id) const {
  if (const auto found = asks_.find(id); found != asks_.end()) return &found->second;
  const auto found = std::ranges::find(settled_, id, &hub::Ask::id);
  return found == settled_.end() ? nullptr : &*found;
}

hub::ReplicatedConversation GatewayCopy::seen(const hub::Conversation& row) const {
  hub::ReplicatedConversation now{.row = row, .has_owner = true};
  for (const auto& [id, ask] : asks_)
    if (ask.conversation == row.id) now.asks.push_back(ask);
  return now;
}

bool GatewayCopy::follow(const std::string& conversation) {
  const auto row = rows_.find(conversation);
  return followed_.try_emplace(conversation, row == rows_.end() ? 0 : row->second.last_seq).second;
}

bool GatewayCopy::unfollow(const std::string& conversation) { return followed_.erase(conversation) != 0; }

const RecentEvents* GatewayCopy::events(std::string_view conversation) const {
  const auto found = followed_.find(conversation);
  return found == followed_.end() ? nullptr : &found->second;
}

std::vector<std::string> GatewayCopy::followed() const {
  std::vector<std::string> all;
  for (const auto& [conversation, events] : followed_) all.push_back(conversation);
  return all;
}

void GatewayCopy::forget(const std::string& conversation) {
  followed_.erase(conversation);
  std::erase_if(asks_, [&](const auto& entry) { return entry.second.conversation == conversation; });
  if (rows_.erase(conversation) == 0) return;
  removed_.push_back(conversation);
  changes_.notify_all();
}

// ---- additions -----------------------------------------------------------------------------------------------------------

void GatewayCopy::note(std::set<std::string>& changed, const std::string& conversation) {
  changed.insert(conversation);
  changes_.notify_all();
}

// A row is older than the events that the copy has read already, if its conversation is followed.
void GatewayCopy::put(hub::Conversation row) {
  const RecentEvents* const known = events(row.id);
  if (known != nullptr) row.last_seq = std::max(row.last_seq, known->last_seq());
  note(changed_, row.id);
  rows_.insert_or_assign(row.id, std::move(row));
}

void GatewayCopy::put(hub::Ask ask) {
  const bool is_settled = std::ranges::find(settled_, ask.id, &hub::Ask::id) != settled_.end();
  if (is_waiting(ask) && is_settled) return;  // an older state than that of an event
  note(changed_, ask.conversation);
  if (is_waiting(ask)) {
    asks_.insert_or_assign(ask.id, std::move(ask));
    return;
  }
  asks_.erase(ask.id);
  std::erase_if(settled_, [&](const hub::Ask& known) { return known.id == ask.id; });
  settled_.push_back(std::move(ask));
  if (settled_.size() > limits::settled_requests) settled_.pop_front();
}

void GatewayCopy::put(hub::AgentInfo agent) {
  const auto known = std::ranges::find(agents_, agent.id, &hub::AgentInfo::id);
  if (known == agents_.end()) agents_.push_back(agent);
  else *known = agent;
  if (reports_.agent_changed) reports_.agent_changed(std::move(agent));
}

Result<hub::Conversation> GatewayCopy::put_row(const wire::Raw& conversation) {
  PARLANCE_TRY(row, json::from_text<hub::Conversation>(conversation.json));
  put(row);
  return row;
}

Result<void> GatewayCopy::put_ask(const wire::Raw& ask) {
  PARLANCE_TRY(read, json::from_text<hub::Ask>(ask.json));
  put(std::move(read));
  return {};
}

void GatewayCopy::put_events(const std::string& conversation, const std::vector<wire::Raw>& events) {
  const auto known = followed_.find(conversation);
  if (known == followed_.end()) return;
  for (const wire::Raw& raw : events)
    if (auto event = read_event(raw)) {
      put_request_of(*event);
      known->second.add(*std::move(event));
    }
  if (const auto row = rows_.find(conversation); row != rows_.end())
    row->second.last_seq = std::max(row->second.last_seq, known->second.last_seq());
  note(new_events_, conversation);
}

void GatewayCopy::put_request_of(const hub::Event& event) {
  if (const hub::Ask* const made = hub::ask_of(event.body); made != nullptr && ask(made->id) == nullptr) put(*made);
  const auto* const settled = std::get_if<hub::event::AskSettled>(&event.body);
  const auto known = settled == nullptr ? asks_.end() : asks_.find(settled->ask);
  if (known == asks_.end()) return;
  hub::Ask now = known->second;
  now.state = settled->state;
  now.chosen = settled->chosen;
  now.text = settled->text;
  now.by = settled->by;
  now.edited = settled->edited;
  put(std::move(now));
}

// ---- snapshots and changes -------------------------------------------------------------------------------------------------

// A conversation outside the snapshot still exists, if the snapshot lists only the newest.
void GatewayCopy::replace_rows(const page::Snapshot& snapshot) {
  std::set<std::string> listed;
  for (const wire::Raw& raw : snapshot.conversations)
    if (auto row = read<hub::Conversation>("conversation", raw)) {
      listed.insert(row->id);
      put(*std::move(row));
    }
  std::vector<std::string> gone;
  for (const auto& [id, row] : rows_)
    if (!snapshot.older && !listed.contains(id)) gone.push_back(id);
  for (const std::string& id : gone) forget(id);
}

void GatewayCopy::replace_agents(const std::vector<wire::Raw>& listed) {
  const std::vector<hub::AgentInfo> earlier = std::exchange(agents_, {});
  for (const wire::Raw& raw : listed)
    if (auto agent = read<hub::AgentInfo>("agent", raw)) put(*std::move(agent));
  for (const hub::AgentInfo& agent : earlier)
    if (std::ranges::find(agents_, agent.id, &hub::AgentInfo::id) == agents_.end() && reports_.agent_removed)
      reports_.agent_removed(agent.id);
}

void GatewayCopy::on_snapshot(page::Snapshot snapshot) {
  replace_rows(snapshot);
  for (const auto& [id, ask] : std::exchange(asks_, {})) note(changed_, ask.conversation);
  for (const wire::Raw& raw : std::exchange(snapshot.asks, {}))
    if (auto ask = read<hub::Ask>("request", raw)) put(*std::move(ask));
  rules_.clear();
  for (const wire::Raw& raw : std::exchange(snapshot.rules, {}))
    if (auto rule = read<hub::Rule>("rule", raw)) rules_.push_back(*std::move(rule));
  ++rules_version_;
  replace_agents(std::exchange(snapshot.agents, {}));
  for (const wire::Raw& raw : std::exchange(snapshot.services, {}))
    if (auto service = read<hub::ServiceInfo>("service", raw); service && reports_.service_changed)
      reports_.service_changed(*std::move(service));
  snapshot.conversations.clear();
  about_ = std::move(snapshot);
  is_complete_ = true;
  changes_.notify_all();
  if (reports_.snapshot_taken) reports_.snapshot_taken();
}

void GatewayCopy::on_change(page::Op change) {
  std::visit([this](auto& op) { take(op); }, change.value);
}

void GatewayCopy::take(page::ConversationOp& change) {
  if (auto row = read<hub::Conversation>("conversation", change.conversation)) put(*std::move(row));
}

void GatewayCopy::take(page::AskOp& change) {
  if (auto ask = read<hub::Ask>("request", change.ask)) put(*std::move(ask));
}

void GatewayCopy::take(page::RuleOp& change) {
  auto rule = read<hub::Rule>("rule", change.rule);
  if (!rule) return;
  const auto known = std::ranges::find(rules_, rule->id, &hub::Rule::id);
  if (known == rules_.end()) rules_.insert(rules_.begin(), *std::move(rule));
  else *known = *std::move(rule);
  ++rules_version_;
  changes_.notify_all();
}

void GatewayCopy::take(page::RuleRemovedOp& change) {
  std::erase_if(rules_, [&](const hub::Rule& rule) { return rule.id == change.id; });
  ++rules_version_;
  changes_.notify_all();
}

void GatewayCopy::take(page::AgentOp& change) {
  if (auto agent = read<hub::AgentInfo>("agent", change.agent)) put(*std::move(agent));
}

void GatewayCopy::take(page::ServiceOp& change) {
  auto service = read<hub::ServiceInfo>("service", change.service);
  if (service && reports_.service_changed) reports_.service_changed(*std::move(service));
}

// ---- unread changes --------------------------------------------------------------------------------------------------------

Task<void> GatewayCopy::changed(TimePoint until) {
  if (changed_.empty() && new_events_.empty() && removed_.empty() && read_rules_ == rules_version_)
    co_await notified(changes_, until);
}

void GatewayCopy::skip_updates() {
  changed_.clear();
  new_events_.clear();
  removed_.clear();
  read_rules_ = rules_version_;
}

hub::ReplicationUpdate GatewayCopy::take_update() {
  hub::ReplicationUpdate update{.removed = std::exchange(removed_, {}),
                                .settings_changed = std::exchange(read_rules_, rules_version_) != rules_version_};
  for (const std::string& id : std::exchange(changed_, {}))
    if (const auto row = rows_.find(id); row != rows_.end()) update.changed.push_back(seen(row->second));
  for (const std::string& id : std::exchange(new_events_, {}))
    if (const RecentEvents* const known = events(id)) update.new_events.push_back({.id = id, .last_seq = known->last_seq()});
  return update;
}

}  // namespace parlance::driver
