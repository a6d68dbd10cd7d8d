// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/request_book.h"

#include <algorithm>
#include <utility>

#include "parlance/async/next_turn.h"
#include "parlance/base/log.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/log/unfinished_turn.h"
#include "parlance/hub/policy/ask_reason.h"
#include "parlance/hub/policy/may_offer_always.h"
#include "parlance/hub/policy/withhold_always.h"

namespace parlance::hub {
namespace {

// Between two attempts to write a settled request while the store fails.
constexpr auto failing_store_retry = std::chrono::milliseconds(100);
// From the end of an agent's pipes to the report of its end: the kernel closes the pipes first.
constexpr auto agent_end_grace = std::chrono::milliseconds(20);

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

void PendingAsk::on_timer() { book.settle(*this, AskState::expired, {.state = AskState::expired, .by = "expiry"}); }

Ask RequestBook::ask_of(const ConversationRuntime& runtime, const AskRequest& request) const {
  Ask ask{.conversation = runtime.current.id,
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
  if (ask.why.empty() && ask.reason) ask.why = sentence_of(*ask.reason, runtime.current.folder);
  if (const auto& intent = request.intent) {  // the card shows the actual change
    if (ask.title.empty()) ask.title = intent->title;
    if (!ask.detail) ask.detail = intent->command ? intent->command : intent->detail;
    if (!ask.diff) ask.diff = intent->diff;
  }
  ask.digest = digest_of(ask, runtime.current.folder);
  return ask;
}

std::shared_ptr<PendingAsk> RequestBook::open_ask(ConversationRuntime& runtime, Ask ask, AskRequest request) {
  auto waiting = std::make_shared<PendingAsk>(core_.loop, *this, runtime.weak_from_this());
  waiting->ask = std::move(ask);
  Ask& asked = waiting->ask;
  asked.id = core_.settings.new_id("ask_");
  asked.created_at = core_.time_text();
  if (request.expires_after) {
    asked.expires_at =
        to_rfc3339(core_.settings.wall_clock() + std::chrono::floor<std::chrono::milliseconds>(*request.expires_after));
    waiting->expires = core_.loop.now() + *request.expires_after;
    waiting->start(core_.loop, waiting->expires);
  }
  waiting->rules = std::move(request.rules);
  waiting->intent = std::move(request.intent);
  runtime.pending.emplace(asked.id, waiting);

  ++runtime.current.open_asks;
  runtime.current.state = ConversationState::waiting;
  runtime.idle.notify_all();
  runtime.log.put(asked);
  runtime.log.append(event_of(asked));
  runtime.touch();
  return waiting;
}

// The asking caller gets the answer after the write.
void RequestBook::settle(PendingAsk& pending, AskState state, AskAnswer answer) {
  const auto runtime = pending.runtime.lock();
  if (pending.settling || !runtime || !runtime->pending.contains(pending.ask.id)) return;
  answer.state = state;
  const std::shared_ptr<PendingAsk> closed = close_ask(*runtime, pending, state, answer);
  core_.scope.start(deliver(closed, std::move(answer)));
}

// A person's answer counts after the write. After a failed write, the ask is open as before.
EventLog::Outcome RequestBook::settle_by_answer(const std::shared_ptr<ConversationRuntime>& runtime,
                                                const std::shared_ptr<PendingAsk>& pending, AskAnswer answer,
                                                const Submission& from) {
  const auto offered = std::ranges::find(pending->rules, answer.option, &OfferedRule::option);
  const bool new_rule = offered != pending->rules.end();
  const auto work = [&] {
    if (new_rule) answer.rule = settings_.grant(*runtime, offered->rule, from);
    close_ask(*runtime, *pending, AskState::answered, answer);
    runtime->note_done(from);
  };
  const auto done = [this, runtime, pending, answer, new_rule] {
    pending->answer.set(answer);
    new_rule ? decide_again() : answer_equal(*runtime, *pending, answer);
    if (answer.kind == OptionKind::reject_and_stop) stop_soon(*runtime);
  };
  return runtime->log.operation(work, {.done = done, .undo = [this, runtime, pending] { reopen(*runtime, pending); }});
}

// The asking agent gets the reason first; then the turn ends.
void RequestBook::stop_soon(ConversationRuntime& runtime) {
  const auto later = [](RequestBook& self, std::shared_ptr<ConversationRuntime> stopped) -> Task<void> {
    co_await next_turn(self.core_.loop);
    self.stop_(*stopped);
  };
  core_.scope.start(later(*this, runtime.shared_from_this()));
}

// Synchronous: two answers cannot both pass.
std::shared_ptr<PendingAsk> RequestBook::close_ask(ConversationRuntime& runtime, PendingAsk& pending, AskState state,
                                                   const AskAnswer& answer) {
  pending.settling = true;
  pending.stop();
  pending.claimed.notify_all();
  const auto held = runtime.pending.find(pending.ask.id);
  PARLANCE_CHECK(held != runtime.pending.end(), "an ask that is open");
  const std::shared_ptr<PendingAsk> ended = held->second;
  runtime.pending.erase(held);
  Ask& ask = ended->ask;
  if (answer.edited) {  // the store keeps the approved version
    ended->as_asked = ask;
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
  // An orphaned ask still waits for a person.
  if (state != AskState::orphaned && runtime.current.open_asks > 0) --runtime.current.open_asks;
  if (runtime.turn && runtime.pending.empty()) runtime.current.state = ConversationState::running;
  runtime.log.put(ask);
  runtime.log.append(event::AskSettled{.ask = ask.id,
                                       .state = state,
                                       .chosen = ask.chosen,
                                       .text = ask.text,
                                       .by = answer.by,
                                       .edited = ask.edited,
                                       .rule = answer.rule});
  runtime.touch();
  return ended;
}

void RequestBook::reopen(ConversationRuntime& runtime, const std::shared_ptr<PendingAsk>& pending) {
  Ask& ask = pending->ask;
  if (pending->as_asked) ask = *std::exchange(pending->as_asked, std::nullopt);
  ask.state = AskState::open;
  ask.by.reset();
  ask.chosen.reset();
  ask.text.reset();
  ask.answers.clear();
  pending->settling = false;
  if (pending->expires != never) pending->start(core_.loop, pending->expires);
  runtime.pending.emplace(ask.id, pending);
  ++runtime.current.open_asks;
  if (runtime.turn) runtime.current.state = ConversationState::waiting;
  runtime.idle.notify_all();
  // The agent or the turn may have ended meanwhile. `abandon` settles the ask later, because the log is rolling back here.
  if (pending->abandoned || !runtime.turn) abandon(pending);
}

Task<void> RequestBook::deliver(std::shared_ptr<PendingAsk> pending, AskAnswer answer) {
  const auto runtime = pending->runtime.lock();
  // While the store fails, no caller acts on an answer that a crash would undo.
  while (runtime && runtime->ownership.may_write() && !(co_await runtime->log.written()))
    co_await sleep_for(core_.loop, failing_store_retry);
  if (runtime && !runtime->ownership.may_write()) co_return;  // the turn has ended in the hub
  pending->answer.set(std::move(answer));
}

void RequestBook::settle_orphan(ConversationRuntime& runtime, const Ask& orphan, std::string text, const std::string& by) {
  Ask ask = orphan;
  ask.state = AskState::cancelled;
  ask.by = by.empty() ? "person" : by;
  if (!text.empty()) ask.text = std::move(text);
  if (runtime.current.open_asks > 0) --runtime.current.open_asks;
  runtime.log.put(ask);
  runtime.log.append(event::AskSettled{.ask = ask.id, .state = ask.state, .text = ask.text, .by = *ask.by});
}

void RequestBook::settle_orphans(ConversationRuntime& runtime, const std::string& text, const std::string& by) {
  std::vector<Ask> left;
  for (const auto& [id, ask] : runtime.asks)
    if (ask.state == AskState::orphaned) left.push_back(ask);
  for (const Ask& ask : left) settle_orphan(runtime, ask, text, by);
}

void RequestBook::settle_all(ConversationRuntime& runtime, AskState state, std::string_view by) {
  std::vector<std::shared_ptr<PendingAsk>> open;
  for (const auto& [id, pending] : runtime.pending) open.push_back(pending);
  for (const auto& pending : open) settle(*pending, state, {.state = state, .by = std::string(by)});
}

// Waits for a possible end of the agent's turn, which orphans the request.
void RequestBook::abandon(std::shared_ptr<PendingAsk> pending) {
  pending->abandoned = true;
  const auto runtime = pending->runtime.lock();
  if (!runtime || pending->settling || core_.ending || core_.leaving == Core::Leaving::now || !runtime->ownership.may_write())
    return;
  const auto later = [](RequestBook& self, std::shared_ptr<PendingAsk> left) -> Task<void> {
    co_await sleep_for(self.core_.loop, agent_end_grace);
    self.settle(*left, AskState::cancelled, {.state = AskState::cancelled, .by = "agent"});
  };
  core_.scope.start(later(*this, std::move(pending)));
}

// The agent repeats the request, so the hub knows the effect of an answer.
void PendingAsk::claim(AskRequest request) {
  rules = std::move(request.rules);
  intent = std::move(request.intent);
  unclaimed = false;
  claimed.notify_all();
}

// ---- answers of people ----------------------------------------------------------------------------------------------------
namespace {

// A command of another hub: its caller has not received a failure yet.
Task<bool> is_still_wanted(SharedStore& store, std::string command, std::string conversation) {
  const auto waiting = co_await store.commands(std::move(conversation));
  co_return waiting&& std::ranges::find(*waiting, command, &Submission::id) != waiting->end();
}

}  // namespace

Task<Result<Ask>> RequestBook::answer(std::shared_ptr<ConversationRuntime> runtime, const Submission& from,
                                      const AnswerRequest& command) {
  const std::string id = command.request;
  auto held = runtime->pending.find(id);
  while (held != runtime->pending.end() && held->second->unclaimed) {
    const std::shared_ptr<PendingAsk> waits = held->second;
    co_await waits->claimed.wait();
    // The wait may have been long. A caller that gave up has received a failure already.
    if (!from.id.empty() && !co_await is_still_wanted(*core_.shared, from.id, runtime->current.id))
      co_return fail(Errc::deadline_exceeded, "this request is already closed: the answer came too late");
    held = runtime->pending.find(id);
  }
  if (held == runtime->pending.end()) {
    PARLANCE_CO_TRY(settled, co_await core_.store.ask(id));
    if (!settled || settled->conversation != runtime->current.id) co_return fail(Errc::not_found, "no such ask: " + id);
    if (settled->state == AskState::orphaned)
      co_return fail(Errc::failed, "the agent of this request has ended: resume and ask again");
    if (settled->state == AskState::open) co_return fail(Errc::failed, "another answer is being recorded");
    co_return fail(Errc::failed, how_settled(*settled));
  }
  const std::shared_ptr<PendingAsk> pending = held->second;
  if (!runtime->asks.contains(id)) co_return fail(Errc::not_found, "no such ask: " + id);  // not written: no person has seen it
  const Answer& given = command.answer;
  if (given.digest != pending->ask.digest) co_return fail(Errc::invalid_request, "this answer does not fit the request");
  PARLANCE_CO_TRY(answer, checked_answer(pending->ask, given));
  PARLANCE_CO_TRY_DO(take_edit(pending->ask, runtime->current.folder, given, answer));

  const EventLog::Outcome outcome = settle_by_answer(runtime, pending, std::move(answer), from);
  const Ask settled = pending->ask;
  PARLANCE_CO_TRY_DO(co_await outcome->get());
  co_return settled;
}

// A new rule or mode may answer open asks.
void RequestBook::decide_again() {
  if (!has_pending()) return;
  if (core_.shared != nullptr) core_.scope.start(decide_again_by_newest());
  else decide_open();
}

bool RequestBook::has_pending() const {
  return std::ranges::any_of(runtimes_, [](const auto& entry) { return !entry.second->pending.empty(); });
}

Task<void> RequestBook::decide_again_by_newest() {
  if (const auto read = co_await settings_.refresh(); read) decide_open();  // on failure a person decides
}

void RequestBook::decide_open() {
  std::vector<std::shared_ptr<PendingAsk>> open;
  for (const auto& [id, runtime] : runtimes_)
    for (const auto& [ask, pending] : runtime->pending)
      if (pending->intent && !pending->settling) open.push_back(pending);
  for (const auto& pending : open) {
    const auto runtime = pending->runtime.lock();
    if (!runtime) continue;
    const std::string tool = pending->ask.tool.value_or("");
    const Decision decision = settings_.judge(action_in(runtime->current, tool, *pending->intent), settings_.rules_for(*runtime));
    const bool only_a_person = decision.effect == Effect::allow && pending->ask.kind != AskKind::permission;
    if (decision.effect == Effect::ask || only_a_person) continue;
    settings_.count_use(*runtime, decision, pending->ask.title);
    AskAnswer answer = answer_of(pending->ask.options, decision);
    answer.by = decision.why;
    settle(*pending, AskState::answered, std::move(answer));
  }
}

// An agent may ask the same question several times at once. An "always" answer settles the equal asks; other asks stay open.
void RequestBook::answer_equal(const ConversationRuntime& runtime, const PendingAsk& answered, const AskAnswer& answer) {
  const bool always = answer.kind == OptionKind::allow_always || answer.kind == OptionKind::reject_always;
  if (!always || answer.edited) return;
  const auto content = [&](Ask ask) {
    ask.call.reset();
    return digest_of(ask, runtime.current.folder);
  };
  const std::string wanted = content(answered.ask);
  std::vector<std::shared_ptr<PendingAsk>> equal;
  for (const auto& [id, pending] : runtime.pending)
    if (!pending->settling && !pending->unclaimed && content(pending->ask) == wanted) equal.push_back(pending);
  for (const auto& pending : equal) {
    AskAnswer same = answer;
    same.digest = pending->ask.digest;
    settle(*pending, AskState::answered, std::move(same));
  }
}

void RequestBook::cancel_lost(ConversationRuntime& runtime, Ask ask) {
  ask.state = AskState::cancelled;
  ask.by = "restart";
  if (runtime.current.open_asks > 0) --runtime.current.open_asks;
  runtime.log.put(ask);
  runtime.log.append(event::AskSettled{.ask = ask.id, .state = ask.state, .by = "restart"});
}

}  // namespace parlance::hub
