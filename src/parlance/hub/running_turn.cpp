// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/running_turn.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/implementation.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/policy/ask_reason.h"
#include "parlance/hub/policy/may_offer_always.h"
#include "parlance/hub/policy/withhold_always.h"

namespace parlance::hub {
namespace {

// The asking coroutine may be destroyed before an answer. The card must not stay then.
class Interest {
 public:
  Interest(Hub::Implementation& hub, std::shared_ptr<PendingAsk> ask) : hub_(hub), ask_(std::move(ask)) {}
  ~Interest() {
    if (!ask_->answer.is_set()) hub_.requests.abandon(ask_);
  }
  Interest(const Interest&) = delete;
  Interest& operator=(const Interest&) = delete;

 private:
  Hub::Implementation& hub_;
  std::shared_ptr<PendingAsk> ask_;
};

bool may_offer_always(const AskRequest& request) {
  return (!request.intent || may_offer_always(*request.intent)) && may_offer_always(request.title, request.detail, request.diff);
}

std::string name_of(const Hub::Implementation& hub, const std::string& agent) {
  const auto its = hub.provider(agent);
  return its == nullptr || its->info().name.empty() ? agent : its->info().name;
}

}  // namespace

RunningTurn::RunningTurn(Hub::Implementation& hub, Room& room, std::string id, std::string by)
    : hub_(hub),
      room_(room),
      id_(std::move(id)),
      by_(std::move(by)),
      started_(hub.loop.now()),
      of_guest_(hub.turns.is_guest(room, by_)) {}

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
    if (cancelled() && end->state == ToolEndState::failed) end->state = ToolEndState::cancelled;
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
    hub_.spending.count(room_, std::move(spent));
  }
  room_.log.append(std::move(body));
}

bool RunningTurn::congested() const { return room_.log.unwritten_bytes() > limits::unwritten_event_bytes; }

Decision RunningTurn::decide(std::string_view tool, const ToolIntent& intent) const {
  return hub_.shared_settings.decide(room_, tool, intent);
}

Task<Result<HistoryPart>> RunningTurn::history_since(HistoryMark known) {
  PARLANCE_CO_TRY_DO(co_await room_.log.written());
  PARLANCE_CO_TRY_DO(co_await hub_.histories.remember(room_));
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

void RunningTurn::set_mode(Mode mode) { hub_.turns.set_mode(room_, mode); }

void RunningTurn::set_options(std::vector<AgentOption> options) { hub_.turns.set_options(room_, std::move(options)); }

void RunningTurn::set_native_session(std::string id) { hub_.turns.set_native_session(room_, std::move(id)); }

void RunningTurn::set_waits_for(std::string what) { hub_.turns.set_waits_for(room_, std::move(what)); }

void RunningTurn::stop() { end_prompt(Ending::stopped); }

void RunningTurn::end_of_program() { end_prompt(Ending::cut_off); }

void RunningTurn::end_prompt(Ending reason) {
  if (ending_ == Ending::none) {
    ending_ = reason;
    hub_.requests.settle_all(room_, AskState::cancelled, "stop");
  }
  const auto agent = room_.agent;  // the agent may be closed during `cancel`
  if (run != nullptr) run->interrupt_at(hub_.loop.now() + (agent ? limits::stop_grace : Duration{}));
  // Last: an agent may end its prompt, and with the prompt the turn, before `cancel` returns.
  if (agent) agent->cancel();
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

// ---- requests to a person -------------------------------------------------------------------------------------------------

Task<Result<AskAnswer>> RunningTurn::ask(AskRequest request) {
  if (cancelled()) co_return AskAnswer{.state = AskState::cancelled, .by = "stop"};
  const bool is_permission = request.kind == AskKind::permission;
  if (request.intent && (is_permission || request.kind == AskKind::question)) {
    PARLANCE_CO_TRY(decision, co_await hub_.shared_settings.decide_now(room_, request.tool.value_or(""), *request.intent));
    if (decision.effect == Effect::deny || (is_permission && decision.effect == Effect::allow)) {  // a person answers questions
      hub_.shared_settings.count_use(room_, decision, request.title.empty() ? request.intent->title : request.title);
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
  Ask ask = hub_.requests.ask_of(room_, request);
  std::shared_ptr<PendingAsk> pending;
  if (std::optional<AskedBefore> before = take_asked_before(ask)) {
    if (before->settled && before->settled->kind == OptionKind::reject_and_stop) hub_.requests.stop_soon(room_);
    if (before->settled) co_return *std::move(before->settled);
    pending = std::move(before->open);
    pending->claim(std::move(request));
  } else {
    forget_asked_before(request.call, AskState::cancelled, {.by = "restart"});
    pending = hub_.requests.open_ask(room_, std::move(ask), std::move(request));
  }
  const Interest interest(hub_, pending);
  PARLANCE_CO_TRY_DO(co_await room_.log.written());
  AskAnswer answer = co_await pending->answer.get();
  if (pending->intent && answer.allowed() && !answer.edited) allowed_edits_.add(*pending->intent, hub_.loop.now());
  co_return answer;
}

}  // namespace parlance::hub
