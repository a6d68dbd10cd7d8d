// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/hub.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/implementation.h"
#include "parlance/hub/log/left_open.h"

namespace parlance::hub {
namespace {

std::string cursor_of(const Conversation& one) { return one.updated_at + " " + one.id; }

bool is_newer(const Conversation& a, const Conversation& b) {
  return std::tie(b.updated_at, b.id) < std::tie(a.updated_at, a.id);
}

bool is_in_list(const Room& room, const Listing& listing) {
  return room.known && room.listed && (!listing.among || listing.among(room.shown));
}

bool is_in_list(const PackedStart& one, const Listing& listing) {
  if (one.via || !listing.among) return !one.via;
  Conversation known{.id = std::string(one.id), .access = one.access};
  if (one.user) known.user.emplace(*one.user);
  return listing.among(known);
}

constexpr auto look_for_end = std::chrono::milliseconds(20);

}  // namespace

Hub::Implementation::Implementation(Hub& owner, Loop& on, Store& in, HubSettings with)
    : hub(owner), loop(on), store(in), shared(in.shared()), settings(std::move(with)), scope(on), closing(on) {}

Hub::Hub(Loop& loop, Store& store, HubSettings settings)
    : implementation_(std::make_unique<Implementation>(*this, loop, store, std::move(settings))) {}

Hub::~Hub() {
  Implementation& self = *implementation_;
  self.ending = true;
  for (const auto& [id, room] : self.rooms) room->followed->end();
  self.scope.cancel();
  self.closing.cancel();
  // An agent may still hold a turn: the agents are destroyed first.
  for (const auto& [id, room] : self.rooms) room->agent.reset();
  for (const auto& [id, room] : self.rooms) room->turn.reset();
  for (const auto& [id, room] : self.rooms) room->log.end();
}

Loop& Hub::loop() const { return implementation_->loop; }
bool Hub::is_shared() const { return implementation_->shared != nullptr && !implementation_->shared->checks_permissions(); }
const TeamPtr& Hub::team() const { return implementation_->shared_settings.team; }

bool Hub::may_be_of_guest(std::string_view conversation) const {
  if (!is_shared()) return false;
  const auto room = implementation_->find_room(conversation);
  if (!room) return true;
  if (room->turn) return room->turn->is_of_guest();
  return room->live.access.value_or(Access::private_) == Access::team;
}

// ---- agents and services ----------------------------------------------------------------------------------------------------

void Hub::add_agent(std::unique_ptr<AgentProvider> provider) {
  const AgentInfo info = provider->info();
  implementation_->providers.push_back(std::move(provider));
  implementation_->publisher.tell(change::AgentChanged{.agent = info});
}

void Hub::remove_agent(std::string_view agent) {
  std::erase_if(implementation_->providers, [&](const auto& one) { return one->info().id == agent; });
}

void Hub::agent_changed(const AgentInfo& info) { implementation_->publisher.tell(change::AgentChanged{.agent = info}); }

Task<void> Hub::look_for_agents() {
  const std::vector<std::shared_ptr<AgentProvider>> all = implementation_->providers;
  if (implementation_->settings.find_agents) co_await implementation_->settings.find_agents();
  for (const auto& one : all) co_await one->look_again();
}

void Hub::let_go(std::string_view agent) {
  for (const auto& [id, room] : implementation_->rooms)
    if (room->live.agent == agent) implementation_->turns.renew(room);
}

void Hub::service_changed(ServiceInfo info) {
  Implementation& self = *implementation_;
  const auto known = std::ranges::find(self.services, info.name, &ServiceInfo::name);
  if (known == self.services.end()) self.services.push_back(info);
  else if (*known == info) return;
  else *known = info;
  self.publisher.tell(change::ServiceChanged{.service = std::move(info)});
}

std::vector<AgentInfo> Hub::agents() const {
  std::vector<AgentInfo> agents;
  for (const auto& provider : implementation_->providers) agents.push_back(provider->info());
  return agents;
}

std::shared_ptr<AgentProvider> Hub::Implementation::provider(std::string_view id) const {
  const auto found = std::ranges::find_if(providers, [&](const auto& one) { return one->info().id == id; });
  return found == providers.end() ? nullptr : *found;
}

// ---- start and end ----------------------------------------------------------------------------------------------------------

Task<Result<void>> Hub::start() {
  Implementation& self = *implementation_;
  PARLANCE_CHECK(!std::exchange(self.started, true), "one start");
  PARLANCE_CO_TRY(stored, co_await self.store.load());
  if (self.shared == nullptr) PARLANCE_CO_TRY_DO(co_await remove_left_behind(self.store, stored));
  self.shared_settings.rules = std::move(stored.rules);
  const std::vector<std::shared_ptr<Room>> found = self.rooms.add_stored(std::exchange(stored.conversations, {}), stored.asks);
  for (Ask& ask : stored.asks) {
    if (const auto room = self.find_room(ask.conversation)) room->listed = true;
    self.requests.asks.emplace(ask.id, std::move(ask));
  }
  PARLANCE_CO_TRY_DO(co_await self.spending.load(std::move(stored.limits)));
  self.requests.count_open();
  if (self.shared != nullptr) PARLANCE_CO_TRY_DO(co_await self.shared_settings.load());
  if (self.shared != nullptr) {  // the hub becomes the owner of a conversation when work in the conversation begins
    self.scope.start(self.replication.follow());
    co_return Result<void>{};
  }
  for (const auto& room : found) PARLANCE_CO_TRY_DO(co_await self.takeover.recover_left(room));
  co_return Result<void>{};
}

Task<void> Hub::let_turns_end(TimePoint until) {
  Implementation& self = *implementation_;
  self.takeover.leaving = Takeover::Leaving::soon;
  const auto is_waited_for = [&](const auto& entry) {
    const Room& room = *entry.second;
    return room.turn && room.live.state == ConversationState::running && !self.recovery.can_take_up(room);
  };
  while (std::ranges::any_of(self.rooms, is_waited_for) && self.loop.now() < until) co_await sleep_for(self.loop, look_for_end);
}

Task<void> Hub::stop_all() {
  implementation_->takeover.leaving = Takeover::Leaving::now;
  std::vector<std::shared_ptr<Room>> rooms;
  for (const auto& [id, room] : implementation_->rooms) rooms.push_back(room);
  for (const auto& room : rooms) {
    if (room->turn && !room->turn->cancelled() && implementation_->recovery.can_take_up(*room)) {
      room->turn->leave();
      continue;
    }
    // No person has answered: open requests stay for a person, as after a crash.
    implementation_->requests.settle_all(*room, AskState::orphaned, "restart");
    if (room->turn) room->turn->end_of_program();
  }
  for (const auto& room : rooms) implementation_->closing.start(implementation_->turns.end(room));
  co_await implementation_->closing.join();
}

Task<Result<void>> Hub::revoke(std::string id, CallerPtr by) {
  Implementation& self = *implementation_;
  const auto known = std::ranges::find(self.shared_settings.rules, id, &Rule::id);
  if (known == self.shared_settings.rules.end())
    co_return fail(Errc::not_found, "no such rule, or it comes from the configuration: " + id);
  const std::optional<std::string> user = known->user;
  Commit change{.removed_rules = {id}};
  if (self.shared != nullptr)
    change.audit.push_back({.what = std::string(audit::rule_removed),
                            .user = by->user,
                            .by = by->name,
                            .about = id,
                            .conversation = known->conversation.value_or("")});
  PARLANCE_CO_TRY_DO(co_await self.store.commit(std::move(change)));
  std::erase_if(self.shared_settings.rules, [&](const Rule& rule) { return rule.id == id; });
  self.publisher.tell(change::RuleRemoved{.id = id, .user = user});
  co_return Result<void>{};
}

std::vector<Rule> Hub::rules() const {
  std::vector<Rule> all = implementation_->settings.rules;
  all.insert(all.end(), implementation_->shared_settings.rules.begin(), implementation_->shared_settings.rules.end());
  return all;
}

const Ask* Hub::find_ask(std::string_view id) const {
  const auto found = implementation_->requests.asks.find(id);
  return found == implementation_->requests.asks.end() ? nullptr : &found->second;
}

const ToolIntent* Hub::intent_of(std::string_view ask) const {
  const auto found = implementation_->requests.pending.find(ask);
  return found == implementation_->requests.pending.end() || !found->second->intent ? nullptr : &*found->second->intent;
}

Task<Result<SpendingReport>> Hub::spent(std::string since) const {
  PARLANCE_CO_TRY(rows, co_await implementation_->store.spent(std::move(since)));
  co_return SpendingReport{.today = local_day(implementation_->settings.wall_clock()),
                           .limits = implementation_->spending.limits(),
                           .rows = std::move(rows)};
}

Task<Result<void>> Hub::set_spending_limits(SpendingLimits limits, CallerPtr by) {
  PARLANCE_CO_TRY_DO(check_limits(limits));
  Commit change{.limits = limits};
  if (implementation_->shared != nullptr)
    change.audit.push_back({.what = std::string(audit::limits_set), .user = by->user, .by = by->name});
  PARLANCE_CO_TRY_DO(co_await implementation_->store.commit(std::move(change)));
  implementation_->spending.set_limits(std::move(limits));
  co_return Result<void>{};
}

Result<void> Hub::submit_at_once(std::string conversation, CommandAtOnce command, CallerPtr by) {
  Command any = std::visit([](const auto& one) -> Command { return one; }, command);
  return implementation_->executor.submit_at_once(submission_of(by, std::move(conversation), std::move(any)));
}

Snapshot Hub::snapshot(const Listing& listing) const {
  const Implementation& self = *implementation_;
  Snapshot snapshot{.services = self.services, .rules = self.shared_settings.rules};
  for (const auto& provider : self.providers) snapshot.agents.push_back(provider->info());
  ConversationList newest = list(listing);
  snapshot.older = std::move(newest.older);
  snapshot.conversations = std::move(newest.conversations);
  if (!snapshot.older.empty())
    for (const auto& [id, room] : self.rooms)
      if (is_in_list(*room, listing) && cursor_of(room->shown) < snapshot.older && room->shown.is_active())
        snapshot.conversations.push_back(room->shown);
  for (const auto& [id, ask] : self.requests.asks) snapshot.asks.push_back(ask);
  std::ranges::sort(snapshot.asks,
                    [](const Ask& a, const Ask& b) { return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id); });
  return snapshot;
}

