// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/running_turn.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/log/left_open.h"

namespace parlance::hub {
namespace {

event::Notice forbidden_notice(const std::string& by) {
  const std::string author = by.empty() ? "the person of the gateway's machine" : by;
  return {.level = NoticeLevel::warning,
          .text = "A waiting message of " + author + " was not sent: " + author +
                  " may no longer write in this conversation. If it is still wanted, somebody who may write here can send it."};
}

}  // namespace

RunningTurn::RunningTurn(Hub::Implementation& hub, Room& room, std::string id, std::string by)
    : hub_(hub),
      room_(room),
      id_(std::move(id)),
      by_(std::move(by)),
      started_(hub.loop.now()),
      of_guest_(hub.is_guest(room, by_)) {}

void RunningTurn::emit(EventBody body) {
  const auto elapsed_ms = [&](TimePoint since) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(hub_.loop.now() - since).count();
  };
  if (std::holds_alternative<event::ThinkingStart>(body)) thinking_since_ = hub_.loop.now();
  if (auto* end = std::get_if<event::ThinkingEnd>(&body)) {
    if (thinking_since_ && end->duration_ms == 0) end->duration_ms = elapsed_ms(*thinking_since_);
    thinking_since_.reset();
  }
  if (const auto* start = std::get_if<event::ToolStart>(&body)) open_calls_.insert(start->call);
  if (auto* end = std::get_if<event::ToolEnd>(&body)) {
    // Agents report a call that a stop cut off as a failure of the tool.
    if (stopping_ && end->state == ToolEndState::failed) end->state = ToolEndState::cancelled;
    open_calls_.erase(end->call);
    forget_asked_before(end->call, AskState::cancelled, {.by = "restart"});
  }
  if (auto* end = std::get_if<event::TurnEnd>(&body)) end->duration_ms = elapsed_ms(started_);
  if (const auto* mode = std::get_if<event::ModeChanged>(&body)) {
    if (!is_raised(room_.live.mode, mode->mode)) set_mode(mode->mode);
    return;
  }
  if (const auto* usage = std::get_if<event::Usage>(&body)) {
    Spent spent = spent_in(*usage);
    told_usage_ = told_usage_ || !spent.empty();
    hub_.count(room_, std::move(spent));
  }
  room_.log.append(std::move(body));
}

bool RunningTurn::congested() const { return room_.log.unwritten_bytes() > limits::unwritten_event_bytes; }

Decision RunningTurn::decide(std::string_view tool, const ToolIntent& intent) const { return hub_.decide(room_, tool, intent); }

Task<Result<HistoryPart>> RunningTurn::history_since(HistoryMark known) {
  PARLANCE_CO_TRY_DO(co_await room_.log.written());
  PARLANCE_CO_TRY_DO(co_await hub_.remember(room_));
  co_return room_.history->since(known);
}

Task<Result<Attachment>> RunningTurn::attachment(std::string id) { return hub_.hub.attachment(std::move(id)); }

AttachmentInfo RunningTurn::keep(Attachment attachment) {
  attachment.about.id = hub_.settings.new_id("attachment_");
  attachment.about.bytes = attachment.data.size();
  AttachmentInfo about = attachment.about;
  if (!left_) room_.log.put(std::move(attachment));
  return about;
}

void RunningTurn::set_mode(Mode mode) { hub_.set_mode(room_, mode); }

void RunningTurn::set_options(std::vector<AgentOption> options) { hub_.set_options(room_, std::move(options)); }

void RunningTurn::set_native_session(std::string id) { hub_.set_native_session(room_, std::move(id)); }

void RunningTurn::set_waits_for(std::string what) { hub_.set_waits_for(room_, std::move(what)); }

void RunningTurn::stop() {
  if (!std::exchange(stopping_, true)) hub_.settle_all(room_, AskState::cancelled, "stop");
  const auto agent = room_.agent;  // the agent may be closed during `cancel`
  if (run != nullptr) run->interrupt_at(hub_.loop.now() + (agent ? limits::stop_grace : Duration{}));
  // Last: an agent may end its prompt, and with the prompt the turn, before `cancel` returns.
  if (agent) agent->cancel();
}

