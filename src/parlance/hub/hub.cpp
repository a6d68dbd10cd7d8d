// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/hub.h"

#include <algorithm>
#include <utility>

#include "parlance/async/notified.h"
#include "parlance/base/log.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/hub/log/unfinished_turn.h"
#include "parlance/hub/parts.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::hub {

void HubParts::store_health(ConversationRuntime& runtime, const Error* error) {
  if (error != nullptr && is_not_owner(*error)) {
    scope.start(takeover.drop(runtime.shared_from_this()));
    return;
  }
  const bool failed = error != nullptr;
  const bool is_new = std::exchange(store_failed_, failed) != failed;
  if (!failed) {
    if (is_new) log(LogLevel::warn, "the store works again");
    return publisher.publish_service({.name = "store", .state = Health::ready});
  }
  if (is_new) log(LogLevel::error, "the store failed", {{"conversation", runtime.current.id}, {"error", error->message}});
  publisher.publish_service({.name = "store", .state = Health::down, .detail = error->message});
  turns.stop(runtime);  // Work without a store would be lost.
}

Hub::Hub(Loop& loop, Store& store, HubSettings settings) : parts_(std::make_unique<HubParts>(loop, store, std::move(settings))) {}

Hub::~Hub() {
  HubParts& self = *parts_;
  self.ending = true;
  for (const auto& [id, runtime] : self.runtimes) runtime->followed->end();
  self.scope.cancel();
  self.closing.cancel();
  // An agent may still hold a turn: the agents are destroyed first.
  for (const auto& [id, runtime] : self.runtimes) runtime->agent.reset();
  for (const auto& [id, runtime] : self.runtimes) runtime->turn.reset();
  for (const auto& [id, runtime] : self.runtimes) runtime->log.end();
}

Loop& Hub::loop() const { return parts_->loop; }
bool Hub::is_shared() const { return parts_->shared != nullptr && !parts_->shared->checks_permissions(); }
const TeamPtr& Hub::team() const { return parts_->shared_settings.team(); }

bool Hub::may_be_of_guest(std::string_view conversation) const {
  if (!is_shared()) return false;
  const auto runtime = parts_->runtimes.find(conversation);
  if (!runtime) return true;
  if (runtime->turn) return runtime->turn->is_of_guest();
  return runtime->current.access.value_or(Access::private_) == Access::team;
}

// ---- agents and services ----------------------------------------------------------------------------------------------------

void Hub::add_agent(std::unique_ptr<AgentProvider> provider) {
  const AgentInfo info = provider->info();
  parts_->providers.push_back(std::move(provider));
  parts_->publisher.publish(change::AgentChanged{.agent = info});
}

void Hub::remove_agent(std::string_view agent) {
  std::erase_if(parts_->providers, [&](const auto& provider) { return provider->info().id == agent; });
}

void Hub::agent_changed(const AgentInfo& info) { parts_->publisher.publish(change::AgentChanged{.agent = info}); }

Task<void> Hub::look_for_agents() {
  const std::vector<std::shared_ptr<AgentProvider>> all = parts_->providers;
  if (parts_->settings.find_agents) co_await parts_->settings.find_agents();
  for (const auto& provider : all) co_await provider->recheck();
}

void Hub::close_agents(std::string_view agent) {
  for (const auto& [id, runtime] : parts_->runtimes)
    if (runtime->current.agent == agent) parts_->turns.renew(runtime);
}

void Hub::service_changed(ServiceInfo info) { parts_->publisher.publish_service(std::move(info)); }

std::vector<AgentInfo> Hub::agents() const {
  std::vector<AgentInfo> agents;
  for (const auto& provider : parts_->providers) agents.push_back(provider->info());
  return agents;
}

// ---- start and end ----------------------------------------------------------------------------------------------------------

