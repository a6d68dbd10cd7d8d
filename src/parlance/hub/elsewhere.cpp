// SPDX-License-Identifier: Apache-2.0
// Conversations that other hubs have, in a store that is shared: how one becomes ours and ceases to be, and what is wanted of one that is not.
// Those of machines elsewhere belong to the hub that their machine is connected to.
#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {
namespace {

constexpr auto look_for_idle = std::chrono::seconds(30);

// Long enough to find that its owner is dead, however long leases are.
Duration command_wait(const SharedStore& store) {
  return std::max<Duration>(limits::command_wait, 2 * store.lease() + std::chrono::seconds(10));
}

Error not_connected(const std::string& place, const PlaceAt* known) {
  const std::string since = known == nullptr || known->since.empty() ? " to this gateway yet" : " since " + known->since;
  return {.code = Errc::disconnected,
          .message = "the runner " + place + " is not connected" + since +
                     ": start the runner on its machine with `parlance runner --name " + place +
                     "`, then send this again; the conversation remains readable meanwhile"};
}

// A store that is away for a moment may or may not have the command, so it is sent until that is known; the store takes it once. A store
// that refuses it certainly does not have it: the caller hears of that soon.
Task<Result<CommandOutcome>> send_surely(Loop& loop, SharedStore& store, Command wish, TimePoint until) {
  for (const TimePoint patience = loop.now() + refusal_patience;;) {
    Result<CommandOutcome> done = co_await with_deadline(loop, until, store.send(wish));
    if (done) co_return done;
    const bool is_refused = done.error().code == Errc::overloaded;
    if (is_refused && loop.now() >= patience) co_return std::unexpected(std::move(done).error().in("nothing was done"));
    if (!is_refused && done.error().code != Errc::disconnected) co_return done;
    co_await sleep_for(loop, limits::news_retry);
  }
}

// The caller hears that nothing was done only once that is certain. A hub whose store stays away ends with its lease; one whose store
// refuses to close the command says that it may still be done.
Task<Result<std::optional<CommandOutcome>>> give_up_surely(Loop& loop, SharedStore& store, std::string command) {
  for (const TimePoint patience = loop.now() + refusal_patience;;) {
    Result<std::optional<CommandOutcome>> late = co_await store.give_up(command);
    if (late) co_return late;
    const bool is_refused = late.error().code == Errc::overloaded;
    if (is_refused && loop.now() >= patience)
      co_return std::unexpected(
          std::move(late).error().in("the owner of this conversation did not answer, and may still carry out the command"));
    if (!is_refused && late.error().code != Errc::disconnected) co_return late;
    co_await sleep_for(loop, limits::news_retry);
  }
}

}  // namespace

// ---- what is wanted of it ------------------------------------------------------------------------------------------------

Task<Result<std::optional<Prompted>>> Hub::Implementation::elsewhere(std::shared_ptr<Room> room, Command wish) {
  PARLANCE_CO_TRY_DO(co_await until_settled(room, loop.now() + command_wait(*shared)));
  if (!room->owned && !room->has_owner && !is_anothers(*room)) PARLANCE_CO_TRY_DO(co_await claim(room));
  if (room->owned) co_return std::nullopt;
  wish.id = settings.new_id("command_");
  wish.conversation = room->live.id;
  const CommandKind kind = wish.kind;
  const std::string id = wish.id;
  const Duration wait = command_wait(*shared);
  Result<CommandOutcome> done = co_await send_surely(loop, *shared, std::move(wish), loop.now() + wait);
  if (!done && done.error().code == Errc::deadline_exceeded) {
    PARLANCE_CO_TRY(late, co_await give_up_surely(loop, *shared, id));
    if (!late)
      co_return fail(Errc::deadline_exceeded, "the owner of this conversation did not answer in " +
                                                  std::to_string(std::chrono::duration_cast<std::chrono::seconds>(wait).count()) +
                                                  " seconds; nothing was done");
    done = *std::move(late);
  }
  if (kind == CommandKind::remove && !done && done.error().code == Errc::not_found) {
    forget(room);
    co_return Prompted{};
  }
  PARLANCE_CO_TRY(outcome, std::move(done));
  if (outcome.error) co_return std::unexpected(*std::move(outcome.error));
  static_cast<void>(co_await see_anew(room));  // whoever wanted it finds it done; else the next news will show it
  co_return std::move(outcome.prompted);
}

