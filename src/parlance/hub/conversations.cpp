// SPDX-License-Identifier: Apache-2.0
// Conversations, and the rooms where they are at work: made, found, read, removed.
#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {

Room::Room(Loop& loop, Hub::Implementation& hub, Store& store, Conversation conversation, bool is_known)
    : live(std::move(conversation)),
      shown(live),
      known(is_known),
      listed(!live.via),
      idle(loop),
      followed(std::make_shared<Followed>(loop, store, live.id, live.last_seq)),
      log(loop, store, live.id, live.last_seq,
          {.time_text = [&hub] { return hub.time_text(); },
           .told = [this, &hub](const CommitPtr& written) { hub.told(*this, written); },
           .health = [this, &hub](const Error* error) { hub.store_health(*this, error); },
           .row = [this] { return live; }}) {}

Room::~Room() { followed->end(); }

std::shared_ptr<Room> Hub::Implementation::find_room(std::string_view id) const {
  const auto found = rooms.find(id);
  return found == rooms.end() ? nullptr : found->second;
}

std::shared_ptr<Room> Hub::Implementation::add_room(Conversation conversation, bool known) {
  auto room = std::make_shared<Room>(loop, *this, store, std::move(conversation), known);
  room->owned = shared == nullptr || !known;  // one that is new is ours
  room->used = loop.now();
  return rooms.emplace(room->live.id, room).first->second;
}

void Hub::Implementation::touch(Room& room) {
  room.live.updated_at = time_text();
  room.log.put(room.live);
}

namespace {

constexpr std::size_t most_folders = 64;  // beside a conversation's own: each costs a look at every path

Result<void> check_folder(std::string& folder) {
  if (!folder.starts_with('/')) return fail(Errc::invalid_params, "the folder must be an absolute path: " + folder);
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return {};
}

Result<void> check_folders(NewConversation& request) {
  PARLANCE_TRY_DO(check_folder(request.folder));
  if (request.folders.size() > most_folders)
    return fail(Errc::invalid_params,
                std::to_string(request.folders.size()) + " more folders; at most " + std::to_string(most_folders));
  for (std::string& folder : request.folders) PARLANCE_TRY_DO(check_folder(folder));
  return {};
}

}  // namespace

Task<Result<Conversation>> Hub::create(NewConversation request) {
  PARLANCE_CO_TRY(room, co_await implementation_->make_room(std::move(request), {}));
  co_return room->live;
}

Task<Result<std::shared_ptr<Room>>> Hub::Implementation::make_room(NewConversation request, NativeSession session) {
  const auto its = provider(request.agent);
  if (its == nullptr) co_return fail(Errc::not_found, "no such agent: " + request.agent);
  const std::optional<std::string> place = its->info().place;
  PARLANCE_CO_TRY_DO(check_folders(request));
  const std::string now = time_text();
  const auto room = add_room({.id = settings.new_id("conv_"),
                              .title = title_of(request.title),
                              .agent = std::move(request.agent),
                              .folder = std::move(request.folder),
                              .folders = std::move(request.folders),
                              .named = !trim(request.title).empty(),
                              .mode = request.mode,
                              .model = std::move(request.model),
                              .think = request.think,
                              .created_at = now,
                              .updated_at = now,
                              .via = std::move(request.via),
                              .user = std::move(request.user),
                              .access = request.access == Access::private_ ? std::nullopt : request.access,
                              .place = place,
                              .native_session = std::move(session)},
                             false);
  room->replaying = !room->live.native_session.empty();
  room->log.put(room->live);
  for (Attachment& one : request.past.attachments) room->log.put(std::move(one));
  for (EventBody& event : request.past.events) room->log.append(std::move(event));
  const Result<void> written = co_await room->log.written();
  if (!written && !room->known) rooms.erase(room->live.id);
  PARLANCE_CO_TRY_DO(written);
  co_return room;
}

Task<Result<void>> Hub::remove(std::string conversation, CallerPtr by) {
  PARLANCE_CO_TRY_DO(co_await implementation_->want(
      {.conversation = std::move(conversation), .user = by->user, .by = by->name, .kind = CommandKind::remove}));
  co_return Result<void>{};
}

Task<Result<Prompted>> Hub::Implementation::remove(std::shared_ptr<Room> room, std::optional<Command> wish) {
  room->removing = true;
  stop(*room);
  while (room->turn || room->replaying) co_await room->idle.wait();
  while (!room->log.idle()) {
    const Result<void> written = co_await room->log.written();
    if (!written) room->removing = false;
    PARLANCE_CO_TRY_DO(written);
  }
  const std::string by = wish ? wish->by : "";
  const Result<void> removed = co_await remove_rows(room->live, std::move(wish));
  if (!removed) room->removing = false;
  PARLANCE_CO_TRY_DO(removed);
  if (room->agent) closing.start(let_go(std::exchange(room->agent, nullptr)));
  if (!by.empty()) log(LogLevel::info, "a conversation was deleted", {{"conversation", room->live.id}, {"by", by}});
  forget(room);
  if (room->live.place && settings.session_left) settings.session_left(*room->live.place);
  co_return Prompted{};
}