Task<Result<void>> Hub::start() {
  HubParts& self = *parts_;
  PARLANCE_CHECK(!std::exchange(self.started, true), "one start");
  PARLANCE_CO_TRY(stored, co_await self.store.load());
  if (self.shared == nullptr) PARLANCE_CO_TRY_DO(co_await remove_abandoned(self.store, stored));
  self.rules = std::move(stored.rules);
  const std::vector<std::shared_ptr<ConversationRuntime>> found =
      self.runtimes.add_stored(std::exchange(stored.conversations, {}), stored.asks);
  for (Ask& ask : stored.asks) {
    const auto runtime = self.runtimes.find(ask.conversation);
    if (!runtime) continue;
    runtime->listed = true;
    runtime->asks.emplace(ask.id, std::move(ask));
  }
  for (const auto& [id, runtime] : self.runtimes) runtime->current.open_asks = static_cast<std::uint32_t>(runtime->asks.size());
  PARLANCE_CO_TRY_DO(co_await self.spending.load(std::move(stored.limits)));
  if (self.shared != nullptr) PARLANCE_CO_TRY_DO(co_await self.shared_settings.load());
  if (self.shared != nullptr) {  // the hub becomes the owner of a conversation when work in the conversation begins
    self.scope.start(self.reader.follow());
    co_return Result<void>{};
  }
  for (const auto& runtime : found) PARLANCE_CO_TRY_DO(co_await self.takeover.recover_ownerless(runtime));
  co_return Result<void>{};
}

Task<void> Hub::drain_turns(TimePoint until) {
  HubParts& self = *parts_;
  self.leaving = Core::Leaving::soon;
  const auto is_waited_for = [&](const auto& entry) {
    const ConversationRuntime& runtime = *entry.second;
    return runtime.turn && runtime.current.state == ConversationState::running && !self.recovery.can_resume(runtime);
  };
  for (;;) {
    const auto found = std::ranges::find_if(self.runtimes, is_waited_for);
    if (found == self.runtimes.end()) co_return;
    const std::shared_ptr<ConversationRuntime> runtime = found->second;
    if (!co_await notified(runtime->idle, until)) co_return;
  }
}

Task<void> Hub::stop_all() {
  parts_->leaving = Core::Leaving::now;
  std::vector<std::shared_ptr<ConversationRuntime>> runtimes;
  for (const auto& [id, runtime] : parts_->runtimes) runtimes.push_back(runtime);
  for (const auto& runtime : runtimes) {
    if (runtime->turn && !runtime->turn->cancelled() && parts_->recovery.can_resume(*runtime)) {
      runtime->turn->leave();
      continue;
    }
    // No person has answered: open requests stay for a person, as after a crash.
    parts_->requests.settle_all(*runtime, AskState::orphaned, "restart");
    if (runtime->turn) runtime->turn->end_of_program();
  }
  for (const auto& runtime : runtimes) parts_->closing.start(parts_->turns.end(runtime));
  co_await parts_->closing.join();
}

Task<Result<void>> Hub::revoke(std::string id, CallerPtr by) {
  HubParts& self = *parts_;
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
  self.publisher.publish(change::RuleRemoved{.id = id, .user = user});
  co_return Result<void>{};
}

std::vector<Rule> Hub::rules() const {
  std::vector<Rule> all = parts_->settings.rules;
  all.insert(all.end(), parts_->rules.begin(), parts_->rules.end());
  return all;
}

const Ask* Hub::find_ask(std::string_view id) const {
  const auto runtime = parts_->runtimes.with_ask(id);
  return runtime ? &runtime->asks.find(id)->second : nullptr;
}

const ToolIntent* Hub::intent_of(std::string_view ask) const {
  const auto runtime = parts_->runtimes.with_ask(ask);
  if (!runtime) return nullptr;
  const auto found = runtime->pending.find(ask);
  return found == runtime->pending.end() || !found->second->intent ? nullptr : &*found->second->intent;
}

Task<Result<SpendingReport>> Hub::spent(std::string since) const {
  PARLANCE_CO_TRY(rows, co_await parts_->store.spent(std::move(since)));
  co_return SpendingReport{
      .today = local_day(parts_->settings.wall_clock()), .limits = parts_->spending.limits(), .rows = std::move(rows)};
}

Task<Result<void>> Hub::set_spending_limits(SpendingLimits limits, CallerPtr by) {
  PARLANCE_CO_TRY_DO(check_limits(limits));
  Commit change{.limits = limits};
  if (parts_->shared != nullptr)
    change.audit.push_back({.what = std::string(audit::limits_set), .user = by->user, .by = by->name});
  PARLANCE_CO_TRY_DO(co_await parts_->store.commit(std::move(change)));
  parts_->gate.set_limits(std::move(limits));
  co_return Result<void>{};
}

Result<void> Hub::submit_at_once(std::string conversation, CommandAtOnce command, CallerPtr by) {
  Command any = std::visit([](const auto& alternative) -> Command { return alternative; }, command);
  return parts_->executor.submit_at_once(submission_of(by, std::move(conversation), std::move(any)));
}