// In their order: each begins before the next does.
Task<void> Hub::Implementation::do_commands(std::shared_ptr<Room> room) {
  room->doing.list_requested();
  const auto waiting = co_await shared->commands(room->live.id);
  if (waiting) {
    for (const Command& command : *waiting)  // the next owner does what comes to one that ends
      if (room->is_here() && leaving != Leaving::now && room->doing.begin(command.id)) scope.start(do_command(room, command));
  } else {
    log(LogLevel::warn, "commands cannot be read", {{"conversation", room->live.id}, {"error", waiting.error().message}});
  }
  room->doing.list_used();
}

Task<bool> Hub::Implementation::is_still_wanted(std::string command, std::string conversation) {
  const auto waiting = co_await shared->commands(std::move(conversation));
  co_return waiting&& std::ranges::find(*waiting, command, &Command::id) != waiting->end();
}

// The gateway that wrote the command has checked its user; the role or the access may have changed while the command waited. To prepare an
// agent names no user.
bool Hub::Implementation::still_wanted_by(const Room& room, const Command& command) const {
  switch (command.kind) {
    case CommandKind::prepare: return true;
    case CommandKind::stop: return still_may(room, command.by, Permission::stop);
    case CommandKind::answer: return still_may(room, command.by, Permission::answer);
    case CommandKind::remove: return still_may(room, command.by, Permission::remove);
    case CommandKind::set:
    case CommandKind::set_option:
    case CommandKind::clear: return still_may(room, command.by, Permission::change);
    default: return still_may(room, command.by, Permission::prompt);
  }
}

// Who reads it once more before its outcome is written finds it among those that are being done.
Task<void> Hub::Implementation::do_command(std::shared_ptr<Room> room, Command command) {
  if (room->live.place && needs_agent(command.kind)) {
    static_cast<void>(co_await reach_place(room));  // else its error is what comes of it
    if (!room->is_here()) {                         // whoever has its machine does it
      room->doing.give_back(command.id);
      co_return;
    }
  }
  CommandDone done{.id = command.id};
  Result<Prompted> outcome = room->removing || !still_wanted_by(*room, command)
                                 ? fail(Errc::not_found, "no such conversation: " + room->live.id)
                                 : co_await perform(room, command);
  if (!outcome && is_not_owner(outcome.error())) {  // the new owner reads the command and writes its outcome
    room->doing.give_back(command.id);
    co_return;
  }
  if (outcome) done.outcome.prompted = *std::move(outcome);
  else done.outcome.error = std::move(outcome).error();
  for (;;) {
    const Result<void> written = co_await shared->done(done);
    if (written || find_room(room->live.id) != room) break;
    co_await sleep_for(loop, limits::news_retry);
  }
  room->doing.end(done.id);
}

// ---- it becomes ours -----------------------------------------------------------------------------------------------------

// Whoever wants it may stop waiting: it goes on all the same.
Task<Result<bool>> Hub::Implementation::claim(std::shared_ptr<Room> room) {
  if (!room->owned && !std::exchange(room->moving, true)) scope.start(take_over(room));
  PARLANCE_CO_TRY_DO(co_await until_settled(room, loop.now() + command_wait(*shared)));
  if (!room->owned && room->refused) co_return std::unexpected(*room->refused);
  co_return room->owned;
}

Task<void> Hub::Implementation::take_over(std::shared_ptr<Room> room) {
  room->refused.reset();
  const Result<bool> ours = co_await take(room);
  if (!ours) room->refused = ours.error();
  settled(room);
  if (!ours) skipped.insert(room->live.id);  // the row may name this gateway as its owner already
  if (ours && *ours) scope.start(do_commands(room));
}

Task<Result<void>> Hub::Implementation::until_settled(std::shared_ptr<Room> room, TimePoint until) {
  const auto idle = [](Room& moving) -> Task<Result<void>> {
    co_await moving.idle.wait();
    co_return Result<void>{};
  };
  while (room->moving)
    if (const auto waited = co_await with_deadline(loop, until, idle(*room)); !waited)
      co_return fail(Errc::deadline_exceeded, "nothing was done in the conversation " + room->live.id +
                                                  ": this gateway is still taking over or releasing the conversation; send this "
                                                  "again in a minute, and restart the gateway if the error persists");
  co_return Result<void>{};
}

void Hub::Implementation::settled(const std::shared_ptr<Room>& room) {
  room->moving = false;
  room->idle.notify_all();
  if (room->owned || !skipped.contains(room->live.id)) return;
  next_read_skipped = {};
  scope.start(read_skipped());
}