void RunningTurn::end_of_program() {
  cut_off_ = !stopping_;
  stop();
}

void RunningTurn::leave() {
  left_ = true;
  if (room_.agent) room_.agent->leave();
  lose();
}

void RunningTurn::lose() {
  left_ = true;
  if (run != nullptr) run->interrupt_at(hub_.loop.now());
}

void RunningTurn::finish(StopReason reason) {
  if (thinking_since_) emit(event::ThinkingEnd{});
  while (!open_calls_.empty()) emit(event::ToolEnd{.call = *open_calls_.begin(), .state = ToolEndState::cancelled});
  emit(event::TurnEnd{.turn = id_, .stop_reason = reason});
}

// ---- the hub's side ----------------------------------------------------------------------------------------------------

std::string title_of(std::string_view text) {
  text = trim(text);
  std::string_view line = trim(text.substr(0, text.find_first_of("\r\n")));
  const std::string_view cut = utf8_prefix(line, limits::conversation_title_bytes);
  if (cut.size() == line.size()) return std::string(line);
  const auto blank = cut.rfind(' ');
  return std::string(trim(blank != std::string_view::npos && blank > cut.size() / 2 ? cut.substr(0, blank) : cut)) + "…";
}

void Hub::Implementation::set_mode(Room& room, Mode mode) {
  if (room.live.mode == mode) return;
  room.live.mode = mode;
  room.log.append(event::ModeChanged{.mode = mode});
  touch(room);
  decide_again();
}

void Hub::Implementation::set_options(Room& room, std::vector<AgentOption> options) {
  const std::vector<AgentOption> before = room.live.options.value_or(std::vector<AgentOption>{});
  if (before == options) return;
  for (const AgentOption& one : options) {
    const auto same = std::ranges::find(before, one.id, &AgentOption::id);
    if (same == before.end() || same->value == one.value) continue;
    room.log.append(event::OptionChanged{.id = one.id, .name = one.name, .value = one.value, .by = "agent"});
  }
  room.live.options = std::move(options);
  touch(room);
}

void Hub::Implementation::set_native_session(Room& room, std::string id) {
  NativeSession session{.id = std::move(id)};
  if (room.live.native_session == session) return;
  room.live.native_session = std::move(session);
  touch(room);
}

// A command of a person: the turn runs only after the write, and a failed write leaves no part of the turn.
EventLog::Outcome Hub::Implementation::begin_turn(const std::shared_ptr<Room>& room, Prompt prompt,
                                                  std::vector<Attachment> attachments, const Submission& from,
                                                  std::string& turn) {
  const auto written = std::make_shared<OneShot<bool>>(loop);
  const auto undo = [room, written, title = room->live.title, open_asks = room->live.open_asks] {
    room->turn.reset();
    room->live.turn.clear();
    room->live.state = ConversationState::idle;
    room->live.title = title;
    room->live.open_asks = open_asks;
    room->idle.notify_all();
    written->set(false);
  };
  const auto work = [&] {
    for (Attachment& attachment : attachments) room->log.put(std::move(attachment));
    turn = open_turn(*room, prompt);
    note_done(*room, from, {.turn = turn});
  };
  const EventLog::Outcome outcome = room->log.operation(work, {.done = [written] { written->set(true); }, .undo = undo});
  scope.start(run_when_written(room, std::move(prompt), written));
  return outcome;
}

// Runs in a later turn of the loop: callers whose operations the same or an earlier commit wrote get their results first.
Task<void> Hub::Implementation::run_when_written(std::shared_ptr<Room> room, Prompt prompt,
                                                 std::shared_ptr<OneShot<bool>> written) {
  if (co_await written->get()) co_await run_turn(std::move(room), std::move(prompt));
}