Snapshot Hub::snapshot(const Listing& listing) const {
  const HubParts& self = *parts_;
  Snapshot snapshot{.services = self.publisher.services(), .rules = self.rules};
  for (const auto& provider : self.providers) snapshot.agents.push_back(provider->info());
  ConversationList newest = list(listing);
  snapshot.older = std::move(newest.older);
  snapshot.conversations = std::move(newest.conversations);
  if (!snapshot.older.empty())
    for (Conversation& active : active_before(self.runtimes, listing, snapshot.older))
      snapshot.conversations.push_back(std::move(active));
  snapshot.asks = open_asks(*this);
  return snapshot;
}

std::vector<Ask> open_asks(const Hub& hub) {
  std::vector<Ask> all;
  for (const auto& [id, runtime] : hub.parts_->runtimes)
    for (const auto& [ask, request] : runtime->asks) all.push_back(request);
  std::ranges::sort(all, [](const Ask& a, const Ask& b) { return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id); });
  return all;
}

ConversationList Hub::list(const Listing& listing) const { return hub::list(parts_->runtimes, listing); }

const std::vector<ServiceInfo>& Hub::services() const { return parts_->publisher.services(); }

std::unique_ptr<Watcher> Hub::watch(Signal* wake, ChangeFilter filter) {
  return std::make_unique<Watcher>(parts_->publisher.watchers(), parts_->loop, wake, std::move(filter));
}

std::shared_ptr<ReplicatedLog> Hub::followed(std::string_view conversation) const {
  const auto runtime = parts_->runtimes.find(conversation);
  if (runtime && parts_->shared != nullptr) parts_->shared->followed(runtime->current.id, runtime->followed);
  return runtime ? runtime->followed : nullptr;
}

Hub::Statistics Hub::statistics() const {
  const HubParts& self = *parts_;
  const auto owned = static_cast<std::size_t>(
      std::ranges::count_if(self.runtimes, [](const auto& r) { return r.second->ownership.may_write(); }));
  std::size_t open_asks = 0;
  for (const auto& [id, runtime] : self.runtimes) open_asks += runtime->asks.size();
  return {.conversations = self.runtimes.size(),
          .owned = owned + (self.shared == nullptr ? self.runtimes.idle().size() : 0),
          .running_turns = static_cast<std::size_t>(
              std::ranges::count_if(self.runtimes, [](const auto& r) { return r.second->turn != nullptr; })),
          .open_asks = open_asks,
          .watchers = self.publisher.watchers()->count(),
          .events = self.publisher.events(),
          .commits = self.publisher.commits(),
          .resyncs = self.publisher.watchers()->resyncs(),
          .spent_today = self.spending.today()};
}

// ---- conversations ------------------------------------------------------------------------------------------------------------

Task<Result<Conversation>> Hub::create(NewConversation request) { return parts_->creation.create(std::move(request)); }

Task<Result<Conversation>> Hub::adopt(NewConversation request, std::string agent_session) {
  return parts_->creation.adopt(std::move(request), std::move(agent_session));
}

Task<Result<std::vector<KeptSession>>> Hub::kept_sessions(std::string agent, std::string folder) {
  return parts_->creation.kept_sessions(std::move(agent), std::move(folder));
}

const Conversation* Hub::find(std::string_view conversation) const {
  const auto runtime = parts_->runtimes.find(conversation);
  return runtime && runtime->known ? &runtime->current : nullptr;
}

Task<Result<std::string>> Hub::conversation_of_ask(std::string id) {
  if (const Ask* const known = find_ask(id)) co_return known->conversation;
  PARLANCE_CO_TRY(row, co_await parts_->store.ask(id));
  if (!row) co_return fail(Errc::not_found, "no such ask: " + id);
  co_return row->conversation;
}

Task<Result<void>> Hub::look_for(std::string conversation) {
  HubParts& self = *parts_;
  if (self.runtimes.find(conversation)) co_return Result<void>{};
  if (self.shared != nullptr) {
    PARLANCE_CO_TRY(now, co_await self.shared->read_conversations({conversation}));
    if (!now.empty()) co_await self.replication.apply(std::move(now.front()));
    if (self.runtimes.find(conversation)) co_return Result<void>{};
  }
  co_return fail(Errc::not_found, "no such conversation: " + conversation);
}