Task<Result<bool>> Hub::Implementation::take(std::shared_ptr<Room> room) {
  co_await room->log.at_rest();  // what another time left on its way
  PARLANCE_CO_TRY(claimed, co_await shared->claim(room->live.id));
  room->has_owner = !claimed;
  if (!claimed) co_return false;
  PARLANCE_CO_TRY(now, co_await shared->look({room->live.id}));
  if (now.empty()) {
    forget(room);
    co_return fail(Errc::not_found, "no such conversation: " + room->live.id);
  }
  co_await tell_settled(room, put_seen(*room, std::move(now.front())));
  PARLANCE_CO_TRY_DO(co_await load_spent_in(room->live.id));
  room->log.begin_at(room->live.last_seq);
  room->used = loop.now();
  room->owned = true;
  if (const auto recovered = co_await recover_left(room); !recovered) {  // to be tried again from what is written
    room->owned = false;
    room->has_owner = false;
    room->log.forget(not_owner("the takeover failed: " + recovered.error().message));
    co_return std::unexpected(recovered.error());
  }
  co_return true;
}

Task<Result<void>> Hub::Implementation::recover_left(std::shared_ptr<Room> room) {
  const bool open = std::ranges::any_of(asks, [&](const auto& entry) {
    return entry.second.conversation == room->live.id && entry.second.state == AskState::open;
  });
  if (room->live.turn.empty() && !open) co_return Result<void>{};
  PARLANCE_CO_TRY_DO(co_await recover(room));
  co_return co_await room->log.written();
}

// A program began it for one request, and died: nobody waits for it any more.
Task<void> Hub::Implementation::claim_left(std::shared_ptr<Room> room) {
  const Result<bool> ours = co_await claim(room);
  if (ours && *ours && room->live.via && !room->removing) static_cast<void>(co_await remove(room));
  if (!ours)
    log(LogLevel::warn, "a conversation cannot be taken over",
        {{"conversation", room->live.id}, {"error", ours.error().message}});
}

// ---- … and ceases to be --------------------------------------------------------------------------------------------------

void Hub::Implementation::release_idle() {
  if (loop.now() < next_release) return;
  next_release = loop.now() + look_for_idle;
  std::vector<std::shared_ptr<Room>> idle;
  for (const auto& [id, room] : rooms) {
    const bool at_rest = !room->turn && !room->replaying && !room->removing && !room->moving && room->doing.empty() &&
                         room->log.idle() && room->known;
    if (room->owned && at_rest && loop.now() - room->used > limits::released_after) idle.push_back(room);
  }
  for (const auto& room : idle) scope.start(release(room));
}

Task<void> Hub::Implementation::release(std::shared_ptr<Room> room) {
  room->moving = true;
  room->owned = false;
  if (room->agent) co_await let_go(std::exchange(room->agent, nullptr));
  co_await room->log.at_rest();
  if (const auto released = co_await shared->release(room->live.id); !released)
    log(LogLevel::warn, "a conversation cannot be released",
        {{"conversation", room->live.id}, {"error", released.error().message}});
  room->history.reset();
  std::erase(remembered, room);
  settled(room);
}

Task<void> Hub::Implementation::drop(std::shared_ptr<Room> room) {
  if (!room || !std::exchange(room->owned, false)) co_return;
  log(LogLevel::warn, "another gateway has taken over a conversation of this gateway", {{"conversation", room->live.id}});
  room->moving = true;
  // First: from here on the log takes nothing, so the turn that ends cannot leave it waiting for a write that never succeeds.
  room->log.forget(not_owner("another gateway owns the conversation " + room->live.id));
  if (room->turn) room->turn->lose();
  while (room->turn) co_await room->idle.wait();
  room->agent.reset();
  std::erase_if(pending, [&](const auto& entry) { return entry.second->ask.conversation == room->live.id; });
  co_await room->log.at_rest();
  room->history.reset();
  std::erase(remembered, room);
  room->has_owner = true;
  skipped.insert(room->live.id);
  settled(room);
}

// ---- machines elsewhere, where agents work: whose its conversations are follows from where each is connected --------------

bool needs_agent(CommandKind kind) {
  return kind == CommandKind::prompt || kind == CommandKind::carry_on || kind == CommandKind::prepare ||
         kind == CommandKind::restart || kind == CommandKind::reask;
}

