// SPDX-License-Identifier: Apache-2.0
// Conversations and their rooms: creation, lookup, reading, removal.
#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/hub/conversation/text_search.h"
#include "parlance/hub/implementation.h"
#include "parlance/hub/limits.h"

namespace parlance::hub {

namespace {

// Rooms end in groups: a page opens a few conversations again and again. A room needs about 5 KiB.
constexpr std::size_t most_idle_rooms = 256;
// Callers of Hub::find keep the pointer for a short time only.
constexpr auto idle_room_time = std::chrono::minutes(1);
constexpr auto look_for_idle_rooms = std::chrono::seconds(10);

PackedStart start_of(const Conversation& one) {
  return {.id = one.id,
          .updated_at = one.updated_at,
          .agent = one.agent,
          .native_session = one.native_session.id,
          .how = one.native_session.how,
          .user = one.user,
          .via = one.via,
          .place = one.place,
          .access = one.access,
          .state = one.state,
          .open_asks = one.open_asks,
          .turn = one.turn,
          .queued = one.queued.size()};
}

}  // namespace

Room::Room(Loop& loop, Hub::Implementation& hub, Store& store, Conversation conversation, bool is_known)
    : live(std::move(conversation)),
      shown(live),
      known(is_known),
      listed(!live.via),
      idle(loop),
      followed(std::make_shared<Followed>(loop, store, live.id, live.last_seq)),
      log(loop, store, live.id, live.last_seq,
          {.time_text = [&hub] { return hub.time_text(); },
           .told = [this, &hub](const CommitPtr& written) { hub.publisher.told(*this, written); },
           .health = [this, &hub](const Error* error) { hub.publisher.store_health(*this, error); },
           .row = [this] { return live; }}) {}

Room::~Room() { followed->end(); }

bool Room::is_at_rest() const {
  return !turn && !replaying && !removing && !ownership.is_changing() && doing.empty() && log.idle() && known;
}

// ---- all conversations -------------------------------------------------------------------------------------------------------

std::shared_ptr<Room> Rooms::find(std::string_view id) {
  if (rooms_.size() >= most_idle_rooms && hub_.loop.now() >= next_look_) hub_.loop.at_turn_end(*this);
  const auto found = rooms_.find(id);
  if (found != rooms_.end()) {
    found->second->sought = hub_.loop.now();
    return found->second;
  }
  const std::optional<PackedConversation> packed = idle_.take(id);
  return packed ? add(packed->unpack(), true) : nullptr;
}

std::optional<Conversation> Rooms::shown(std::string_view id) const {
  if (const auto found = rooms_.find(id); found != rooms_.end())
    return found->second->listed ? std::optional(found->second->shown) : std::nullopt;
  const PackedConversation* const packed = idle_.find(id);
  return packed == nullptr || packed->start().via ? std::nullopt : std::optional(packed->unpack());
}

void Rooms::visit(const std::function<void(const PackedStart& one)>& visitor) const {
  for (const auto& [id, room] : rooms_) visitor(start_of(room->live));
  idle_.visit([&](const PackedConversation& one) {
    visitor(one.start());
    return true;
  });
}

std::shared_ptr<Room> Rooms::add(Conversation conversation, bool known) {
  auto room = std::make_shared<Room>(hub_.loop, hub_, hub_.store, std::move(conversation), known);
  if (hub_.shared != nullptr && known)
    room->ownership = Ownership(Ownership::State::orphaned);  // until the store reports an owner
  room->used = room->sought = hub_.loop.now();
  return rooms_.emplace(room->live.id, room).first->second;
}

std::vector<std::shared_ptr<Room>> Rooms::add_stored(std::vector<PackedConversation> all, const std::vector<Ask>& asks) {
  std::set<std::string_view> asked;
  for (const Ask& ask : asks) asked.insert(ask.conversation);
  std::vector<std::shared_ptr<Room>> active;
  std::erase_if(all, [&](const PackedConversation& one) {
    const PackedStart start = one.start();
    const bool is_active = start.is_active() || asked.contains(start.id);
    if (is_active) active.push_back(add(one.unpack(), true));
    return is_active;
  });
  idle_.add_all(std::move(all));
  return active;
}

bool Rooms::erase(std::string_view id) {
  const auto found = rooms_.find(id);
  if (found == rooms_.end()) return false;
  rooms_.erase(found);
  return true;
}

// At the end of a turn of the loop, because callers visit the rooms.
void Rooms::on_turn_end() {
  const TimePoint now = hub_.loop.now();
  next_look_ = now + look_for_idle_rooms;
  std::set<std::string_view> asked;
  for (const auto& [id, ask] : hub_.requests.asks) asked.insert(ask.conversation);
  std::erase_if(rooms_, [&](const auto& entry) {
    const std::shared_ptr<Room>& room = entry.second;
    if (now - room->sought < idle_room_time || asked.contains(entry.first) || !is_idle(room)) return false;
    idle_.add(room->live);
    return true;
  });
}

// The packed conversation is the whole state: a later room is equal.
bool Rooms::is_idle(const std::shared_ptr<Room>& room) const {
  const Room& one = *room;
  const bool rests = one.is_at_rest() && !one.agent && !one.renewal.closing && one.queue.at_rest();
  const bool is_unused = room.use_count() == 1 && one.followed.use_count() == 1 && !one.followed->has_listeners();
  const bool is_as_stored =
      one.ownership.may_write() == (hub_.shared == nullptr) && one.listed == !one.live.via && one.live == one.shown;
  return rests && is_unused && is_as_stored && !one.live.is_active();
}

// ---- one conversation --------------------------------------------------------------------------------------------------------

void Hub::Implementation::touch(Room& room) {
  room.live.updated_at = time_text();
  room.log.put(room.live);
}

namespace {

constexpr std::size_t most_folders = 64;  // beside the conversation's own folder; every path check tests each folder

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

// No value: this hub creates it.
Task<Result<std::optional<Conversation>>> Hub::Implementation::create_there(NewConversation& request, std::string session) {
  if (shared == nullptr) co_return std::nullopt;
  PARLANCE_CO_TRY(made, co_await shared->create_there(request, std::move(session)));
  if (made) co_await replication.see({.row = *made, .has_owner = true});
  co_return made;
}

Task<Result<Conversation>> Hub::create(NewConversation request) {
  PARLANCE_CO_TRY(there, co_await implementation_->create_there(request, {}));
  if (there) co_return *std::move(there);
  PARLANCE_CO_TRY(room, co_await implementation_->make_room(std::move(request), {}));
  co_return room->live;
}

Task<Result<std::shared_ptr<Room>>> Hub::Implementation::make_room(NewConversation request, NativeSession session) {
  const auto its = provider(request.agent);
  if (its == nullptr) co_return fail(Errc::not_found, "no such agent: " + request.agent);
  const std::optional<std::string> place = its->info().place;
  PARLANCE_CO_TRY_DO(check_folders(request));
  const std::string now = time_text();
  const auto room = rooms.add({.id = settings.new_id("conv_"),
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

void Hub::Implementation::forget(const std::shared_ptr<Room>& room) {
  const std::string id = room->live.id;
  if (!rooms.erase(id)) return;
  spending.forget(id);
  room->followed->end();
  histories.forget(room);
  std::erase_if(requests.asks, [&](const auto& entry) { return entry.second.conversation == id; });
  for (const Rule& rule : shared_settings.rules)
    if (rule.conversation == id) publisher.tell(change::RuleRemoved{.id = rule.id, .user = rule.user});
  std::erase_if(shared_settings.rules, [&](const Rule& rule) { return rule.conversation == id; });
  if (room->listed)
    publisher.tell(
        change::ConversationRemoved{.id = id, .last = {.id = id, .user = room->shown.user, .access = room->shown.access}});
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
    if (!now.empty()) co_await self.replication.see(std::move(now.front()));
    if (self.find_room(conversation)) co_return Result<void>{};
  }
  co_return fail(Errc::not_found, "no such conversation: " + conversation);
}

namespace {

// The size limit of one page of events. Browsers request older events when a person scrolls up. 4 MiB fill hundreds of screens,
// and bound the memory held for a reader that does not read.
constexpr std::size_t page_event_bytes = 4 << 20;
constexpr std::size_t first_part_events = 32;  // size of the first read, before the size of events is known

std::size_t bytes_of(const Event& event) { return weight_of(event.body); }
std::size_t bytes_of(const EventText& event) { return event.event_json.size(); }

template <class Item>
constexpr auto query = &Store::events;
template <>
constexpr auto query<EventText> = &Store::event_texts;

// The newest events between `after` and `before`: limited by `most` and page_event_bytes, at least one. Reads in parts, newest
// first, because the store does not know sizes in advance.
template <class Item>
Task<Result<std::vector<Item>>> newest_events(Store& store, std::string conversation, std::uint64_t after, std::uint64_t before,
                                              std::size_t most) {
  std::vector<Item> newest;  // descending order
  std::size_t bytes = 0;
  for (std::size_t part = std::min(most, first_part_events); part > 0;) {
    PARLANCE_CO_TRY(events, co_await (store.*query<Item>)(conversation, after, before, part));
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      bytes += bytes_of(*event);
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

template <class Item>
Task<Result<PageOf<Item>>> Hub::events(std::string conversation, std::uint64_t after, std::uint64_t before, std::size_t limit) {
  PARLANCE_CO_TRY_DO(co_await look_for(conversation));
  const std::uint64_t last = implementation_->find_room(conversation)->shown.last_seq;
  const std::size_t most = limit == 0 ? limits::page_events : std::min(limit, limits::page_events_most);
  const std::uint64_t end = before == 0 ? last + 1 : std::min(before, last + 1);
  PARLANCE_CO_TRY(events, co_await newest_events<Item>(implementation_->store, std::move(conversation), after, end, most));
  PageOf<Item> page{.events = std::move(events), .last_seq = last};
  if (!page.events.empty()) page.first_seq = page.events.front().seq;
  co_return page;
}

template Task<Result<EventPage>> Hub::events<Event>(std::string, std::uint64_t, std::uint64_t, std::size_t);
template Task<Result<EventTextPage>> Hub::events<EventText>(std::string, std::uint64_t, std::uint64_t, std::size_t);

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

// ---- search -----------------------------------------------------------------------------------------------------------------
namespace {

// Per read: waiting writes are delayed by this amount at most.
constexpr std::size_t search_part_bytes = 1 << 20;

Task<Result<std::optional<FoundText>>> search_in(Store& store, LogPart part, std::string words) {
  TextSearch search(words);
  for (std::uint64_t after = part.first - 1; after < part.last;) {
    PARLANCE_CO_TRY(events, co_await store.events_after(part.conversation, after, part.last, search_part_bytes));
    if (events.empty()) break;  // removed meanwhile
    for (const Event& event : events) search.add(event);
    after = events.back().seq;
  }
  co_return search.newest();
}

struct Dated {
  std::string updated_at{};
  SearchHit hit{};
};

}  // namespace

// The store knows no permissions: `among` decides before the search reads a log.
Task<Result<std::vector<SearchHit>>> Hub::search(std::string words, Among among) {
  Implementation& self = *implementation_;
  words = trim(words);
  if (words.empty()) co_return fail(Errc::invalid_params, "there is nothing to look for");
  std::vector<Dated> found;
  std::set<std::string> known;  // conversations with their newest match
  std::uint64_t before = 0;
  do {
    PARLANCE_CO_TRY(page, co_await self.store.parts_with(words, before, limits::searched_parts));
    before = page.before;
    for (LogPart& part : page.parts) {
      if (found.size() == limits::searched_conversations) break;
      if (known.contains(part.conversation)) continue;
      const std::optional<Conversation> shown = self.rooms.shown(part.conversation);
      if (!shown || (among && !among(*shown))) continue;
      part.last = std::min(part.last, shown->last_seq);
      PARLANCE_CO_TRY(text, co_await search_in(self.store, part, words));
      if (!text) continue;
      known.insert(part.conversation);
      found.push_back({.updated_at = shown->updated_at,
                       .hit = {.conversation = part.conversation, .seq = text->seq, .snippet = std::move(text->snippet)}});
    }
  } while (before != 0 && found.size() < limits::searched_conversations);
  // Ids contain the time of the creation and decide between equal times.
  std::ranges::sort(found, std::ranges::greater{},
                    [](const Dated& one) { return std::tie(one.updated_at, one.hit.conversation); });
  std::vector<SearchHit> hits;
  for (Dated& one : found) hits.push_back(std::move(one.hit));
  co_return hits;
}

}  // namespace parlance::hub
