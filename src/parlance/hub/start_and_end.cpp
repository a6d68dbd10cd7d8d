// SPDX-License-Identifier: Apache-2.0
// Lifecycle of the hub: agents and services, recovery at the start, and the end.
#include <algorithm>
#include <chrono>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/left_open.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {
namespace {

// Time for an agent to close in good order. Drivers have shorter limits for their programs. Claude Code gets 2 s of the time to
// write its session and to run its hooks, and 2 s more after SIGTERM.
constexpr auto close_grace = std::chrono::seconds(10);
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
bool Hub::is_shared() const { return implementation_->shared != nullptr; }
const TeamPtr& Hub::team() const { return implementation_->team; }

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
  implementation_->tell(change::AgentChanged{.agent = info});
}

void Hub::remove_agent(std::string_view agent) {
  std::erase_if(implementation_->providers, [&](const auto& one) { return one->info().id == agent; });
}

void Hub::agent_changed(const AgentInfo& info) { implementation_->tell(change::AgentChanged{.agent = info}); }

Task<void> Hub::look_for_agents() {
  const std::vector<std::shared_ptr<AgentProvider>> all = implementation_->providers;
  if (implementation_->settings.find_agents) co_await implementation_->settings.find_agents();
  for (const auto& one : all) co_await one->look_again();
}

void Hub::let_go(std::string_view agent) {
  for (const auto& [id, room] : implementation_->rooms)
    if (room->live.agent == agent) implementation_->renew(room);
}

void Hub::service_changed(ServiceInfo info) {
  Implementation& self = *implementation_;
  const auto known = std::ranges::find(self.services, info.name, &ServiceInfo::name);
  if (known == self.services.end()) self.services.push_back(info);
  else if (*known == info) return;
  else *known = info;
  self.tell(change::ServiceChanged{.service = std::move(info)});
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
  self.rules = std::move(stored.rules);
  const std::vector<std::shared_ptr<Room>> found = self.rooms.add_stored(std::exchange(stored.conversations, {}), stored.asks);
  for (Ask& ask : stored.asks) {
    if (const auto room = self.find_room(ask.conversation)) room->listed = true;
    self.asks.emplace(ask.id, std::move(ask));
  }
  PARLANCE_CO_TRY_DO(co_await self.load_spending(std::move(stored.limits)));
  self.count_open_asks();
  if (self.shared != nullptr) PARLANCE_CO_TRY_DO(co_await self.load_standing());
  if (self.shared != nullptr) {  // the hub becomes the owner of a conversation when work in the conversation begins
    self.scope.start(self.follow());
    co_return Result<void>{};
  }
  for (const auto& room : found) PARLANCE_CO_TRY_DO(co_await self.recover_left(room));
  co_return Result<void>{};
}

void Hub::Implementation::count_open_asks() {
  std::map<std::string_view, std::uint32_t> counts;
  for (const auto& [id, ask] : asks) ++counts[ask.conversation];
  for (const auto& [id, room] : rooms) {
    const auto count = counts.find(id);
    room->live.open_asks = count == counts.end() ? 0 : count->second;
  }
}

Task<void> Hub::let_turns_end(TimePoint until) {
  Implementation& self = *implementation_;
  self.leaving = Implementation::Leaving::soon;
  const auto is_waited_for = [&](const auto& entry) {
    const Room& room = *entry.second;
    return room.turn && room.live.state == ConversationState::running && !self.can_take_up(room);
  };
  while (std::ranges::any_of(self.rooms, is_waited_for) && self.loop.now() < until) co_await sleep_for(self.loop, look_for_end);
}

Task<void> Hub::stop_all() {
  implementation_->leaving = Implementation::Leaving::now;
  std::vector<std::shared_ptr<Room>> rooms;
  for (const auto& [id, room] : implementation_->rooms) rooms.push_back(room);
  for (const auto& room : rooms) {
    if (room->turn && !room->turn->cancelled() && implementation_->can_take_up(*room)) {
      room->turn->leave();
      continue;
    }
    // No person has answered: open requests stay for a person, as after a crash.
    implementation_->settle_all(*room, AskState::orphaned, "restart");
    if (room->turn) room->turn->end_of_program();
  }
  for (const auto& room : rooms) implementation_->closing.start(implementation_->end(room));
  co_await implementation_->closing.join();
}

Task<void> Hub::Implementation::end(std::shared_ptr<Room> room) {
  while (room->turn) co_await room->idle.wait();
  if (!room->log.idle()) (void)co_await room->log.written();
  if (room->agent) co_await let_go(std::exchange(room->agent, nullptr));
}

Task<void> Hub::Implementation::let_go(std::shared_ptr<Agent> agent) {
  const auto close = [](Agent& one) -> Task<Result<void>> {
    co_await one.close();
    co_return Result<void>{};
  };
  if (const auto closed = co_await with_deadline(loop, loop.now() + close_grace, close(*agent)); !closed)
    log(LogLevel::warn, "an agent did not end in time, and is ended without its leave");
}

void Hub::Implementation::renew(const std::shared_ptr<Room>& room) {
  room->renewal.outdated = room->turn != nullptr || room->replaying;
  if (room->agent && !room->renewal.outdated) closing.start(let_go_of(room));
}

Task<void> Hub::Implementation::let_go_of(std::shared_ptr<Room> room) {
  room->renewal.closing = true;
  co_await let_go(std::exchange(room->agent, nullptr));
  room->renewal.closing = false;
  room->idle.notify_all();
}

}  // namespace parlance::hub