// Of our own connections nobody knows more than we, and of the others a later one counts.
void Hub::Implementation::note_place(PlaceAt now) {
  const auto known = places.find(now.place);
  const bool is_older = known != places.end() &&
                        (now.connection < known->second.connection || (now.here && now.connection == known->second.connection));
  if (!is_older) places.insert_or_assign(now.place, std::move(now));
}

Result<void> Hub::Implementation::check_place(const Room& room) const {
  if (!room.live.place) return {};
  const auto known = places.find(*room.live.place);
  if (known != places.end() && known->second.here) return {};
  return fail(not_connected(*room.live.place, known == places.end() ? nullptr : &known->second));
}

bool Hub::Implementation::is_anothers(const Room& room) const {
  if (!room.live.place) return false;
  const auto known = places.find(*room.live.place);
  return known != places.end() && known->second.connected && !known->second.here;
}

Task<Result<void>> Hub::Implementation::reach_place(std::shared_ptr<Room> room) {
  if (shared == nullptr || check_place(*room)) co_return check_place(*room);
  PARLANCE_CO_TRY(at, co_await shared->place(*room->live.place));
  if (at) note_place(*at);
  if (!at || !at->connected) co_return fail(not_connected(*room->live.place, at ? &*at : nullptr));
  if (room->owned && is_anothers(*room)) co_await hand_over(room);
  co_return Result<void>{};
}

void Hub::Implementation::take_places(std::vector<PlaceAt> now) {
  for (const PlaceAt& one : now) note_place(one);
  for (const auto& [id, room] : rooms)
    if (room->owned && !room->moving && is_anothers(*room)) scope.start(hand_over(room));
  if (settings.places_changed) settings.places_changed(now);
}

// Its agent works elsewhere now: nobody can do anything with it here. The turn that runs ends with the connection that it ran over.
Task<void> Hub::Implementation::hand_over(std::shared_ptr<Room> room) {
  for (;;) {
    while (room->turn || room->replaying || room->moving) co_await room->idle.wait();
    if (!room->owned || room->removing || !is_anothers(*room)) co_return;
    if (room->log.idle()) break;
    if (const auto written = co_await room->log.written(); !written) co_return;  // another time
  }
  log(LogLevel::info, "a conversation moves to the gateway of its runner", {{"conversation", room->live.id}});
  co_await release(room);
}

Task<Result<PlaceAt>> Hub::place_connected(std::string place, std::string body, std::string user) {
  Implementation& self = *implementation_;
  PlaceAt at{.place = place, .user = user, .connected = true, .here = true, .since = self.time_text(), .body = body};
  if (self.shared != nullptr) {
    PARLANCE_CO_TRY(written, co_await self.shared->place_connected(std::move(place), std::move(body), std::move(user)));
    at = std::move(written);
  }
  self.places.insert_or_assign(at.place, at);
  co_return at;
}

std::vector<std::string> Hub::sessions_at(std::string_view place) const {
  std::vector<std::string> all;
  for (const auto& [id, room] : implementation_->rooms)
    for (const Conversation* const one : {&room->live, &room->shown})
      if (one->place == place && !one->native_session.empty() && (all.empty() || all.back() != one->native_session.id))
        all.push_back(one->native_session.id);
  return all;
}

Task<Result<std::vector<std::string>>> Hub::left_sessions(std::string place) {
  return implementation_->store.left_sessions(std::move(place));
}

Task<Result<void>> Hub::forget_left_session(std::string place, std::string session) {
  return implementation_->store.forget_left_session(std::move(place), std::move(session));
}

void Hub::place_gone(const std::string& place) {
  Implementation& self = *implementation_;
  const auto known = self.places.find(place);
  if (known == self.places.end() || !std::exchange(known->second.here, false)) return;
  known->second.connected = false;
  known->second.since = self.time_text();
  const auto tell = [](SharedStore& store, std::string name, std::uint64_t connection) -> Task<void> {
    if (const auto told = co_await store.place_gone(name, connection); !told)
      log(LogLevel::warn, "the disconnect of a runner could not be stored", {{"runner", name}, {"error", told.error().message}});
  };
  if (self.shared != nullptr) self.scope.start(tell(*self.shared, place, known->second.connection));
}

void Hub::forget_place(const std::string& place) {
  const auto known = implementation_->places.find(place);
  if (known != implementation_->places.end() && !known->second.connected) implementation_->places.erase(known);
}

}  // namespace parlance::hub
