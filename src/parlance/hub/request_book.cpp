// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/request_book.h"

#include <algorithm>
#include <utility>

#include "parlance/async/next_turn.h"
#include "parlance/base/log.h"
#include "parlance/hub/implementation.h"
#include "parlance/hub/log/left_open.h"
#include "parlance/hub/policy/ask_reason.h"
#include "parlance/hub/policy/may_offer_always.h"
#include "parlance/hub/policy/withhold_always.h"

namespace parlance::hub {
namespace {

OptionKind first_kind(const std::vector<AskOption>& options, bool allow, std::string& id) {
  const OptionKind wanted = allow ? OptionKind::allow_once : OptionKind::reject_once;
  const auto found = std::ranges::find(options, wanted, &AskOption::kind);
  if (found != options.end()) id = found->id;
  return wanted;
}

}  // namespace

AskAnswer answer_of(const std::vector<AskOption>& options, const Decision& decision) {
  AskAnswer answer{.by = decision.rule.empty() ? "mode" : decision.why, .why = decision.why};
  answer.kind = first_kind(options, decision.effect == Effect::allow, answer.option);
  return answer;
}

EventBody event_of(const Ask& ask) {
  switch (ask.kind) {
    case AskKind::question: return event::UserQuestion{.ask = ask};
    case AskKind::plan: return event::PlanApproval{.ask = ask};
    case AskKind::permission:
    case AskKind::limit: break;
  }
  return event::ToolConfirmation{.ask = ask};
}

void PendingAsk::on_timer() { hub.requests.settle(*this, AskState::expired, {.state = AskState::expired, .by = "expiry"}); }

Ask RequestBook::ask_of(const Room& room, const AskRequest& request) const {
  Ask ask{.conversation = room.live.id,
          .kind = request.kind,
          .call = request.call,
          .tool = request.tool,
          .title = request.title,
          .why = request.why,
          .reason = request.reason,
          .detail = request.detail,
          .diff = request.diff,
          .questions = request.questions,
          .plan = request.plan,
          .options = request.options,
          .editable = request.editable};
  if (ask.why.empty() && ask.reason) ask.why = sentence_of(*ask.reason, room.live.folder);
  if (const auto& intent = request.intent) {  // the card shows the actual change
    if (ask.title.empty()) ask.title = intent->title;
    if (!ask.detail) ask.detail = intent->command ? intent->command : intent->detail;
    if (!ask.diff) ask.diff = intent->diff;
  }
  ask.digest = digest_of(ask, room.live.folder);
  return ask;
}

std::shared_ptr<PendingAsk> RequestBook::open_ask(Room& room, Ask ask, AskRequest request) {
  auto waiting = std::make_shared<PendingAsk>(hub_.loop, hub_);
  waiting->ask = std::move(ask);
  Ask& asked = waiting->ask;
  asked.id = hub_.settings.new_id("ask_");
  asked.created_at = hub_.time_text();
  if (request.expires_after) {
    asked.expires_at =
        to_rfc3339(hub_.settings.wall_clock() + std::chrono::floor<std::chrono::milliseconds>(*request.expires_after));
    waiting->expires = hub_.loop.now() + *request.expires_after;
    waiting->start(hub_.loop, waiting->expires);
  }
  waiting->rules = std::move(request.rules);
  waiting->intent = std::move(request.intent);
  pending.emplace(asked.id, waiting);

  ++room.live.open_asks;
  room.live.state = ConversationState::waiting;
  room.log.put(asked);
  room.log.append(event_of(asked));
  hub_.touch(room);
  return waiting;
}

// The asking caller gets the answer after the write.
void RequestBook::settle(PendingAsk& one, AskState state, AskAnswer answer) {
  if (one.settling) return;
  answer.state = state;
  const std::shared_ptr<PendingAsk> mine = close_ask(one, state, answer);
  hub_.scope.start(deliver(mine, std::move(answer)));
}

// A person's answer counts after the write. After a failed write, the ask is open as before.
EventLog::Outcome RequestBook::settle_by_answer(const std::shared_ptr<PendingAsk>& one, AskAnswer answer,
                                                const Submission& from) {
  const auto room = hub_.find_room(one->ask.conversation);
  const auto offered = std::ranges::find(one->rules, answer.option, &OfferedRule::option);
  const bool new_rule = offered != one->rules.end();
  const auto work = [&] {
    if (new_rule) answer.rule = hub_.shared_settings.grant(*room, offered->rule, from);
    close_ask(*one, AskState::answered, answer);
    hub_.executor.note_done(*room, from);
  };
  const auto done = [this, room, one, answer, new_rule] {
    one->answer.set(answer);
    new_rule ? decide_again() : answer_equal(*room, *one, answer);
    if (answer.kind == OptionKind::reject_and_stop) stop_soon(*room);
  };
  return room->log.operation(work, {.done = done, .undo = [this, one] { reopen(one); }});
}

// The asking agent gets the reason first; then the turn ends.
void RequestBook::stop_soon(Room& room) {
  const auto later = [](Hub::Implementation& self, std::shared_ptr<Room> mine) -> Task<void> {
    co_await next_turn(self.loop);
    self.turns.stop(*mine);
  };
  hub_.scope.start(later(hub_, hub_.find_room(room.live.id)));
}

// Synchronous: two answers cannot both pass.
std::shared_ptr<PendingAsk> RequestBook::close_ask(PendingAsk& one, AskState state, const AskAnswer& answer) {
  one.settling = true;
  one.stop();
  one.claimed.notify_all();
  const auto held = pending.find(one.ask.id);
  PARLANCE_CHECK(held != pending.end(), "an ask that is open");
  const std::shared_ptr<PendingAsk> mine = held->second;
  pending.erase(held);
  Ask& ask = mine->ask;
  if (answer.edited) {  // the store keeps the approved version
    mine->as_asked = ask;
    if (auto changed = with_edit(ask, *answer.edited)) ask = *std::move(changed);
    ask.digest = answer.digest;
  }
  ask.state = state;
  ask.by = answer.by;
  if (state == AskState::answered) {
    ask.chosen = answer.option.empty() ? std::nullopt : std::optional(answer.option);
    const std::string text = answer.text.empty() ? in_words(answer.answers) : answer.text;
    ask.text = text.empty() ? std::nullopt : std::optional(text);
    ask.answers = answer.answers;
  }
  const auto room = hub_.find_room(ask.conversation);
  PARLANCE_CHECK(room, "a conversation whose ask is open");
  // An orphaned ask still waits for a person.
  if (state != AskState::orphaned && room->live.open_asks > 0) --room->live.open_asks;
  const bool others = std::ranges::any_of(pending, [&](const auto& p) { return p.second->ask.conversation == ask.conversation; });
  if (room->turn && !others) room->live.state = ConversationState::running;
  room->log.put(ask);
  room->log.append(event::AskSettled{.ask = ask.id,
                                     .state = state,
                                     .chosen = ask.chosen,
                                     .text = ask.text,
                                     .by = answer.by,
                                     .edited = ask.edited,
                                     .rule = answer.rule});
  hub_.touch(*room);
  return mine;
}

void RequestBook::reopen(const std::shared_ptr<PendingAsk>& one) {
  const auto room = hub_.find_room(one->ask.conversation);
  if (!room) return;
  Ask& ask = one->ask;
  if (one->as_asked) ask = *std::exchange(one->as_asked, std::nullopt);
  ask.state = AskState::open;
  ask.by.reset();
  ask.chosen.reset();
  ask.text.reset();
  ask.answers.clear();
  one->settling = false;
  if (one->expires != never) one->start(hub_.loop, one->expires);
  pending.emplace(ask.id, one);
  ++room->live.open_asks;
  if (room->turn) room->live.state = ConversationState::waiting;
  // The agent or the turn may have ended meanwhile. `abandon` settles the ask later, because the log is rolling back here.
  if (one->abandoned || !room->turn) abandon(one);
}

Task<void> RequestBook::deliver(std::shared_ptr<PendingAsk> one, AskAnswer answer) {
  const auto room = hub_.find_room(one->ask.conversation);
  // While the store fails, no caller acts on an answer that a crash would undo.
  while (room && room->ownership.may_write() && !(co_await room->log.written()))
    co_await sleep_for(hub_.loop, std::chrono::milliseconds(100));
  if (room && !room->ownership.may_write()) co_return;  // the turn has ended in the hub
  one->answer.set(std::move(answer));
}

void RequestBook::settle_orphan(Room& room, const Ask& orphan, std::string text, const std::string& by) {
  Ask ask = orphan;
  ask.state = AskState::cancelled;
  ask.by = by.empty() ? "person" : by;
  if (!text.empty()) ask.text = std::move(text);
  if (room.live.open_asks > 0) --room.live.open_asks;
  room.log.put(ask);
  room.log.append(event::AskSettled{.ask = ask.id, .state = ask.state, .text = ask.text, .by = *ask.by});
}

void RequestBook::settle_orphans(Room& room, const std::string& text, const std::string& by) {
  std::vector<Ask> left;
  for (const auto& [id, ask] : asks)
    if (ask.conversation == room.live.id && ask.state == AskState::orphaned) left.push_back(ask);
  for (const Ask& ask : left) settle_orphan(room, ask, text, by);
}

void RequestBook::settle_all(Room& room, AskState state, std::string_view by) {
  std::vector<std::shared_ptr<PendingAsk>> open;
  for (const auto& [id, one] : pending)
    if (one->ask.conversation == room.live.id) open.push_back(one);
  for (const auto& one : open) settle(*one, state, {.state = state, .by = std::string(by)});
}

// Waits for a possible end of the agent's turn, which orphans the request: the pipes of a dead agent end before its process is reaped.
void RequestBook::abandon(std::shared_ptr<PendingAsk> one) {
  one->abandoned = true;
  const auto room = hub_.find_room(one->ask.conversation);
  if (one->settling || hub_.ending || (room && room->turn && room->turn->left())) return;
  const auto later = [](Loop& on, Hub::Implementation& self, std::shared_ptr<PendingAsk> left) -> Task<void> {
    co_await sleep_for(on, std::chrono::milliseconds(20));
    self.requests.settle(*left, AskState::cancelled, {.state = AskState::cancelled, .by = "agent"});
  };
  hub_.scope.start(later(hub_.loop, hub_, std::move(one)));
}

// ---- calls of frontends -------------------------------------------------------------------------------------------------

template <>
Task<Result<Ask>> submit_any(Hub::Implementation& self, std::string conversation, Command command, CallerPtr by) {
  const std::string request = std::get<AnswerRequest>(command).request;
  Submission from{.conversation = std::move(conversation), .user = by->user, .by = by->name, .command = std::move(command)};
  if (self.shared != nullptr && !self.requests.pending.contains(request)) {
    PARLANCE_CO_TRY(room, co_await self.requests.room_of_ask(request));
    if (room && room->live.id != from.conversation) co_return fail(Errc::not_found, "no such ask: " + request);
    if (room && !room->ownership.is_here()) {
      PARLANCE_CO_TRY(done, co_await self.takeover.elsewhere(room, from));
      if (done) {
        PARLANCE_CO_TRY(settled, co_await self.store.ask(request));
        if (!settled) co_return fail(Errc::not_found, "no such ask: " + request);
        co_return *std::move(settled);
      }
    }
  }
  co_return co_await self.requests.answer(from, std::get<AnswerRequest>(from.command));
}

Task<Result<std::shared_ptr<Room>>> RequestBook::room_of_ask(std::string id) {
  if (const auto known = asks.find(id); known != asks.end()) co_return hub_.find_room(known->second.conversation);
  PARLANCE_CO_TRY(row, co_await hub_.store.ask(std::move(id)));
  co_return row && row->state == AskState::open ? hub_.find_room(row->conversation) : nullptr;
}

Task<Result<Ask>> RequestBook::answer(const Submission& from, const AnswerRequest& command) {
  const std::string id = command.request;
  auto held = pending.find(id);
  while (held != pending.end() && held->second->unclaimed) {
    const std::shared_ptr<PendingAsk> waits = held->second;
    co_await waits->claimed.wait();
    // The wait may have been long. A caller that gave up has received a failure already.
    if (!from.id.empty() && !co_await hub_.takeover.is_still_wanted(from.id, waits->ask.conversation))
      co_return fail(Errc::deadline_exceeded, "this request is already closed: the answer came too late");
    held = pending.find(id);
  }
  if (held == pending.end()) {
    PARLANCE_CO_TRY(settled, co_await hub_.store.ask(id));
    if (!settled || settled->conversation != from.conversation) co_return fail(Errc::not_found, "no such ask: " + id);
    if (settled->state == AskState::orphaned)
      co_return fail(Errc::failed, "the agent of this request has ended: resume and ask again");
    if (settled->state == AskState::open) co_return fail(Errc::failed, "another answer is being recorded");
    co_return fail(Errc::failed, how_settled(*settled));
  }
  const std::shared_ptr<PendingAsk> one = held->second;
  if (!asks.contains(id) || one->ask.conversation != from.conversation)
    co_return fail(Errc::not_found, "no such ask: " + id);  // not written, so no person has seen the ask
  const GivenAnswer& given = command.answer;
  if (given.digest != one->ask.digest) co_return fail(Errc::invalid_request, "this answer does not fit the request");
  PARLANCE_CO_TRY(answer, checked_answer(one->ask, given));
  const auto asked_in = hub_.find_room(one->ask.conversation);
  PARLANCE_CHECK(asked_in, "a conversation whose ask is open");
  PARLANCE_CO_TRY_DO(take_edit(one->ask, asked_in->live.folder, given, answer));

  const EventLog::Outcome outcome = settle_by_answer(one, std::move(answer), from);
  const Ask settled = one->ask;
  PARLANCE_CO_TRY_DO(co_await outcome->get());
  co_return settled;
}

// A new rule or mode may answer open asks.
void RequestBook::decide_again() {
  if (pending.empty()) return;
  if (hub_.shared != nullptr) hub_.scope.start(decide_again_by_newest());
  else decide_open();
}

Task<void> RequestBook::decide_again_by_newest() {
  if (const auto read = co_await hub_.shared_settings.refresh(); read) decide_open();  // on failure a person decides
}

void RequestBook::decide_open() {
  std::vector<std::shared_ptr<PendingAsk>> open;
  for (const auto& [id, one] : pending)
    if (one->intent && !one->settling) open.push_back(one);
  for (const auto& one : open) {
    const auto room = hub_.find_room(one->ask.conversation);
    const std::string tool = one->ask.tool.value_or("");
    const Decision decision =
        hub_.shared_settings.judge(action_in(room->live, tool, *one->intent), hub_.shared_settings.rules_for(*room));
    const bool only_a_person = decision.effect == Effect::allow && one->ask.kind != AskKind::permission;
    if (decision.effect == Effect::ask || only_a_person) continue;
    hub_.shared_settings.count_use(*room, decision, one->ask.title);
    AskAnswer answer = answer_of(one->ask.options, decision);
    answer.by = decision.why;
    settle(*one, AskState::answered, std::move(answer));
  }
}

// An agent may ask the same question several times at once. An "always" answer settles the equal asks; other asks stay open.
void RequestBook::answer_equal(const Room& room, const PendingAsk& answered, const AskAnswer& answer) {
  const bool always = answer.kind == OptionKind::allow_always || answer.kind == OptionKind::reject_always;
  if (!always || answer.edited) return;
  const auto content = [&](Ask ask) {
    ask.call.reset();
    return digest_of(ask, room.live.folder);
  };
  const std::string wanted = content(answered.ask);
  std::vector<std::shared_ptr<PendingAsk>> equal;
  for (const auto& [id, one] : pending)
    if (one->ask.conversation == room.live.id && !one->settling && !one->unclaimed && content(one->ask) == wanted)
      equal.push_back(one);
  for (const auto& one : equal) {
    AskAnswer same = answer;
    same.digest = one->ask.digest;
    settle(*one, AskState::answered, std::move(same));
  }
}

void RequestBook::cancel_lost(Room& room, Ask ask) {
  ask.state = AskState::cancelled;
  ask.by = "restart";
  if (room.live.open_asks > 0) --room.live.open_asks;
  room.log.put(ask);
  room.log.append(event::AskSettled{.ask = ask.id, .state = ask.state, .by = "restart"});
}

void RequestBook::count_open() {
  std::map<std::string_view, std::uint32_t> counts;
  for (const auto& [id, ask] : asks) ++counts[ask.conversation];
  for (const auto& [id, room] : hub_.rooms) {
    const auto count = counts.find(id);
    room->live.open_asks = count == counts.end() ? 0 : count->second;
  }
}

}  // namespace parlance::hub