// Merges the conversations with a room, which are few, into the idle ones. A page of a long list unpacks few conversations.
ConversationList Hub::list(const Listing& listing) const {
  std::vector<const Conversation*> in_rooms;
  for (const auto& [id, room] : implementation_->rooms)
    if (is_in_list(*room, listing) && (listing.before.empty() || cursor_of(room->shown) < listing.before))
      in_rooms.push_back(&room->shown);
  std::ranges::sort(in_rooms, [](const Conversation* a, const Conversation* b) { return is_newer(*a, *b); });
  ConversationList found;
  bool is_full = false;
  const auto add = [&](const Conversation& one) {
    is_full = found.conversations.size() == listing.most;
    if (!is_full) found.conversations.push_back(one);
    return !is_full;
  };
  auto next = in_rooms.begin();
  implementation_->rooms.idle().visit_newest(listing.before, [&](const PackedConversation& packed) {
    if (!is_in_list(packed.start(), listing)) return true;
    const Conversation one = packed.unpack();
    while (next != in_rooms.end() && is_newer(**next, one))
      if (!add(**next++)) return false;
    return add(one);
  });
  while (!is_full && next != in_rooms.end()) add(**next++);
  if (is_full && !found.conversations.empty()) found.older = cursor_of(found.conversations.back());
  return found;
}

