// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/takeover.h"

#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/implementation.h"
#include "parlance/hub/limits.h"

namespace parlance::hub {
namespace {

constexpr auto look_for_idle = std::chrono::seconds(30);

// Longer than the lease of a dead owner.
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

// After a temporary store failure the command may or may not be stored, so the hub repeats the request until the result is known.
// The store accepts a command once. A store that refuses the command certainly does not have it: the caller gets the error soon.
Task<Result<CommandOutcome>> send_surely(Loop& loop, SharedStore& store, Submission from, TimePoint until) {
  for (const TimePoint patience = loop.now() + refusal_patience;;) {
    Result<CommandOutcome> done = co_await with_deadline(loop, until, store.send(from));
    if (done) co_return done;
    const bool is_refused = done.error().code == Errc::overloaded;
    if (is_refused && loop.now() >= patience) co_return std::unexpected(std::move(done).error().in("nothing was done"));
    if (!is_refused && done.error().code != Errc::disconnected) co_return done;
    co_await sleep_for(loop, limits::news_retry);
  }
}

// The caller gets an error only when the command will certainly not run. A hub without a store ends with its lease; after a
// refusal to close the command, the error says "may still run".
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

// ---- commands -------------------------------------------------------------------------------------------------------------

Task<Result<std::optional<Prompted>>> Takeover::elsewhere(std::shared_ptr<Room> room, Submission from) {
  PARLANCE_CO_TRY_DO(co_await until_settled(room, hub_.loop.now() + command_wait(*hub_.shared)));
  if (room->ownership.state() == Ownership::State::orphaned && !is_anothers(*room)) PARLANCE_CO_TRY_DO(co_await claim(room));
  if (room->ownership.is_here()) co_return std::nullopt;
  from.id = hub_.settings.new_id("command_");
  from.conversation = room->live.id;
  const bool removes = std::holds_alternative<RemoveConversation>(from.command);
  const std::string id = from.id;
  const Duration wait = command_wait(*hub_.shared);
  Result<CommandOutcome> done = co_await send_surely(hub_.loop, *hub_.shared, std::move(from), hub_.loop.now() + wait);
  if (!done && done.error().code == Errc::deadline_exceeded) {
    PARLANCE_CO_TRY(late, co_await give_up_surely(hub_.loop, *hub_.shared, id));
    if (!late)
      co_return fail(Errc::deadline_exceeded, "the owner of this conversation did not answer in " +
                                                  std::to_string(std::chrono::duration_cast<std::chrono::seconds>(wait).count()) +
                                                  " seconds; nothing was done");
    done = *std::move(late);
  }
  if (removes && !done && done.error().code == Errc::not_found) {
    hub_.forget(room);
    co_return Prompted{};
  }
  PARLANCE_CO_TRY(outcome, std::move(done));
  if (outcome.error) co_return std::unexpected(*std::move(outcome.error));
  static_cast<void>(
      co_await hub_.replication.see_anew(room));  // shows the caller the result; on failure the next replication update does
  co_return std::move(outcome.prompted);
}

// Commands run in order: each begins before the next.
Task<void> Takeover::do_commands(std::shared_ptr<Room> room) {
  room->doing.list_requested();
  const auto waiting = co_await hub_.shared->commands(room->live.id);
  if (waiting) {
    for (const Submission& from : *waiting)  // after an owner's end the next owner runs the rest
      if (room->ownership.is_here() && leaving != Leaving::now && room->doing.begin(from.id))
        hub_.scope.start(do_command(room, from));
  } else {
    log(LogLevel::warn, "commands cannot be read", {{"conversation", room->live.id}, {"error", waiting.error().message}});
  }
  room->doing.list_used();
}

Task<bool> Takeover::is_still_wanted(std::string command, std::string conversation) {
  const auto waiting = co_await hub_.shared->commands(std::move(conversation));
  co_return waiting&& std::ranges::find(*waiting, command, &Submission::id) != waiting->end();
}

// The sending gateway has checked its user; role or access may have changed since.
bool Takeover::still_wanted_by(const Room& room, const Submission& from) const {
  return hub_.turns.still_may(room, from.by, rules_of_command(from.command).permission);
}

// The command stays in `doing` until its outcome is written, so a second read of the command does not run it again.
Task<void> Takeover::do_command(std::shared_ptr<Room> room, Submission from) {
  if (room->live.place && rules_of_command(from.command).needs_agent) {
    static_cast<void>(co_await reach_place(room));  // an error becomes the outcome
    if (!room->ownership.is_here()) {               // the hub of the runner's connection runs the command
      room->doing.give_back(from.id);
      co_return;
    }
  }
  CommandDone done{.id = from.id};
  Result<Prompted> outcome = room->removing || !still_wanted_by(*room, from)
                                 ? fail(Errc::not_found, "no such conversation: " + room->live.id)
                                 : co_await hub_.executor.perform(room, from);
  if (!outcome && is_not_owner(outcome.error())) {  // the new owner reads the command and writes its outcome
    room->doing.give_back(from.id);
    co_return;
  }
  if (outcome) done.outcome.prompted = *std::move(outcome);
  else done.outcome.error = std::move(outcome).error();
  for (;;) {
    const Result<void> written = co_await hub_.shared->done(done);
    if (written || hub_.find_room(room->live.id) != room) break;
    co_await sleep_for(hub_.loop, limits::news_retry);
  }
  room->doing.end(done.id);
}

// ---- takeover -------------------------------------------------------------------------------------------------------------

// The caller may stop waiting: the takeover continues.
Task<Result<bool>> Takeover::claim(std::shared_ptr<Room> room) {
  if (room->ownership.apply(Ownership::Event::claim)) hub_.scope.start(take_over(room));
  PARLANCE_CO_TRY_DO(co_await until_settled(room, hub_.loop.now() + command_wait(*hub_.shared)));
  if (!room->ownership.is_here() && room->refused) co_return std::unexpected(*room->refused);
  co_return room->ownership.is_here();
}

Task<void> Takeover::take_over(std::shared_ptr<Room> room) {
  room->refused.reset();
  const Result<bool> ours = co_await take(room);
  if (!ours) room->refused = ours.error();
  room->ownership.apply(!ours ? Ownership::Event::failed : *ours ? Ownership::Event::recovered : Ownership::Event::denied);
  settled(room);
  if (!ours) hub_.replication.read_again(room->live.id);  // the row may name this gateway as its owner already
  if (ours && *ours) hub_.scope.start(do_commands(room));
}

Task<Result<void>> Takeover::until_settled(std::shared_ptr<Room> room, TimePoint until) {
  const auto idle = [](Room& changing) -> Task<Result<void>> {
    co_await changing.idle.wait();
    co_return Result<void>{};
  };
  while (room->ownership.is_changing())
    if (const auto waited = co_await with_deadline(hub_.loop, until, idle(*room)); !waited)
      co_return fail(Errc::deadline_exceeded, "nothing was done in the conversation " + room->live.id +
                                                  ": this gateway is still taking over or releasing the conversation; send this "
                                                  "again in a minute, and restart the gateway if the error persists");
  co_return Result<void>{};
}

void Takeover::settled(const std::shared_ptr<Room>& room) {
  if (room->ownership.is_changing()) return;  // another hub has taken over meanwhile, and `drop` is at work
  room->idle.notify_all();
  if (!room->ownership.is_here()) hub_.replication.owner_changed(room->live.id);
}

Task<Result<bool>> Takeover::take(std::shared_ptr<Room> room) {
  co_await room->log.at_rest();  // writes of an earlier ownership
  PARLANCE_CO_TRY(claimed, co_await hub_.shared->claim(room->live.id));
  if (!claimed) co_return false;
  PARLANCE_CO_TRY(now, co_await hub_.shared->look({room->live.id}));
  if (now.empty()) {
    hub_.forget(room);
    co_return fail(Errc::not_found, "no such conversation: " + room->live.id);
  }
  co_await hub_.replication.tell_settled(room, hub_.replication.put_seen(*room, std::move(now.front())));
  PARLANCE_CO_TRY_DO(co_await hub_.spending.load_in(room->live.id));
  room->log.begin_at(room->live.last_seq);
  room->used = hub_.loop.now();
  room->ownership.apply(Ownership::Event::granted);
  if (const auto recovered = co_await recover_left(room); !recovered) {
    room->log.forget(not_owner("the takeover failed: " + recovered.error().message));
    co_return std::unexpected(recovered.error());
  }
  co_return true;
}

Task<Result<void>> Takeover::recover_left(std::shared_ptr<Room> room) {
  const bool open = std::ranges::any_of(hub_.requests.asks, [&](const auto& entry) {
    return entry.second.conversation == room->live.id && entry.second.state == AskState::open;
  });
  if (room->live.turn.empty() && !open) co_return Result<void>{};
  PARLANCE_CO_TRY_DO(co_await hub_.recovery.recover(room));
  co_return co_await room->log.written();
}

// Removes a conversation of a single program request: the program died, so no caller waits.
Task<void> Takeover::claim_left(std::shared_ptr<Room> room) {
  const Result<bool> ours = co_await claim(room);
  if (ours && *ours && room->live.via && !room->removing) static_cast<void>(co_await hub_.executor.remove(room));
  if (!ours)
    log(LogLevel::warn, "a conversation cannot be taken over",
        {{"conversation", room->live.id}, {"error", ours.error().message}});
}

// ---- release --------------------------------------------------------------------------------------------------------------

void Takeover::release_idle() {
  if (hub_.loop.now() < next_release_) return;
  next_release_ = hub_.loop.now() + look_for_idle;
  std::vector<std::shared_ptr<Room>> idle;
  for (const auto& [id, room] : hub_.rooms) {
    if (room->ownership.is_here() && room->is_at_rest() && hub_.loop.now() - room->used > limits::released_after)
      idle.push_back(room);
  }
  for (const auto& room : idle) hub_.scope.start(release(room));
}

Task<void> Takeover::release(std::shared_ptr<Room> room) {
  if (!room->ownership.apply(Ownership::Event::release)) co_return;
  if (room->agent) co_await hub_.turns.let_go(std::exchange(room->agent, nullptr));
  co_await room->log.at_rest();
  if (const auto released = co_await hub_.shared->release(room->live.id); !released)
    log(LogLevel::warn, "a conversation cannot be released",
        {{"conversation", room->live.id}, {"error", released.error().message}});
  hub_.histories.forget(room);
  room->ownership.apply(Ownership::Event::released);
  settled(room);
}

Task<void> Takeover::drop(std::shared_ptr<Room> room) {
  if (!room || !room->ownership.apply(Ownership::Event::lost)) co_return;
  log(LogLevel::warn, "another gateway has taken over a conversation of this gateway", {{"conversation", room->live.id}});
  // First: from here on the log accepts no events, so the ending turn cannot wait for a write without success.
  room->log.forget(not_owner("another gateway owns the conversation " + room->live.id));
  if (room->turn) room->turn->lose();
  while (room->turn) co_await room->idle.wait();
  room->agent.reset();
  std::erase_if(hub_.requests.pending, [&](const auto& entry) { return entry.second->ask.conversation == room->live.id; });
  co_await room->log.at_rest();
  hub_.histories.forget(room);
  room->ownership.apply(Ownership::Event::left);
  hub_.replication.read_again(room->live.id);
  settled(room);
}

// ---- runners: the hub with a runner's connection owns the runner's conversations -------------------------------------------

// This hub is the authority on its own connections; for other connections the later report counts.
void Takeover::note_place(PlaceAt now) {
  const auto known = places.find(now.place);
  const bool is_older = known != places.end() &&
                        (now.connection < known->second.connection || (now.here && now.connection == known->second.connection));
  if (!is_older) places.insert_or_assign(now.place, std::move(now));
}

Result<void> Takeover::check_place(const Room& room) const {
  if (!room.live.place) return {};
  const auto known = places.find(*room.live.place);
  if (known != places.end() && known->second.here) return {};
  return fail(not_connected(*room.live.place, known == places.end() ? nullptr : &known->second));
}

bool Takeover::is_anothers(const Room& room) const {
  if (!room.live.place) return false;
  const auto known = places.find(*room.live.place);
  return known != places.end() && known->second.connected && !known->second.here;
}

Task<Result<void>> Takeover::reach_place(std::shared_ptr<Room> room) {
  if (hub_.shared == nullptr || check_place(*room)) co_return check_place(*room);
  PARLANCE_CO_TRY(at, co_await hub_.shared->place(*room->live.place));
  if (at) note_place(*at);
  if (!at || !at->connected) co_return fail(not_connected(*room->live.place, at ? &*at : nullptr));
  if (room->ownership.may_write() && is_anothers(*room)) co_await hand_over(room);
  co_return Result<void>{};
}

void Takeover::take_places(std::vector<PlaceAt> now) {
  for (const PlaceAt& one : now) note_place(one);
  for (const auto& [id, room] : hub_.rooms)
    if (room->ownership.is_here() && is_anothers(*room)) hub_.scope.start(hand_over(room));
  if (hub_.settings.places_changed) hub_.settings.places_changed(now);
}

// The agent's runner is now connected to another hub, so this hub cannot work on the conversation. The running turn ends with its
// connection.
Task<void> Takeover::hand_over(std::shared_ptr<Room> room) {
  for (;;) {
    while (room->turn || room->replaying || room->ownership.is_changing()) co_await room->idle.wait();
    if (!room->ownership.is_here() || room->removing || !is_anothers(*room)) co_return;
    if (room->log.idle()) break;
    if (const auto written = co_await room->log.written(); !written) co_return;  // retried later
  }
  log(LogLevel::info, "a conversation moves to the gateway of its runner", {{"conversation", room->live.id}});
  co_await release(room);
}

// A function, because the coroutine outlives the value Hub::Places.
static Task<Result<PlaceAt>> connect_place(Hub::Implementation& self, std::string place, std::string body, std::string user) {
  PlaceAt at{.place = place, .user = user, .connected = true, .here = true, .since = self.time_text(), .body = body};
  if (self.shared != nullptr) {
    PARLANCE_CO_TRY(written, co_await self.shared->place_connected(std::move(place), std::move(body), std::move(user)));
    at = std::move(written);
  }
  self.takeover.places.insert_or_assign(at.place, at);
  co_return at;
}

Task<Result<PlaceAt>> Hub::Places::connected(std::string place, std::string body, std::string user) {
  return connect_place(*hub_, std::move(place), std::move(body), std::move(user));
}

std::vector<std::string> Hub::Places::sessions(std::string_view place) const {
  std::vector<std::string> all;
  for (const auto& [id, room] : hub_->rooms)
    for (const Conversation* const one : {&room->live, &room->shown})
      if (one->place == place && !one->native_session.empty() && (all.empty() || all.back() != one->native_session.id))
        all.push_back(one->native_session.id);
  hub_->rooms.idle().visit([&](const PackedConversation& one) {
    const PackedStart start = one.start();
    if (start.place == place && !start.native_session.empty()) all.emplace_back(start.native_session);
    return true;
  });
  return all;
}

Task<Result<std::vector<std::string>>> Hub::Places::left_sessions(std::string place) {
  return hub_->store.left_sessions(std::move(place));
}

Task<Result<void>> Hub::Places::forget_left_session(std::string place, std::string session) {
  return hub_->store.forget_left_session(std::move(place), std::move(session));
}

void Hub::Places::gone(const std::string& place) {
  Implementation& self = *hub_;
  const auto known = self.takeover.places.find(place);
  if (known == self.takeover.places.end() || !std::exchange(known->second.here, false)) return;
  known->second.connected = false;
  known->second.since = self.time_text();
  const auto tell = [](SharedStore& store, std::string name, std::uint64_t connection) -> Task<void> {
    if (const auto told = co_await store.place_gone(name, connection); !told)
      log(LogLevel::warn, "the disconnect of a runner could not be stored", {{"runner", name}, {"error", told.error().message}});
  };
  if (self.shared != nullptr) self.scope.start(tell(*self.shared, place, known->second.connection));
}

void Hub::Places::forget(const std::string& place) {
  const auto known = hub_->takeover.places.find(place);
  if (known != hub_->takeover.places.end() && !known->second.connected) hub_->takeover.places.erase(known);
}

}  // namespace parlance::hub
