// SPDX-License-Identifier: Apache-2.0
// Asks: a turn opens an ask, and the first answer settles the ask, once.
#include <algorithm>
#include <utility>

#include "parlance/async/next_turn.h"
#include "parlance/base/log.h"
#include "parlance/hub/log/left_open.h"
#include "parlance/hub/policy/ask_reason.h"
#include "parlance/hub/policy/may_offer_always.h"
#include "parlance/hub/policy/withhold_always.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {
namespace {

// The asking coroutine may be destroyed before an answer. The card must not stay then.
class Interest {
 public:
  Interest(Hub::Implementation& hub, std::shared_ptr<PendingAsk> ask) : hub_(hub), ask_(std::move(ask)) {}
  ~Interest() {
    if (!ask_->answer.is_set()) hub_.abandon(ask_);
  }
  Interest(const Interest&) = delete;
  Interest& operator=(const Interest&) = delete;

 private:
  Hub::Implementation& hub_;
  std::shared_ptr<PendingAsk> ask_;
};

OptionKind first_kind(const std::vector<AskOption>& options, bool allow, std::string& id) {
  const OptionKind wanted = allow ? OptionKind::allow_once : OptionKind::reject_once;
  const auto found = std::ranges::find(options, wanted, &AskOption::kind);
  if (found != options.end()) id = found->id;
  return wanted;
}

bool may_offer_always(const AskRequest& request) {
  return (!request.intent || may_offer_always(*request.intent)) && may_offer_always(request.title, request.detail, request.diff);
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

static std::string name_of(const Hub::Implementation& hub, const std::string& agent) {
  const auto its = hub.provider(agent);
  return its == nullptr || its->info().name.empty() ? agent : its->info().name;
}

void PendingAsk::on_timer() { hub.settle(*this, AskState::expired, {.state = AskState::expired, .by = "expiry"}); }

Task<Result<AskAnswer>> RunningTurn::ask(AskRequest request) {
  if (stopping_) co_return AskAnswer{.state = AskState::cancelled, .by = "stop"};
  const bool is_permission = request.kind == AskKind::permission;
  if (request.intent && (is_permission || request.kind == AskKind::question)) {
    PARLANCE_CO_TRY(decision, co_await hub_.decide_now(room_, request.tool.value_or(""), *request.intent));
    if (decision.effect == Effect::deny || (is_permission && decision.effect == Effect::allow)) {  // a person answers questions
      hub_.count_use(room_, decision, request.title.empty() ? request.intent->title : request.title);
      const AskAnswer answer = answer_of(request.options, decision);
      if (request.call && !decision.rule.empty() && answer.allowed()) allowed_edits_.add(*request.intent, hub_.loop.now());
      forget_asked_before(request.call, AskState::answered, answer);
      co_return answer;
    }
    if (!request.reason && request.why.empty()) {  // own words have no id, so that every frontend shows them
      AskReason made = ask_reason(std::move(decision), name_of(hub_, room_.live.agent), room_.live.folder);
      request.why = std::move(made.why);
      request.reason = std::move(made.reason);
    }
    if (is_permission && hub_.settings.asks_everything) {  // and the hub stores no rule: the deciding frontend has its own rules
      withhold_always(request.options, request.rules);
    } else if (is_permission && request.options.empty()) {
      Offer offer = standard_offer(action_in(room_.live, request.tool.value_or(""), *request.intent));
      request.options = std::move(offer.options);
      request.rules = std::move(offer.rules);
    }
  }
  if (is_permission && !request.options.empty() && !may_offer_always(request)) withhold_always(request.options, request.rules);
  if (request.kind == AskKind::question ? !request.questions || request.questions->empty() : request.options.empty())
    co_return fail(Errc::invalid_params, "an ask needs options, or questions");
  Ask ask = hub_.ask_of(room_, request);
  std::shared_ptr<PendingAsk> pending;
  if (std::optional<AskedBefore> before = take_asked_before(ask)) {
    if (before->settled && before->settled->kind == OptionKind::reject_and_stop) hub_.stop_soon(room_);
    if (before->settled) co_return *std::move(before->settled);
    pending = std::move(before->open);
    pending->claim(std::move(request));
  } else {
    forget_asked_before(request.call, AskState::cancelled, {.by = "restart"});
    pending = hub_.open_ask(room_, std::move(ask), std::move(request));
  }
  const Interest interest(hub_, pending);
  PARLANCE_CO_TRY_DO(co_await room_.log.written());
  AskAnswer answer = co_await pending->answer.get();
  if (pending->intent && answer.allowed() && !answer.edited) allowed_edits_.add(*pending->intent, hub_.loop.now());
  co_return answer;
}

Ask Hub::Implementation::ask_of(const Room& room, const AskRequest& request) const {
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

std::shared_ptr<PendingAsk> Hub::Implementation::open_ask(Room& room, Ask ask, AskRequest request) {
  auto waiting = std::make_shared<PendingAsk>(loop, *this);
  waiting->ask = std::move(ask);
  Ask& asked = waiting->ask;
  asked.id = settings.new_id("ask_");
  asked.created_at = time_text();
  if (request.expires_after) {
    asked.expires_at = to_rfc3339(settings.wall_clock() + std::chrono::floor<std::chrono::milliseconds>(*request.expires_after));
    waiting->expires = loop.now() + *request.expires_after;
    waiting->start(loop, waiting->expires);
  }
  waiting->rules = std::move(request.rules);
  waiting->intent = std::move(request.intent);
  pending.emplace(asked.id, waiting);

  ++room.live.open_asks;
  room.live.state = ConversationState::waiting;
  room.log.put(asked);
  room.log.append(event_of(asked));
  touch(room);
  return waiting;
}

// The asking caller gets the answer after the write.
void Hub::Implementation::settle(PendingAsk& one, AskState state, AskAnswer answer) {
  if (one.settling) return;
  answer.state = state;
  const std::shared_ptr<PendingAsk> mine = close_ask(one, state, answer);
  scope.start(deliver(mine, std::move(answer)));
}

// A person's answer counts after the write. After a failed write, the ask is open as before.
EventLog::Outcome Hub::Implementation::settle_by_answer(const std::shared_ptr<PendingAsk>& one, AskAnswer answer,
                                                        const Submission& from) {
  const auto room = find_room(one->ask.conversation);
  const auto offered = std::ranges::find(one->rules, answer.option, &OfferedRule::option);
  const bool new_rule = offered != one->rules.end();
  const auto work = [&] {
    if (new_rule) answer.rule = grant(*room, offered->rule, from);
    close_ask(*one, AskState::answered, answer);
    note_done(*room, from);
  };
  const auto done = [this, room, one, answer, new_rule] {
    one->answer.set(answer);
    new_rule ? decide_again() : answer_equal(*room, *one, answer);
    if (answer.kind == OptionKind::reject_and_stop) stop_soon(*room);
  };
  return room->log.operation(work, {.done = done, .undo = [this, one] { reopen(one); }});
}

// The asking agent gets the reason first; then the turn ends.
void Hub::Implementation::stop_soon(Room& room) {
  const auto later = [](Implementation& self, std::shared_ptr<Room> mine) -> Task<void> {
    co_await next_turn(self.loop);
    self.stop(*mine);
  };
  scope.start(later(*this, find_room(room.live.id)));
}

// Synchronous: two answers cannot both pass.
std::shared_ptr<PendingAsk> Hub::Implementation::close_ask(PendingAsk& one, AskState state, const AskAnswer& answer) {
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
  const auto room = find_room(ask.conversation);
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
  touch(*room);
  return mine;
}

void Hub::Implementation::reopen(const std::shared_ptr<PendingAsk>& one) {
  const auto room = find_room(one->ask.conversation);
  if (!room) return;
  Ask& ask = one->ask;
  if (one->as_asked) ask = *std::exchange(one->as_asked, std::nullopt);
  ask.state = AskState::open;
  ask.by.reset();
  ask.chosen.reset();
  ask.text.reset();
  ask.answers.clear();
  one->settling = false;
  if (one->expires != never) one->start(loop, one->expires);
  pending.emplace(ask.id, one);
  ++room->live.open_asks;
  if (room->turn) room->live.state = ConversationState::waiting;
  // The agent or the turn may have ended meanwhile. `abandon` settles the ask later, because the log is rolling back here.
  if (one->abandoned || !room->turn) abandon(one);
}

Task<void> Hub::Implementation::deliver(std::shared_ptr<PendingAsk> one, AskAnswer answer) {
  const auto room = find_room(one->ask.conversation);
  // While the store fails, no caller acts on an answer that a crash would undo.
  while (room && room->ownership.may_write() && !(co_await room->log.written()))
    co_await sleep_for(loop, std::chrono::milliseconds(100));
  if (room && !room->ownership.may_write()) co_return;  // the turn has ended in the hub
  one->answer.set(std::move(answer));
}

void Hub::Implementation::settle_orphan(Room& room, const Ask& orphan, std::string text, const std::string& by) {
  Ask ask = orphan;
  ask.state = AskState::cancelled;
  ask.by = by.empty() ? "person" : by;
  if (!text.empty()) ask.text = std::move(text);
  if (room.live.open_asks > 0) --room.live.open_asks;
  room.log.put(ask);
  room.log.append(event::AskSettled{.ask = ask.id, .state = ask.state, .text = ask.text, .by = *ask.by});
}

void Hub::Implementation::settle_orphans(Room& room, const std::string& text, const std::string& by) {
  std::vector<Ask> left;
  for (const auto& [id, ask] : asks)
    if (ask.conversation == room.live.id && ask.state == AskState::orphaned) left.push_back(ask);
  for (const Ask& ask : left) settle_orphan(room, ask, text, by);
}

void Hub::Implementation::settle_all(Room& room, AskState state, std::string_view by) {
  std::vector<std::shared_ptr<PendingAsk>> open;
  for (const auto& [id, one] : pending)
    if (one->ask.conversation == room.live.id) open.push_back(one);
  for (const auto& one : open) settle(*one, state, {.state = state, .by = std::string(by)});
}

// Waits for a possible end of the agent's turn, which orphans the request: the pipes of a dead agent end before its process is reaped.
void Hub::Implementation::abandon(std::shared_ptr<PendingAsk> one) {
  one->abandoned = true;
  const auto room = find_room(one->ask.conversation);
  if (one->settling || ending || (room && room->turn && room->turn->left())) return;
  const auto later = [](Loop& on, Implementation& self, std::shared_ptr<PendingAsk> left) -> Task<void> {
    co_await sleep_for(on, std::chrono::milliseconds(20));
    self.settle(*left, AskState::cancelled, {.state = AskState::cancelled, .by = "agent"});
  };
  scope.start(later(loop, *this, std::move(one)));
}

// ---- calls of frontends -------------------------------------------------------------------------------------------------

template <>
Task<Result<Ask>> submit_any(Hub::Implementation& self, std::string conversation, Command command, CallerPtr by) {
  const std::string request = std::get<AnswerRequest>(command).request;
  Submission from{.conversation = std::move(conversation), .user = by->user, .by = by->name, .command = std::move(command)};
  if (self.shared != nullptr && !self.pending.contains(request)) {
    PARLANCE_CO_TRY(room, co_await self.room_of_ask(request));
    if (room && room->live.id != from.conversation) co_return fail(Errc::not_found, "no such ask: " + request);
    if (room && !room->ownership.is_here()) {
      PARLANCE_CO_TRY(done, co_await self.elsewhere(room, from));
      if (done) {
        PARLANCE_CO_TRY(settled, co_await self.store.ask(request));
        if (!settled) co_return fail(Errc::not_found, "no such ask: " + request);
        co_return *std::move(settled);
      }
    }
  }
  co_return co_await self.answer(from, std::get<AnswerRequest>(from.command));
}

Task<Result<std::shared_ptr<Room>>> Hub::Implementation::room_of_ask(std::string id) {
  if (const auto known = asks.find(id); known != asks.end()) co_return find_room(known->second.conversation);
  PARLANCE_CO_TRY(row, co_await store.ask(std::move(id)));
  co_return row && row->state == AskState::open ? find_room(row->conversation) : nullptr;
}

Task<Result<Ask>> Hub::Implementation::answer(const Submission& from, const AnswerRequest& command) {
  const std::string id = command.request;
  auto held = pending.find(id);
  while (held != pending.end() && held->second->unclaimed) {
    const std::shared_ptr<PendingAsk> waits = held->second;
    co_await waits->claimed.wait();
    // The wait may have been long. A caller that gave up has received a failure already.
    if (!from.id.empty() && !co_await is_still_wanted(from.id, waits->ask.conversation))
      co_return fail(Errc::deadline_exceeded, "this request is already closed: the answer came too late");
    held = pending.find(id);
  }
  if (held == pending.end()) {
    PARLANCE_CO_TRY(settled, co_await store.ask(id));
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
  const auto asked_in = find_room(one->ask.conversation);
  PARLANCE_CHECK(asked_in, "a conversation whose ask is open");
  PARLANCE_CO_TRY_DO(take_edit(one->ask, asked_in->live.folder, given, answer));

  const EventLog::Outcome outcome = settle_by_answer(one, std::move(answer), from);
  const Ask settled = one->ask;
  PARLANCE_CO_TRY_DO(co_await outcome->get());
  co_return settled;
}

Task<Result<Prompted>> Hub::Implementation::execute(std::shared_ptr<Room> room, Submission& from, RepeatRequest& command) {
  const std::string& id = command.request;
  const auto found = asks.find(id);
  if (found == asks.end() || found->second.conversation != room->live.id)
    co_return fail(Errc::not_found, "no such open request: " + id);
  if (found->second.state != AskState::orphaned)
    co_return fail(Errc::failed, "the agent still waits for this request: answer instead of resuming");
  const Ask ask = found->second;
  Resume resume{.ask = ask};
  if (ask.call) {
    PARLANCE_CO_TRY(start, co_await newest_start(store, ask.conversation, room->shown.last_seq, *ask.call));
    resume.call = {.id = start.call, .tool = start.tool, .arguments_json = start.input_json};
  }
  const auto still = asks.find(id);
  if (room->turn || room->removing || still == asks.end() || still->second.state != AskState::orphaned)
    co_return fail(Errc::failed, "the conversation has continued since this request");
  Prompted prompted;
  PARLANCE_CO_TRY_DO(
      co_await begin_turn(room, Prompt{.resume = std::move(resume), .by = from.by}, {}, from, prompted.turn)->get());
  co_return prompted;
}

const Ask* Hub::find_ask(std::string_view id) const {
  const auto found = implementation_->asks.find(id);
  return found == implementation_->asks.end() ? nullptr : &found->second;
}

const ToolIntent* Hub::intent_of(std::string_view ask) const {
  const auto found = implementation_->pending.find(ask);
  return found == implementation_->pending.end() || !found->second->intent ? nullptr : &*found->second->intent;
}

}  // namespace parlance::hub