const std::vector<ServiceInfo>& Hub::services() const { return implementation_->services; }

std::unique_ptr<Watcher> Hub::watch(Signal* wake, Sieve sieve) {
  return std::make_unique<Watcher>(implementation_->publisher.watchers(), implementation_->loop, wake, std::move(sieve));
}

std::shared_ptr<Followed> Hub::followed(std::string_view conversation) const {
  const auto room = implementation_->find_room(conversation);
  if (room && implementation_->shared != nullptr) implementation_->shared->followed(room->live.id);
  return room ? room->followed : nullptr;
}

Hub::Statistics Hub::statistics() const {
  const Implementation& self = *implementation_;
  const auto owned =
      static_cast<std::size_t>(std::ranges::count_if(self.rooms, [](const auto& r) { return r.second->ownership.may_write(); }));
  return {.conversations = self.rooms.size(),
          .owned = owned + (self.shared == nullptr ? self.rooms.idle().size() : 0),
          .running_turns = static_cast<std::size_t>(
              std::ranges::count_if(self.rooms, [](const auto& r) { return r.second->turn != nullptr; })),
          .open_asks = self.requests.asks.size(),
          .watchers = self.publisher.watchers()->count(),
          .events = self.publisher.events(),
          .commits = self.publisher.commits(),
          .resyncs = self.publisher.watchers()->resyncs(),
          .spent_today = self.spending.today()};
}

}  // namespace parlance::hub
