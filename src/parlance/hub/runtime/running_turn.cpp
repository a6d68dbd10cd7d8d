// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/running_turn.h"

#include <algorithm>
#include <utility>

#include "parlance/base/holds.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/hub/policy/ask_reason.h"
#include "parlance/hub/policy/may_offer_always.h"
#include "parlance/hub/policy/withhold_always.h"

namespace parlance::hub {
namespace {

// The asking coroutine may be destroyed before an answer. The card must not stay then.
class Interest {
 public:
  explicit Interest(std::shared_ptr<PendingAsk> ask) : ask_(std::move(ask)) {}
  ~Interest() {
    if (!ask_->answer.is_set()) ask_->book.abandon(ask_);
  }
  Interest(const Interest&) = delete;
  Interest& operator=(const Interest&) = delete;

 private:
  std::shared_ptr<PendingAsk> ask_;
};

bool may_offer_always(const AskRequest& request) {
  return (!request.intent || may_offer_always(*request.intent)) && may_offer_always(request.title, request.detail, request.diff);
}

std::string name_of(const Core& core, const std::string& agent) {
  const auto agent_provider = core.provider(agent);
  return agent_provider == nullptr || agent_provider->info().name.empty() ? agent : agent_provider->info().name;
}

}  // namespace

event::Failure cut_off_failure() {
  return {.code = "interrupted", .message = "parlance ended while this turn was running", .retryable = true};
}

Duration time_since(const std::string& time, WallTime now) {
  const auto then = from_rfc3339(time);
  return then && *then < now ? std::chrono::duration_cast<Duration>(now - *then) : Duration::zero();
}

RunningTurn::RunningTurn(const TurnParts& parts, ConversationRuntime& runtime, std::string id, std::string by)
    : parts_(parts),
      runtime_(runtime),
      id_(std::move(id)),
      by_(std::move(by)),
      started_(parts.core.loop.now()),
      of_guest_(parts.settings.is_guest(runtime, by_)) {}

bool RunningTurn::emit(EventBody body) {
  const auto elapsed_ms = [&](TimePoint since) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(parts_.core.loop.now() - since).count();
  };
  if (holds<event::ThinkingStart>(body)) thinking_since_ = parts_.core.loop.now();
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
    if (!is_raised(runtime_.current.mode, mode->mode)) set_mode(mode->mode);
    return true;
  }
  if (const auto* usage = std::get_if<event::Usage>(&body)) {
    Spent spent = spent_in(*usage);
    usage_reported_ = usage_reported_ || !spent.empty();
    parts_.spending.count(runtime_, std::move(spent));
  }
  runtime_.log.append(std::move(body));
  return true;
}

bool RunningTurn::congested() const { return runtime_.log.unwritten_bytes() > limits::unwritten_event_bytes; }

Decision RunningTurn::decide(std::string_view tool, const ToolIntent& intent) const {
  return parts_.settings.decide(runtime_, tool, intent);
}

Task<Result<HistoryPart>> RunningTurn::history_since(HistoryMark known) {
  PARLANCE_CO_TRY_DO(co_await runtime_.log.written());
  PARLANCE_CO_TRY_DO(co_await parts_.histories.remember(runtime_));
  co_return runtime_.history->since(known);
}

Task<Result<Attachment>> RunningTurn::attachment(std::string id) {
  PARLANCE_CO_TRY(found, co_await parts_.core.store.attachment(id));
  if (!found) co_return fail(Errc::not_found, "no attachment " + id);
  co_return *std::move(found);
}

AttachmentInfo RunningTurn::keep(Attachment attachment) {
  attachment.about.id = parts_.core.settings.new_id("attachment_");
  attachment.about.bytes = attachment.data.size();
  AttachmentInfo about = attachment.about;
  if (!left_) runtime_.log.put(std::move(attachment));
  return about;
}

void RunningTurn::set_mode(Mode mode) { parts_.reports.set_mode(runtime_, mode); }

void RunningTurn::set_options(std::vector<AgentOption> options) { parts_.reports.set_options(runtime_, std::move(options)); }

void RunningTurn::set_agent_session(std::string id) { parts_.reports.set_agent_session(runtime_, std::move(id)); }

void RunningTurn::set_waits_for(std::string what) { parts_.reports.set_waits_for(runtime_, std::move(what)); }

void RunningTurn::stop() { end_prompt(Ending::stopped); }

void RunningTurn::end_of_program() { end_prompt(Ending::cut_off); }

void RunningTurn::end_prompt(Ending reason) {
  if (ending_ == Ending::none) {
    ending_ = reason;
    parts_.requests.settle_all(runtime_, AskState::cancelled, "stop");
  }
  const auto agent = runtime_.agent;  // the agent may be closed during `cancel`
  if (run != nullptr) run->interrupt_at(parts_.core.loop.now() + (agent ? limits::stop_grace : Duration{}));
  // Last: an agent may end its prompt, and with the prompt the turn, before `cancel` returns.
  if (agent) agent->cancel();
}

void RunningTurn::leave() {
  left_ = true;
  if (runtime_.agent) runtime_.agent->leave();
  lose();
}