std::string Hub::Implementation::open_turn(Room& room, const Prompt& prompt) {
  // A new prompt also settles the orphans: the old requests are obsolete.
  settle_orphans(room, prompt.resume ? "asked again" : "", prompt.by);

  std::string id = settings.new_id("turn_");
  room.turn = std::make_unique<RunningTurn>(*this, room, id, prompt.by);
  room.live.turn = id;
  room.live.state = ConversationState::running;
  event::TurnStart start{.turn = id};
  if (prompt.options != PromptOptions{}) start.options = prompt.options;
  if (prompt.resume) start.by = name_or_nothing(prompt.by);
  room.log.append(std::move(start));
  if (!prompt.resume) {
    if (room.live.title.empty()) room.live.title = title_of(prompt.text);
    if (room.live.title.empty() && !prompt.attachments.empty()) room.live.title = title_of(prompt.attachments.front().name);
    event::UserMessage said{.turn = id, .text = prompt.text, .by = name_or_nothing(prompt.by)};
    if (!prompt.attachments.empty()) said.attachments = prompt.attachments;
    if (!prompt.context.empty()) said.context = prompt.context;
    room.log.append(std::move(said));
  }
  touch(room);
  return id;
}

Task<Result<Prompted>> Hub::Implementation::execute(std::shared_ptr<Room> room, Submission& from, ContinueTurn& command) {
  if (room->turn || room->replaying) co_return fail(Errc::invalid_request, "a turn of this conversation runs already");
  Prompted prompted;
  Prompt prompt{.options = std::move(command.options), .resume = Resume{}, .by = from.by};
  PARLANCE_CO_TRY_DO(co_await begin_turn(room, std::move(prompt), {}, from, prompted.turn)->get());
  co_return prompted;
}

Task<Result<StopReason>> Hub::Implementation::drive(std::shared_ptr<Room> room, Prompt prompt, std::optional<TurnSoFar> so_far) {
  try {
    PARLANCE_CO_TRY_DO(co_await room->log.written());
    if (!so_far) {  // a recovered turn has begun already
      PARLANCE_CO_TRY(may, co_await may_begin(room, prompt));
      if (!may) co_return StopReason::cancelled;
      // A limit may have held the turn for hours.
      if (!still_may(*room, room->turn->by(), Permission::prompt)) {
        room->log.append(forbidden_notice(room->turn->by()));
        co_return StopReason::cancelled;
      }
    }
    if (so_far || prompt.resume) PARLANCE_CO_TRY_DO(co_await note_authors(room));
    PARLANCE_CO_TRY_DO(co_await agent_of(room));
    if (room->turn->cancelled()) co_return StopReason::cancelled;
    if (so_far) co_return co_await room->agent->take_up(*room->turn, *std::move(so_far));
    co_return co_await room->agent->prompt(*room->turn, std::move(prompt));
  } catch (const std::exception& bug) {
    room->agent.reset();  // the state of the agent is unknown
    co_return fail(Errc::internal, std::string("the agent's driver failed: ") + bug.what());
  }
}

