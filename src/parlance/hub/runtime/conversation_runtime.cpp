// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/room.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "parlance/base/check.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/limits.h"

namespace parlance::hub {
namespace {

// Rooms end in groups: a page opens a few conversations again and again. A room needs about 5 KiB.
constexpr std::size_t most_idle_rooms = 256;
// Callers of Hub::find keep the pointer for a short time only.
constexpr auto idle_room_time = std::chrono::minutes(1);
constexpr auto look_for_idle_rooms = std::chrono::seconds(10);

PackedStart start_of(const Conversation& conversation) {
  return {.id = conversation.id,
          .updated_at = conversation.updated_at,
          .agent = conversation.agent,
          .native_session = conversation.native_session.id,
          .how = conversation.native_session.how,
          .user = conversation.user,
          .via = conversation.via,
          .place = conversation.place,
          .access = conversation.access,
          .state = conversation.state,
          .open_asks = conversation.open_asks,
          .turn = conversation.turn,
          .queued = conversation.queued.size()};
}

}  // namespace

std::string title_of(std::string_view text) {
  text = trim(text);
  std::string_view line = trim(text.substr(0, text.find_first_of("\r\n")));
  const std::string_view cut = utf8_prefix(line, limits::conversation_title_bytes);
  if (cut.size() == line.size()) return std::string(line);
  const auto blank = cut.rfind(' ');
  return std::string(trim(blank != std::string_view::npos && blank > cut.size() / 2 ? cut.substr(0, blank) : cut)) + "…";
}

Room::Room(Core& core, WriteObserver& observer, Conversation conversation, bool is_known)
    : live(std::move(conversation)),
      shown(live),
      known(is_known),
      listed(!live.via),
      idle(core.loop),
      followed(std::make_shared<ReplicatedLog>(core.loop, core.store, live.id, live.last_seq)),
      log(core.loop, core.store, live.id, live.last_seq,
          {.time_text = [&core] { return core.time_text(); },
           .written = [this, &observer](const CommitPtr& commit) { observer.written(*this, commit); },
           .health = [this, &observer](const Error* error) { observer.store_health(*this, error); },
           .row = [this] { return live; }}),
      core_(core) {}

Room::~Room() { followed->end(); }

bool Room::is_at_rest() const {
  return !turn && !replaying && !removing && !ownership.is_changing() && doing.empty() && log.idle() && known;
}

bool Room::asks_somebody() const {
  return std::ranges::any_of(asks, [](const auto& entry) { return entry.second.state == AskState::open; });
}

void Room::touch() {
  live.updated_at = core_.time_text();
  log.put(live);
}

void Room::note_done(const Submission& from, const Prompted& prompted) {
  PARLANCE_CHECK(!rules_of_command(from.command).is_repeatable, "a command that is not repeatable");
  if (!from.id.empty()) log.put(CommandDone{.id = from.id, .outcome = {.prompted = prompted}});
}

// ---- all conversations -------------------------------------------------------------------------------------------------------

std::shared_ptr<Room> Rooms::find(std::string_view id) {
  if (rooms_.size() >= most_idle_rooms && core_.loop.now() >= next_look_) core_.loop.at_turn_end(*this);
  const auto found = rooms_.find(id);
  if (found != rooms_.end()) {
    found->second->sought = core_.loop.now();
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

void Rooms::visit(const std::function<void(const PackedStart& start)>& visitor) const {
  for (const auto& [id, room] : rooms_) visitor(start_of(room->live));
  idle_.visit([&](const PackedConversation& conversation) {
    visitor(conversation.start());
    return true;
  });
}

std::shared_ptr<Room> Rooms::add(Conversation conversation, bool known) {
  auto room = std::make_shared<Room>(core_, observer_, std::move(conversation), known);
  if (core_.shared != nullptr && known)
    room->ownership = Ownership(Ownership::State::orphaned);  // until the store reports an owner
  room->used = room->sought = core_.loop.now();
  return rooms_.emplace(room->live.id, room).first->second;
}

std::vector<std::shared_ptr<Room>> Rooms::add_stored(std::vector<PackedConversation> all, const std::vector<Ask>& asks) {
  std::set<std::string_view> asked;
  for (const Ask& ask : asks) asked.insert(ask.conversation);
  std::vector<std::shared_ptr<Room>> active;
  std::erase_if(all, [&](const PackedConversation& conversation) {
    const PackedStart start = conversation.start();
    const bool is_active = start.is_active() || asked.contains(start.id);
    if (is_active) active.push_back(add(conversation.unpack(), true));
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

std::shared_ptr<Room> Rooms::with_ask(std::string_view ask) const {
  for (const auto& [id, room] : rooms_)
    if (room->asks.contains(ask)) return room;
  return nullptr;
}

// At the end of a turn of the loop, because callers visit the rooms.
void Rooms::on_turn_end() {
  const TimePoint now = core_.loop.now();
  next_look_ = now + look_for_idle_rooms;
  std::erase_if(rooms_, [&](const auto& entry) {
    const std::shared_ptr<Room>& room = entry.second;
    if (now - room->sought < idle_room_time || !is_idle(room)) return false;
    idle_.add(room->live);
    return true;
  });
}

// The packed conversation is the whole state: a later room is equal.
bool Rooms::is_idle(const std::shared_ptr<Room>& shared) const {
  const Room& room = *shared;
  const bool rests = room.is_at_rest() && !room.agent && !room.renewal.closing && room.queue.at_rest();
  const bool is_unused = shared.use_count() == 1 && room.followed.use_count() == 1 && !room.followed->has_listeners();
  const bool is_as_stored =
      room.ownership.may_write() == (core_.shared == nullptr) && room.listed == !room.live.via && room.live == room.shown;
  return rests && is_unused && is_as_stored && room.asks.empty() && !room.live.is_active();
}

}  // namespace parlance::hub