template <class Item>
Task<Result<PageOf<Item>>> Hub::events(std::string conversation, std::uint64_t after, std::uint64_t before, std::size_t limit) {
  PARLANCE_CO_TRY_DO(co_await look_for(conversation));
  const std::uint64_t last = parts_->runtimes.find(conversation)->committed.last_seq;
  const std::size_t most = limit == 0 ? limits::page_events : std::min(limit, limits::page_events_most);
  const std::uint64_t end = before == 0 ? last + 1 : std::min(before, last + 1);
  PARLANCE_CO_TRY(events, co_await newest_events<Item>(parts_->store, std::move(conversation), after, end, most));
  PageOf<Item> page{.events = std::move(events), .last_seq = last};
  if (!page.events.empty()) page.first_seq = page.events.front().seq;
  co_return page;
}

template Task<Result<EventPage>> Hub::events<Event>(std::string, std::uint64_t, std::uint64_t, std::size_t);
template Task<Result<EventTextPage>> Hub::events<EventText>(std::string, std::uint64_t, std::uint64_t, std::size_t);

Task<Result<std::vector<ChatMessage>>> Hub::history(std::string conversation) {
  if (!parts_->runtimes.find(conversation)) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  PARLANCE_CO_TRY(events, co_await parts_->store.events(conversation, 0, UINT64_MAX, 0));
  co_return history_of(events);
}

Task<Result<Attachment>> Hub::attachment(std::string id) {
  PARLANCE_CO_TRY(found, co_await parts_->store.attachment(id));
  if (!found) co_return fail(Errc::not_found, "no attachment " + id);
  co_return *std::move(found);
}

Task<Result<std::vector<SearchHit>>> Hub::search(std::string words, Among among) {
  const auto row_of = [this, among = std::move(among)](const std::string& conversation) {
    std::optional<Conversation> row = parts_->runtimes.committed(conversation);
    if (row && among && !among(*row)) row.reset();
    return row;
  };
  return search_logs(parts_->store, std::move(words), row_of);
}

Task<Result<FilesFound>> Hub::find_files(std::string agent, FilesWanted wanted) {
  const auto there = parts_->provider(agent);
  if (there == nullptr) co_return fail(Errc::not_found, "no such agent: " + agent);
  co_return co_await there->find_files(std::move(wanted));
}

// ---- runners ------------------------------------------------------------------------------------------------------------------

Task<Result<RunnerConnection>> Hub::Runners::connected(std::string runner, std::string body, std::string user) {
  return hub_->runners.connected(std::move(runner), std::move(body), std::move(user));
}

void Hub::Runners::disconnected(const std::string& runner) { hub_->runners.disconnected(runner); }

void Hub::Runners::forget(const std::string& runner) { hub_->runners.forget(runner); }

std::vector<std::string> Hub::Runners::sessions(std::string_view runner) const { return sessions_at(hub_->runtimes, runner); }

Task<Result<std::vector<std::string>>> Hub::Runners::unused_sessions(std::string runner) {
  return hub_->store.unused_sessions(std::move(runner));
}

Task<Result<void>> Hub::Runners::forget_unused_session(std::string runner, std::string session) {
  return hub_->store.forget_unused_session(std::move(runner), std::move(session));
}

// ---- commands -----------------------------------------------------------------------------------------------------------------

template <>
Task<Result<Ask>> submit_any(HubParts& hub, std::string conversation, Command command, CallerPtr by) {
  return hub.executor.answer(submission_of(by, std::move(conversation), std::move(command)));
}

template <class R>
Task<Result<R>> submit_any(HubParts& hub, std::string conversation, Command command, CallerPtr by) {
  PARLANCE_CO_TRY(prompted, co_await hub.executor.submit(submission_of(by, conversation, std::move(command))));
  if constexpr (std::is_same_v<R, Prompted>) {
    co_return prompted;
  } else if constexpr (std::is_same_v<R, Conversation>) {
    const auto runtime = hub.runtimes.find(conversation);
    if (!runtime) co_return fail(Errc::not_found, "no such conversation: " + conversation);
    co_return runtime->current;
  } else {
    co_return Result<void>{};
  }
}

template Task<Result<Prompted>> submit_any(HubParts&, std::string, Command, CallerPtr);
template Task<Result<Conversation>> submit_any(HubParts&, std::string, Command, CallerPtr);
template Task<Result<void>> submit_any(HubParts&, std::string, Command, CallerPtr);

}  // namespace parlance::hub