// Its log goes with it. Of one that a program began for a request nothing is to be kept.
Task<Result<void>> Hub::Implementation::remove_rows(const Conversation& conversation, std::optional<Command> wish) {
  if (shared == nullptr || !wish || conversation.via) co_return co_await store.remove_conversation(conversation.id);
  const std::string id = conversation.id;
  co_return co_await shared->remove_told(id, {.what = std::string(audit::conversation_deleted),
                                              .user = wish->user,
                                              .by = wish->by,
                                              .about = conversation.user.value_or(""),
                                              .conversation = id});
}

void Hub::Implementation::forget(const std::shared_ptr<Room>& room) {
  const std::string id = room->live.id;
  if (rooms.erase(id) == 0) return;
  spending.in_conversation.erase(id);
  room->followed->end();
  std::erase(remembered, room);
  std::erase_if(asks, [&](const auto& entry) { return entry.second.conversation == id; });
  for (const Rule& rule : rules)
    if (rule.conversation == id) tell(change::RuleRemoved{.id = rule.id, .user = rule.user});
  std::erase_if(rules, [&](const Rule& rule) { return rule.conversation == id; });
  if (room->listed)
    tell(change::ConversationRemoved{.id = id, .last = {.id = id, .user = room->shown.user, .access = room->shown.access}});
}

const Conversation* Hub::find(std::string_view conversation) const {
  const auto room = implementation_->find_room(conversation);
  return room && room->known ? &room->live : nullptr;
}

Task<Result<std::string>> Hub::conversation_of_ask(std::string id) {
  if (const Ask* const known = find_ask(id)) co_return known->conversation;
  PARLANCE_CO_TRY(row, co_await implementation_->store.ask(id));
  if (!row) co_return fail(Errc::not_found, "no such ask: " + id);
  co_return row->conversation;
}

Task<Result<void>> Hub::look_for(std::string conversation) {
  Implementation& self = *implementation_;
  if (self.find_room(conversation)) co_return Result<void>{};
  if (self.shared != nullptr) {
    PARLANCE_CO_TRY(now, co_await self.shared->look({conversation}));
    if (!now.empty()) co_await self.see(std::move(now.front()));
    if (self.find_room(conversation)) co_return Result<void>{};
  }
  co_return fail(Errc::not_found, "no such conversation: " + conversation);
}

namespace {

// Of one page. A page of a browser asks for older events when a person scrolls up; 4 MiB fill hundreds of screens, and a reader that does not
// read holds no more.
constexpr std::size_t page_event_bytes = 4 << 20;
constexpr std::size_t first_part_events = 32;  // read before the size of this conversation's events is known

// The newest events between `after` and `before`: as many as `most` and page_event_bytes allow, and one at least. Read in parts, the newest first,
// because the store knows no sizes in advance.
Task<Result<std::vector<Event>>> newest_events(Store& store, std::string conversation, std::uint64_t after, std::uint64_t before,
                                               std::size_t most) {
  std::vector<Event> newest;  // the newest first
  std::size_t bytes = 0;
  for (std::size_t part = std::min(most, first_part_events); part > 0;) {
    PARLANCE_CO_TRY(events, co_await store.events(conversation, after, before, part));
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      bytes += weight_of(event->body);
      if (!newest.empty() && bytes > page_event_bytes) part = 0;
      if (part == 0) break;
      newest.push_back(std::move(*event));
    }
    if (part == 0 || events.size() < part) break;
    before = newest.back().seq;
    const std::size_t fitting =
        (page_event_bytes - std::min(bytes, page_event_bytes)) / std::max<std::size_t>(bytes / newest.size(), 1);
    part = std::min({most - newest.size(), std::max<std::size_t>(fitting, 1), newest.size() * 8});
  }
  std::ranges::reverse(newest);
  co_return newest;
}

}  // namespace

Task<Result<EventPage>> Hub::events(std::string conversation, std::uint64_t after, std::uint64_t before, std::size_t limit) {
  PARLANCE_CO_TRY_DO(co_await look_for(conversation));
  const auto room = implementation_->find_room(conversation);
  const std::uint64_t last = room->shown.last_seq;
  const std::size_t most = limit == 0 ? limits::page_events : std::min(limit, limits::page_events_most);
  PARLANCE_CO_TRY(events, co_await newest_events(implementation_->store, conversation, after,
                                                 before == 0 ? last + 1 : std::min(before, last + 1), most));
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

}  // namespace parlance::hub