void RunningTurn::lose() {
  left_ = true;
  if (run != nullptr) run->interrupt_at(parts_.core.loop.now());
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
    PARLANCE_CO_TRY(decision, co_await parts_.settings.decide_now(runtime_, request.tool.value_or(""), *request.intent));
    if (decision.effect == Effect::deny || (is_permission && decision.effect == Effect::allow)) {  // a person answers questions
      parts_.settings.count_use(runtime_, decision, request.title.empty() ? request.intent->title : request.title);
      const AskAnswer answer = answer_of(request.options, decision);
      if (request.call && !decision.rule.empty() && answer.allowed()) allowed_edits_.add(*request.intent, parts_.core.loop.now());
      forget_asked_before(request.call, AskState::answered, answer);
      co_return answer;
    }
    if (!request.reason && request.why.empty()) {  // own words have no id, so that every frontend shows them
      AskReason made = ask_reason(std::move(decision), name_of(parts_.core, runtime_.current.agent), runtime_.current.folder);
      request.why = std::move(made.why);
      request.reason = std::move(made.reason);
    }
    if (is_permission &&
        parts_.core.settings.asks_everything) {  // and the hub stores no rule: the deciding frontend has its own rules
      withhold_always(request.options, request.rules);
    } else if (is_permission && request.options.empty()) {
      Offer offer = standard_offer(action_in(runtime_.current, request.tool.value_or(""), *request.intent));
      request.options = std::move(offer.options);
      request.rules = std::move(offer.rules);
    }
  }
  if (is_permission && !request.options.empty() && !may_offer_always(request)) withhold_always(request.options, request.rules);
  if (request.kind == AskKind::question ? !request.questions || request.questions->empty() : request.options.empty())
    co_return fail(Errc::invalid_params, "an ask needs options, or questions");
  Ask ask = parts_.requests.ask_of(runtime_, request);
  std::shared_ptr<PendingAsk> pending;
  if (std::optional<AskedBefore> before = take_asked_before(ask)) {
    if (before->settled && before->settled->kind == OptionKind::reject_and_stop) parts_.requests.stop_soon(runtime_);
    if (before->settled) co_return *std::move(before->settled);
    pending = std::move(before->open);
    pending->claim(std::move(request));
  } else {
    forget_asked_before(request.call, AskState::cancelled, {.by = "restart"});
    pending = parts_.requests.open_ask(runtime_, std::move(ask), std::move(request));
  }
  const Interest interest(pending);
  PARLANCE_CO_TRY_DO(co_await runtime_.log.written());
  AskAnswer answer = co_await pending->answer.get();
  if (pending->intent && answer.allowed() && !answer.edited) allowed_edits_.add(*pending->intent, parts_.core.loop.now());
  co_return answer;
}

Task<Result<AskAnswer>> RunningTurn::ask_to_write(AskRequest request) {
  if (request.intent && !cancelled() && decide(request.tool.value_or(""), *request.intent).effect == Effect::ask &&
      allowed_edits_.take(*request.intent, parts_.core.loop.now()))
    co_return AskAnswer{.kind = OptionKind::allow_once, .by = "person", .why = "this very change was allowed a moment ago"};
  const std::optional<ToolIntent> intent = request.intent;
  PARLANCE_CO_TRY(answer, co_await ask(std::move(request)));
  if (intent && answer.allowed()) allowed_edits_.take(*intent, parts_.core.loop.now());  // the agent makes this edit now
  co_return answer;
}

// ---- a turn of the previous program ------------------------------------------------------------------------------------------------------------

void RunningTurn::restore(const TurnSoFar& so_far, WallTime now, std::vector<AskedBefore> asked) {
  started_ = parts_.core.loop.now() - time_since(so_far.began, now);
  if (so_far.thinking) thinking_since_ = parts_.core.loop.now() - time_since(so_far.thinking_since, now);
  for (const OpenCall& call : so_far.calls) open_calls_.insert(call.call.id);
  asked_before_ = std::move(asked);
  usage_reported_ = so_far.reported_usage;
}

std::optional<AskedBefore> RunningTurn::take_asked_before(const Ask& ask) {
  Ask of_version_0_2 = ask;  // version 0.2 had no reasons
  of_version_0_2.reason.reset();
  const std::array digests{ask.digest, digest_of(of_version_0_2, runtime_.current.folder)};
  const auto found = std::ranges::find_if(asked_before_, [&](const AskedBefore& asked) {
    return asked.call == ask.call && std::ranges::find(digests, asked.digest) != digests.end();
  });
  if (found == asked_before_.end()) return std::nullopt;
  AskedBefore earlier = std::move(*found);
  asked_before_.erase(found);
  return earlier;
}

void RunningTurn::forget_asked_before(const std::optional<std::string>& call, AskState state, const AskAnswer& answer) {
  std::vector<AskedBefore> about;
  std::erase_if(asked_before_, [&](AskedBefore& asked) {
    if (asked.call != call) return false;
    about.push_back(std::move(asked));
    return true;
  });
  for (const AskedBefore& asked : about)
    if (asked.open != nullptr) parts_.requests.settle(*asked.open, state, answer);
}

}  // namespace parlance::hub
