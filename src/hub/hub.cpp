#include "hub/hub.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "hub/left_open.h"
#include "hub/running_turn.h"

namespace parlance::hub {
namespace {

// For an agent to end in good order. Drivers have shorter limits for their programs: Claude Code gets 2 s of them to write its session
// down and to run its hooks, and as much again after SIGTERM.
constexpr auto close_grace = std::chrono::seconds(10);

}  // namespace

Room::Room(Loop& loop, Hub::Implementation& hub, Store& store, Conversation conversation, bool is_known)
    : live(std::move(conversation)),
      shown(live),
      known(is_known),
      listed(!live.via),
      idle(loop),
      log(loop, store, live.id, live.last_seq,
          {.time_text = [&hub] { return hub.time_text(); },
           .told = [this, &hub](const CommitPtr& written) { hub.told(*this, written); },
           .health = [this, &hub](const Error* error) { hub.store_health(*this, error); },
           .row = [this] { return live; }}) {}

Room::~Room() { leave_followers(); }

Hub::Implementation::Implementation(Hub& owner, Loop& on, Store& in, HubSettings with)
    : hub(owner), loop(on), store(in), settings(std::move(with)), scope(on), closing(on) {}

Hub::Hub(Loop& loop, Store& store, HubSettings settings)
    : implementation_(std::make_unique<Implementation>(*this, loop, store, std::move(settings))) {}

Hub::~Hub() {
  Implementation& self = *implementation_;
  self.ending = true;
  for (Watcher* watcher : self.watchers) watcher->hub_ = nullptr;
  for (const auto& [id, room] : self.rooms) room->leave_followers();
  self.scope.cancel();
  self.closing.cancel();
  // An agent may still hold its turn: it goes first.
  for (const auto& [id, room] : self.rooms) room->agent.reset();
  for (const auto& [id, room] : self.rooms) room->turn.reset();
}

// ---- agents and services -----------------------------------------------------------------------------------------------

void Hub::add_agent(std::unique_ptr<AgentProvider> provider) {
  const AgentInfo info = provider->info();
  implementation_->providers.push_back(std::move(provider));
  implementation_->tell(change::AgentChanged{.agent = info});
}

void Hub::agent_changed(const AgentInfo& info) { implementation_->tell(change::AgentChanged{.agent = info}); }

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

AgentProvider* Hub::Implementation::provider(std::string_view id) const {
  const auto found = std::ranges::find_if(providers, [&](const auto& one) { return one->info().id == id; });
  return found == providers.end() ? nullptr : found->get();
}

// ---- start and end -------------------------------------------------------------------------------------------------------

Task<Result<void>> Hub::start() {
  Implementation& self = *implementation_;
  PARLANCE_CHECK(!std::exchange(self.started, true), "one start");
  PARLANCE_CO_TRY(stored, co_await self.store.load());
  PARLANCE_CO_TRY_DO(co_await remove_left_behind(self.store, stored));
  self.rules = std::move(stored.rules);
  std::vector<std::shared_ptr<Room>> interrupted;
  for (Conversation& conversation : stored.conversations) {
    conversation.waits_for.reset();
    interrupted.push_back(self.add_room(std::move(conversation), true));
  }
  for (Ask& ask : stored.asks) self.asks.emplace(ask.id, std::move(ask));
  std::erase_if(interrupted, [&](const std::shared_ptr<Room>& room) {
    const bool open = std::ranges::any_of(self.asks, [&](const auto& entry) {
      return entry.second.conversation == room->live.id && entry.second.state == AskState::open;
    });
    return room->live.turn.empty() && !open;
  });
  for (const auto& [id, room] : self.rooms)
    room->live.open_asks = static_cast<std::uint32_t>(
        std::ranges::count_if(self.asks, [&](const auto& entry) { return entry.second.conversation == id; }));
  for (const auto& room : interrupted) {
    PARLANCE_CO_TRY_DO(co_await self.recover(*room));
    PARLANCE_CO_TRY_DO(co_await room->log.written());
  }
  co_return Result<void>{};
}

// What a turn that was running when the program died left open.
Task<Result<void>> Hub::Implementation::recover(Room& room) {
  PARLANCE_CO_TRY(open, co_await left_open(store, room.live.id, room.live.last_seq));
  if (open.thinking) room.log.append(event::ThinkingEnd{});
  for (const auto& [id, known] : asks) {
    if (known.conversation != room.live.id || known.state != AskState::open) continue;
    Ask orphan = known;
    orphan.state = AskState::orphaned;
    orphan.by = "restart";
    room.log.put(orphan);
    room.log.append(event::AskSettled{.ask = id, .state = AskState::orphaned, .by = "restart"});
  }
  for (const std::string& call : open.calls) room.log.append(event::ToolEnd{.call = call, .state = ToolEndState::cancelled});
  if (!room.live.turn.empty()) {
    room.log.append(cut_off_failure());
    room.log.append(
        event::TurnEnd{.turn = room.live.turn, .stop_reason = StopReason::error, .duration_ms = open.duration.count()});
  }
  room.live.turn.clear();
  room.live.state = ConversationState::idle;
  touch(room);
  co_return Result<void>{};
}

Task<void> Hub::stop_all() {
  std::vector<std::shared_ptr<Room>> rooms;
  for (const auto& [id, room] : implementation_->rooms) rooms.push_back(room);
  for (const auto& room : rooms) {
    // Nobody answered: what waits for a person waits on, as after a crash.
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

// ---- conversations -------------------------------------------------------------------------------------------------------

std::shared_ptr<Room> Hub::Implementation::find_room(std::string_view id) const {
  const auto found = rooms.find(id);
  return found == rooms.end() ? nullptr : found->second;
}

std::shared_ptr<Room> Hub::Implementation::add_room(Conversation conversation, bool known) {
  auto room = std::make_shared<Room>(loop, *this, store, std::move(conversation), known);
  return rooms.emplace(room->live.id, room).first->second;
}

void Hub::Implementation::touch(Room& room) {
  room.live.updated_at = time_text();
  room.log.put(room.live);
}

Task<Result<Conversation>> Hub::create(NewConversation request) {
  Implementation& self = *implementation_;
  if (self.provider(request.agent) == nullptr) co_return fail(Errc::not_found, "no such agent: " + request.agent);
  if (!request.folder.starts_with('/'))
    co_return fail(Errc::invalid_params, "the folder must be an absolute path: " + request.folder);
  while (request.folder.size() > 1 && request.folder.ends_with('/')) request.folder.pop_back();
  const std::string now = self.time_text();
  const auto room = self.add_room({.id = self.settings.new_id("conv_"),
                                   .title = title_of(request.title),
                                   .agent = std::move(request.agent),
                                   .folder = std::move(request.folder),
                                   .mode = request.mode,
                                   .model = std::move(request.model),
                                   .think = request.think,
                                   .created_at = now,
                                   .updated_at = now,
                                   .via = std::move(request.via)},
                                  false);
  room->log.put(room->live);
  for (Attachment& one : request.past.attachments) room->log.put(std::move(one));
  for (EventBody& event : request.past.events) room->log.append(std::move(event));
  const Result<void> written = co_await room->log.written();
  if (!written && !room->known) self.rooms.erase(room->live.id);
  PARLANCE_CO_TRY_DO(written);
  co_return room->live;
}

namespace {

Result<void> check(std::string_view text, const std::vector<Attachment>& attachments) {
  if (trim(text).empty() && attachments.empty()) return fail(Errc::invalid_params, "the prompt is empty");
  if (text.size() > limits::prompt_bytes)
    return fail(Errc::invalid_params,
                "the prompt has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(limits::prompt_bytes));
  if (attachments.size() > limits::prompt_attachments)
    return fail(Errc::invalid_params, "the prompt has " + std::to_string(attachments.size()) + " attachments; at most " +
                                          std::to_string(limits::prompt_attachments));
  std::size_t bytes = 0;
  for (const Attachment& one : attachments) bytes += one.data.size();
  if (bytes > limits::prompt_attachment_bytes)
    return fail(Errc::invalid_params, "what comes with the prompt has " + std::to_string(bytes) + " bytes; at most " +
                                          std::to_string(limits::prompt_attachment_bytes));
  return {};
}

}  // namespace

Task<Result<Prompted>> Hub::prompt(std::string conversation, std::string text, PromptOptions options,
                                   std::vector<Attachment> attachments) {
  Implementation& self = *implementation_;
  const auto room = self.find_room(conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  PARLANCE_CO_TRY_DO(check(text, attachments));
  const bool waits = room->turn || !room->live.queued.empty();
  if (waits && room->live.queued.size() >= limits::queued_prompts)
    co_return fail(Errc::overloaded, "too many prompts wait already");
  Prompt wanted{.text = std::move(text), .options = std::move(options)};
  for (Attachment& one : attachments) {
    one.about.id = self.settings.new_id("attachment_");
    one.about.bytes = one.data.size();
    wanted.attachments.push_back(one.about);
  }
  Prompted prompted;
  const EventLog::Outcome outcome = waits ? self.queue_prompt(room, std::move(wanted), attachments, prompted.queued)
                                          : self.begin_turn(room, std::move(wanted), attachments, prompted.turn);
  PARLANCE_CO_TRY_DO(co_await outcome->get());
  co_return prompted;
}

Task<Result<void>> Hub::prepare(std::string conversation, PromptOptions options) {
  const auto room = implementation_->find_room(conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  PARLANCE_CO_TRY(agent, co_await implementation_->agent_of(room));
  co_return co_await agent->prepare(std::move(options));
}

Task<Result<void>> Hub::withdraw(std::string conversation, std::string queued) {
  const auto room = implementation_->find_room(conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  const auto found = std::ranges::find(room->live.queued, queued, &QueuedPrompt::id);
  if (found == room->live.queued.end()) co_return fail(Errc::not_found, "this prompt waits no more: " + queued);
  const auto place = found - room->live.queued.begin();
  const auto kept = std::make_shared<QueuedPrompt>(std::move(*found));
  room->live.queued.erase(found);
  const auto take_out = [&] {
    if (kept->attachments)
      for (const AttachmentInfo& about : *kept->attachments) room->log.remove_attachment(about.id);
    implementation_->touch(*room);
  };
  const auto put_back = [room, kept, place] {
    auto& queue = room->live.queued;
    queue.insert(queue.begin() + std::min<std::ptrdiff_t>(place, std::ssize(queue)), *kept);
  };
  co_return co_await room->log.operation(take_out, {.undo = put_back})->get();
}

Result<void> Hub::stop(std::string_view conversation) {
  const auto room = implementation_->find_room(conversation);
  if (!room) return fail(Errc::not_found, "no such conversation: " + std::string(conversation));
  implementation_->stop(*room);
  return {};
}

Result<void> Hub::go_on(std::string_view conversation) {
  const auto room = implementation_->find_room(conversation);
  if (!room) return fail(Errc::not_found, "no such conversation: " + std::string(conversation));
  if (!room->turn) implementation_->next_in_queue(room);
  return {};
}

Task<Result<Conversation>> Hub::set(std::string conversation, ConversationChanges changes) {
  Implementation& self = *implementation_;
  const auto room = self.find_room(conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  if (changes.title && trim(*changes.title).empty()) co_return fail(Errc::invalid_params, "the title is empty");
  // An agent that is open is told first: what it refuses must not stand in the conversation.
  if (const std::shared_ptr<Agent> agent = room->agent) {
    const TimePoint deadline = self.loop.now() + limits::agent_setting_timeout;
    if (changes.mode && *changes.mode != room->live.mode)
      PARLANCE_CO_TRY_DO(co_await with_deadline(self.loop, deadline, agent->set_mode(*changes.mode)));
    if (changes.model && *changes.model != room->live.model)
      PARLANCE_CO_TRY_DO(co_await with_deadline(self.loop, deadline, agent->set_model(*changes.model)));
    if (changes.think && *changes.think != room->live.think)
      PARLANCE_CO_TRY_DO(co_await with_deadline(self.loop, deadline, agent->set_think(*changes.think)));
  }
  if (room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  PARLANCE_CO_TRY_DO(co_await self.change(room, std::move(changes))->get());
  co_return room->live;
}

EventLog::Outcome Hub::Implementation::change(const std::shared_ptr<Room>& room, ConversationChanges changes) {
  Conversation& live = room->live;
  const ConversationChanges before{.title = live.title, .mode = live.mode, .model = live.model, .think = live.think};
  const bool new_mode = changes.mode && *changes.mode != live.mode;
  const auto work = [&] {
    if (changes.title) live.title = title_of(*changes.title);
    if (changes.model) live.model = *changes.model;
    if (changes.think) live.think = *changes.think;
    if (changes.mode) live.mode = *changes.mode;
    if (new_mode) room->log.append(event::ModeChanged{.mode = live.mode});
    touch(*room);
  };
  const auto done = [this, new_mode] {
    if (new_mode) decide_again();
  };
  const auto undo = [this, room, before] {
    room->live.title = *before.title;
    room->live.mode = *before.mode;
    room->live.model = *before.model;
    room->live.think = *before.think;
    if (room->agent) scope.start(tell_settings(room->agent, before));
  };
  return room->log.operation(work, {.done = done, .undo = undo});
}

// Its agent had been told what was not kept after all.
Task<void> Hub::Implementation::tell_settings(std::shared_ptr<Agent> agent, ConversationChanges settings_before) {
  const TimePoint deadline = loop.now() + limits::agent_setting_timeout;
  static_cast<void>(co_await with_deadline(loop, deadline, agent->set_mode(*settings_before.mode)));
  static_cast<void>(co_await with_deadline(loop, deadline, agent->set_model(*settings_before.model)));
  static_cast<void>(co_await with_deadline(loop, deadline, agent->set_think(*settings_before.think)));
}

Task<Result<void>> Hub::remove(std::string conversation) {
  Implementation& self = *implementation_;
  const auto room = self.find_room(conversation);
  if (!room || std::exchange(room->removing, true)) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  self.stop(*room);
  while (room->turn) co_await room->idle.wait();
  while (!room->log.idle()) {
    const Result<void> written = co_await room->log.written();
    if (!written) room->removing = false;
    PARLANCE_CO_TRY_DO(written);
  }
  const Result<void> removed = co_await self.store.remove_conversation(conversation);
  if (!removed) room->removing = false;
  PARLANCE_CO_TRY_DO(removed);
  if (room->agent) self.closing.start(self.let_go(std::exchange(room->agent, nullptr)));
  self.rooms.erase(conversation);
  room->leave_followers();
  std::erase(self.remembered, room);
  std::erase_if(self.asks, [&](const auto& entry) { return entry.second.conversation == conversation; });
  for (const Rule& rule : self.rules)
    if (rule.conversation == conversation) self.tell(change::RuleRemoved{.id = rule.id});
  std::erase_if(self.rules, [&](const Rule& rule) { return rule.conversation == conversation; });
  for (Watcher* watcher : self.watchers) watcher->close(conversation);
  if (room->listed) self.tell(change::ConversationRemoved{.id = conversation});
  co_return Result<void>{};
}

const Conversation* Hub::find(std::string_view conversation) const {
  const auto room = implementation_->find_room(conversation);
  return room && room->known ? &room->live : nullptr;
}

Task<Result<EventPage>> Hub::older(std::string conversation, std::uint64_t before, std::size_t limit) {
  const auto room = implementation_->find_room(conversation);
  if (!room) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  const std::uint64_t last = room->shown.last_seq;
  const std::size_t most = limit == 0 ? limits::page_events : std::min(limit, limits::page_events_most);
  PARLANCE_CO_TRY(
      events, co_await implementation_->store.events(conversation, 0, before == 0 ? last + 1 : std::min(before, last + 1), most));
  EventPage page{.events = std::move(events), .last_seq = last};
  if (!page.events.empty()) page.first_seq = page.events.front().seq;
  co_return page;
}

Task<Result<std::vector<ChatMessage>>> Hub::history(std::string conversation) {
  if (!implementation_->find_room(conversation)) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  PARLANCE_CO_TRY(events, co_await implementation_->store.events(conversation, 0, UINT64_MAX, 0));
  co_return history_of(events);
}

Task<Result<Attachment>> Hub::attachment(std::string id) {
  PARLANCE_CO_TRY(found, co_await implementation_->store.attachment(id));
  if (!found) co_return fail(Errc::not_found, "no attachment " + id);
  co_return *std::move(found);
}

// ---- telling -----------------------------------------------------------------------------------------------------------

void Hub::Implementation::told(Room& room, const CommitPtr& commit) {
  const Commit& written = *commit;
  ++commits;
  events += written.events.size();
  if (!written.events.empty()) {
    room.shown.last_seq = written.events.back().seq;
    std::size_t bytes = 0;
    for (const Event& event : written.events) bytes += weight_of(event.body);
    room.live.last_seq = room.shown.last_seq;
    const bool anybody = std::ranges::any_of(watchers, [&](Watcher* one) { return one->find(room.live.id) != nullptr; });
    if (anybody) {
      const auto change = std::make_shared<const Change>(
          change::EventsAppended{.conversation = room.live.id, .events = written.events, .written = commit});
      for (Watcher* watcher : watchers) watcher->push_events(room.live.id, change, bytes);
    }
    room.tell_followers(commit, bytes);
    if (room.history)
      for (const Event& event : written.events) room.history->add(event);
  }
  room.listed = room.listed || !written.asks.empty();
  for (const Ask& ask : written.asks) {
    if (ask.state == AskState::open || ask.state == AskState::orphaned) asks.insert_or_assign(ask.id, ask);
    else asks.erase(ask.id);
    tell(change::AskChanged{.ask = ask},
         ask.diff ? ask.diff->before.value_or("").size() + ask.diff->after.value_or("").size() : 0);
  }
  for (const Rule& rule : written.rules) {
    rules.insert(rules.begin(), rule);
    tell(change::RuleAdded{.rule = rule});
  }
  if (written.conversation) {
    const std::uint64_t last = room.shown.last_seq;
    room.shown = *written.conversation;
    room.shown.last_seq = last;
    room.known = true;
    tell_row(room);
  }
}

void Hub::Implementation::tell_row(Room& room) {
  if (watchers.empty() && room.followers.empty()) return;
  const auto change = std::make_shared<const Change>(change::ConversationChanged{.conversation = room.shown});
  if (room.listed)
    for (Watcher* watcher : watchers) watcher->push(change, 0);
  room.tell_followers({change, &std::get<change::ConversationChanged>(*change).conversation});
}

void Hub::Implementation::tell(Change change, std::size_t bytes) {
  if (watchers.empty()) return;
  const auto shared = std::make_shared<const Change>(std::move(change));
  for (Watcher* watcher : watchers) watcher->push(shared, bytes);
}

void Hub::Implementation::store_health(Room& room, const Error* error) {
  if (error == nullptr) return hub.service_changed({.name = "store", .state = Health::ready});
  log(LogLevel::error, "the store failed", {{"conversation", room.live.id}, {"error", error->message}});
  hub.service_changed({.name = "store", .state = Health::down, .detail = error->message});
  stop(room);  // Nothing that cannot be kept is worth doing.
}

Snapshot Hub::snapshot() const {
  const Implementation& self = *implementation_;
  Snapshot snapshot{.services = self.services, .rules = self.rules};
  for (const auto& provider : self.providers) snapshot.agents.push_back(provider->info());
  for (const auto& [id, room] : self.rooms)
    if (room->known && room->listed) snapshot.conversations.push_back(room->shown);
  std::ranges::sort(snapshot.conversations, [](const Conversation& a, const Conversation& b) {
    return std::tie(b.updated_at, b.id) < std::tie(a.updated_at, a.id);
  });
  for (const auto& [id, ask] : self.asks) snapshot.asks.push_back(ask);
  std::ranges::sort(snapshot.asks,
                    [](const Ask& a, const Ask& b) { return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id); });
  return snapshot;
}

std::unique_ptr<Watcher> Hub::watch() { return std::unique_ptr<Watcher>(new Watcher(*this, implementation_->loop)); }

Hub::Statistics Hub::statistics() const {
  const Implementation& self = *implementation_;
  return {.conversations = self.rooms.size(),
          .running_turns = static_cast<std::size_t>(
              std::ranges::count_if(self.rooms, [](const auto& r) { return r.second->turn != nullptr; })),
          .open_asks = self.asks.size(),
          .watchers = self.watchers.size(),
          .events = self.events,
          .commits = self.commits,
          .resyncs = self.resyncs};
}

}  // namespace parlance::hub