Task<void> Hub::Implementation::run_turn(std::shared_ptr<Room> room, Prompt prompt, std::optional<TurnSoFar> so_far) {
  RunningTurn& turn = *room->turn;
  Result<StopReason> outcome = StopReason::error;
  bool interrupted = false;
  {
    PromptRun run(loop, drive(room, std::move(prompt), std::move(so_far)));
    turn.run = &run;
    outcome = co_await run;
    turn.run = nullptr;
    interrupted = run.interrupted();
  }
  if (turn.left()) {
    room->turn.reset();
    (void)co_await room->log.written();
    room->idle.notify_all();
    co_return;
  }
  const bool stopped = turn.cancelled();
  const bool failed = !outcome && !stopped;
  if (failed) {
    const Error& error = outcome.error();
    const bool retryable =
        error.code == Errc::overloaded || error.code == Errc::disconnected || error.code == Errc::deadline_exceeded;
    log(settings.failures_are_shown ? LogLevel::info : LogLevel::warn, "a turn failed",
        {{"conversation", room->live.id}, {"agent", room->live.agent}, {"error", error.message}});
    settle_all(*room, AskState::orphaned, "agent");
    // The runner lost the connection: the agent has stopped on the runner, and resumes its session after the reconnect.
    const bool cut_off = room->live.place && error.code == Errc::disconnected;
    room->log.append(event::Failure{.code = cut_off ? cut_off_failure().code : std::string(to_string(error.code)),
                                    .message = error.message,
                                    .detail = error.data,
                                    .retryable = retryable});
  } else {
    settle_all(*room, AskState::cancelled, stopped ? "stop" : "agent");
  }
  if (outcome && *outcome != StopReason::cancelled) count(*room, {.turns = 1, .untold_turns = turn.told_usage() ? 0U : 1U});
  const bool whole = outcome && *outcome != StopReason::cancelled;  // a stopped turn may still end well
  if (turn.cut_off() && !whole) room->log.append(cut_off_failure());
  if (turn.cut_off()) turn.finish(whole ? *outcome : StopReason::error);
  else turn.finish(stopped ? StopReason::cancelled : failed ? StopReason::error : *outcome);
  if (interrupted || (failed && room->agent && !room->agent->survives_failure())) room->agent.reset();
  room->live.turn.clear();
  room->live.state = ConversationState::idle;
  room->live.waits_for.reset();
  touch(*room);
  room->used = loop.now();
  const bool ended_well = !stopped && !failed && *outcome != StopReason::error && *outcome != StopReason::cancelled;
  room->turn.reset();
  room->queue.resumes = ended_well && !room->live.queued.empty();
  if (room->renewal.outdated) renew(room);
  forget_histories();
  (void)co_await room->log.written();  // publishes the end before the next turn; a failing store has reported its error
  room->idle.notify_all();
  if (!stopped) room->queue.ahead.clear();
  if (!room->turn) next_in_queue(room, !ended_well);
}

// ---- permissions of authors ----------------------------------------------------------------------------------------------

bool Hub::Implementation::still_may(const Room& room, const std::string& by, Permission permission) const {
  if (shared == nullptr) return true;
  const Access access = room.live.access.value_or(Access::private_);
  if (by.empty()) return may(TeamRole::admin, room.live.is_of(""), access, permission);
  const User* const user = team == nullptr ? nullptr : team->user_named(by);
  return user != nullptr && !user->disabled && may(user->role, room.live.is_of(user->id), access, permission);
}

bool Hub::Implementation::is_guest(const Room& room, const std::string& by) const {
  if (shared == nullptr) return false;
  if (!room.live.user) return !by.empty();
  const User* const owner = team == nullptr ? nullptr : team->user(*room.live.user);
  return owner == nullptr || owner->name != by;
}

Task<Result<void>> Hub::Implementation::note_authors(std::shared_ptr<Room> room) {
  if (shared == nullptr) co_return Result<void>{};
  PARLANCE_CO_TRY(said, co_await newest_message(store, room->live.id, room->shown.last_seq));
  if (room->turn && is_guest(*room, said.by.value_or(""))) room->turn->note_guest();
  co_return Result<void>{};
}

// The author had the permission when the prompt was written. The role, the access or the user has changed since.
void Hub::Implementation::drop_forbidden(Room& room) {
  std::vector<QueuedPrompt>& queue = room.live.queued;
  bool dropped = false;
  while (!queue.empty() && !room.queue.unwritten.contains(queue.front().id) &&
         !still_may(room, queue.front().by.value_or(""), Permission::prompt)) {
    const QueuedPrompt gone = std::move(queue.front());
    queue.erase(queue.begin());
    for (const AttachmentInfo& about : gone.attachments.value_or(std::vector<AttachmentInfo>{}))
      room.log.remove_attachment(about.id);
    room.log.append(forbidden_notice(gone.by.value_or("")));
    dropped = true;
  }
  if (dropped) touch(room);
}

void Hub::Implementation::go_on(const std::shared_ptr<Room>& room, const std::string& by) {
  if (room->turn || room->removing || room->replaying || room->live.queued.empty()) return;
  room->log.append(notice_of(act::go_on, {}, by));
  next_in_queue(room);
}

void Hub::Implementation::stop(Room& room, const std::string& by) {
  room.queue.ahead.clear();  // a stop holds all earlier prompts
  if (!by.empty() && room.turn && !room.turn->cancelled()) room.log.append(notice_of(act::stop, {}, by));
  if (room.turn) room.turn->stop();
}

}  // namespace parlance::hub
