// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/turn_runner.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/log/unfinished_turn.h"
#include "parlance/hub/runtime/agent_port.h"

namespace parlance::hub {
namespace {

// Time for an agent to close in good order. Drivers have shorter limits for their programs. Claude Code gets 2 s of the time to
// write its session and to run its hooks, and 2 s more after SIGTERM.
constexpr auto close_grace = std::chrono::seconds(10);

event::Notice forbidden_notice(const std::string& by) {
  const std::string author = by.empty() ? "the person of the gateway's machine" : by;
  return {.level = NoticeLevel::warning,
          .text = "A waiting message of " + author + " was not sent: " + author +
                  " may no longer write in this conversation. If it is still wanted, somebody who may write here can send it."};
}

}  // namespace

// A command of a person: the turn runs only after the write, and a failed write leaves no part of the turn.
EventLog::Outcome TurnRunner::begin_turn(const std::shared_ptr<ConversationRuntime>& runtime, Prompt prompt,
                                         std::vector<Attachment> attachments, const Submission& from, std::string& turn) {
  const auto written = std::make_shared<OneShot<bool>>(parts_.core.loop);
  const auto undo = [runtime, written, title = runtime->current.title, open_asks = runtime->current.open_asks] {
    runtime->turn.reset();
    runtime->current.turn.clear();
    runtime->current.state = ConversationState::idle;
    runtime->current.title = title;
    runtime->current.open_asks = open_asks;
    runtime->idle.notify_all();
    written->set(false);
  };
  const auto work = [&] {
    for (Attachment& attachment : attachments) runtime->log.put(std::move(attachment));
    turn = open_turn(*runtime, prompt);
    runtime->note_done(from, {.turn = turn});
  };
  const EventLog::Outcome outcome = runtime->log.operation(work, {.done = [written] { written->set(true); }, .undo = undo});
  parts_.core.scope.start(run_when_written(runtime, std::move(prompt), written));
  return outcome;
}

// Runs in a later turn of the loop: callers whose operations the same or an earlier commit wrote get their results first.
Task<void> TurnRunner::run_when_written(std::shared_ptr<ConversationRuntime> runtime, Prompt prompt,
                                        std::shared_ptr<OneShot<bool>> written) {
  if (co_await written->get()) co_await run_turn(std::move(runtime), std::move(prompt));
}

std::string TurnRunner::open_turn(ConversationRuntime& runtime, const Prompt& prompt) {
  // A new prompt also settles the orphans: the old requests are obsolete.
  parts_.requests.settle_orphans(runtime, prompt.resume ? "asked again" : "", prompt.by);

  std::string id = parts_.core.settings.new_id("turn_");
  runtime.turn = std::make_shared<RunningTurn>(parts_, runtime, id, prompt.by);
  if (parts_.core.leaving == Core::Leaving::now) runtime.turn->end_of_program();
  runtime.current.turn = id;
  runtime.current.state = ConversationState::running;
  event::TurnStart start{.turn = id};
  if (prompt.options != PromptOptions{}) start.options = prompt.options;
  if (prompt.resume) start.by = name_or_nothing(prompt.by);
  runtime.log.append(std::move(start));
  if (!prompt.resume) {
    if (runtime.current.title.empty()) runtime.current.title = title_of(prompt.text);
    if (runtime.current.title.empty() && !prompt.attachments.empty())
      runtime.current.title = title_of(prompt.attachments.front().name);
    event::UserMessage said{.turn = id, .text = prompt.text, .by = name_or_nothing(prompt.by)};
    if (!prompt.attachments.empty()) said.attachments = prompt.attachments;
    if (!prompt.context.empty()) said.context = prompt.context;
    runtime.log.append(std::move(said));
  }
  runtime.touch();
  return id;
}

Task<Result<StopReason>> TurnRunner::drive(std::shared_ptr<ConversationRuntime> runtime, Prompt prompt,
                                           std::optional<TurnSoFar> so_far) {
  try {
    PARLANCE_CO_TRY_DO(co_await runtime->log.written());
    const bool continues = so_far || prompt.resume;  // the gate may replace the prompt
    // The process may have ended before the limit was checked.
    if (!so_far || !so_far->agent_has_begun()) {
      PARLANCE_CO_TRY(may, co_await gate_.may_begin(runtime, prompt));
      if (!may) co_return StopReason::cancelled;
      // A limit may have held the turn for hours.
      if (!parts_.settings.still_allowed(*runtime, runtime->turn->by(), Permission::prompt)) {
        runtime->log.append(forbidden_notice(runtime->turn->by()));
        co_return StopReason::cancelled;
      }
    }
    if (continues) PARLANCE_CO_TRY_DO(co_await note_authors(runtime));
    PARLANCE_CO_TRY(agent, co_await agent_of(runtime));
    if (runtime->turn->cancelled()) co_return StopReason::cancelled;
    if (so_far) co_return co_await agent->resume_turn(*runtime->turn, *std::move(so_far));
    co_return co_await agent->prompt(*runtime->turn, std::move(prompt));
  } catch (const std::exception& bug) {
    runtime->agent.reset();  // the state of the agent is unknown
    co_return fail(Errc::internal, std::string("the agent's driver failed: ") + bug.what());
  }
}

Task<void> TurnRunner::run_turn(std::shared_ptr<ConversationRuntime> runtime, Prompt prompt, std::optional<TurnSoFar> so_far) {
  RunningTurn& turn = *runtime->turn;
  Result<StopReason> outcome = StopReason::error;
  bool interrupted = false;
  {
    PromptRun run(parts_.core.loop, drive(runtime, std::move(prompt), std::move(so_far)));
    turn.run = &run;
    outcome = co_await run;
    turn.run = nullptr;
    interrupted = run.interrupted();
  }
  if (turn.left()) {
    runtime->turn.reset();
    (void)co_await runtime->log.written();
    runtime->idle.notify_all();
    co_return;
  }
  write_end(*runtime, outcome);
  if (interrupted || (runtime->agent && !outcome && !turn.cancelled() && !runtime->agent->survives_failure()))
    runtime->agent.reset();
  const bool stopped = turn.cancelled();
  const bool ended_well = !stopped && outcome && *outcome != StopReason::error && *outcome != StopReason::cancelled;
  runtime->turn.reset();
  runtime->queue.resumes = ended_well && !runtime->current.queued.empty();
  if (runtime->renewal.outdated) renew(runtime);
  parts_.histories.evict();
  (void)co_await runtime->log.written();  // publishes the end before the next turn; a failing store has reported its error
  runtime->idle.notify_all();
  if (!stopped) runtime->queue.ahead.clear();
  if (!runtime->turn) next_in_queue(runtime, !ended_well);
}

void TurnRunner::write_end(ConversationRuntime& runtime, const Result<StopReason>& outcome) {
  RunningTurn& turn = *runtime.turn;
  const bool stopped = turn.cancelled();
  const bool whole = outcome && *outcome != StopReason::cancelled;  // a stopped turn may still end well
  if (!outcome && !stopped) write_failure(runtime, outcome.error());
  else parts_.requests.settle_all(runtime, AskState::cancelled, stopped ? "stop" : "agent");
  if (whole) parts_.spending.count(runtime, {.turns = 1, .unreported_turns = turn.usage_reported() ? 0U : 1U});
  if (turn.cut_off() && !whole) runtime.log.append(cut_off_failure());
  if (turn.cut_off()) turn.finish(whole ? *outcome : StopReason::error);
  else turn.finish(stopped ? StopReason::cancelled : outcome.value_or(StopReason::error));
  runtime.current.turn.clear();
  runtime.current.state = ConversationState::idle;
  runtime.current.waits_for.reset();
  runtime.touch();
  runtime.last_action = parts_.core.loop.now();
}

void TurnRunner::write_failure(ConversationRuntime& runtime, const Error& error) {
  log(parts_.core.settings.failures_are_shown ? LogLevel::info : LogLevel::warn, "a turn failed",
      {{"conversation", runtime.current.id}, {"agent", runtime.current.agent}, {"error", error.message}});
  parts_.requests.settle_all(runtime, AskState::orphaned, "agent");
  // The runner lost the connection: the agent has stopped on the runner, and resumes its session after the reconnect.
  const bool cut_off = runtime.current.runner && error.code == Errc::disconnected;
  const bool retryable =
      error.code == Errc::overloaded || error.code == Errc::disconnected || error.code == Errc::deadline_exceeded;
  runtime.log.append(event::Failure{.code = cut_off ? cut_off_failure().code : std::string(to_string(error.code)),
                                    .message = error.message,
                                    .detail = error.data,
                                    .retryable = retryable});
}

// ---- the queue ---------------------------------------------------------------------------------------------------------------

// A stop and a failure hold the queue. A later prompt runs before the held prompts, even while the stopped turn is still ending.
EventLog::Outcome TurnRunner::queue_prompt(const std::shared_ptr<ConversationRuntime>& runtime, Prompt prompt,
                                           std::vector<Attachment> attachments, const Submission& from, std::string& id) {
  id = parts_.core.settings.new_id("prompt_");
  QueuedPrompt queued{.id = id, .text = std::move(prompt.text), .by = name_or_nothing(prompt.by)};
  if (prompt.options != PromptOptions{}) queued.options = std::move(prompt.options);
  if (!prompt.attachments.empty()) queued.attachments = std::move(prompt.attachments);
  if (!prompt.context.empty()) queued.context = std::move(prompt.context);
  // A held queue continues after the new prompt. A queue that waits for a write only is not held.
  const bool flows = !runtime->turn && !runtime->replaying && !runtime->queue.resumes;
  const bool ahead = flows || (runtime->turn && runtime->turn->cancelled());
  const auto work = [&] {
    for (Attachment& attachment : attachments) runtime->log.put(std::move(attachment));
    runtime->note_done(from, {.queued = id});
    auto place = runtime->current.queued.end();
    if (ahead)
      place = std::ranges::find_if(runtime->current.queued,
                                   [&](const auto& waiting) { return !runtime->queue.ahead.contains(waiting.id); });
    runtime->current.queued.insert(place, std::move(queued));
    if (ahead) runtime->queue.ahead.insert(id);
    runtime->queue.unwritten.insert(id);
    runtime->touch();
  };
  const auto done = [this, runtime, id, flows] {
    runtime->queue.unwritten.erase(id);
    if ((flows || runtime->queue.resumes) && !runtime->turn && !runtime->replaying) next_in_queue(runtime);
  };
  const auto undo = [runtime, id] {
    runtime->queue.unwritten.erase(id);
    std::erase_if(runtime->current.queued, [&](const QueuedPrompt& queued_prompt) { return queued_prompt.id == id; });
  };
  return runtime->log.operation(work, {.done = done, .undo = undo});
}

void TurnRunner::next_in_queue(const std::shared_ptr<ConversationRuntime>& runtime, bool held) {
  runtime->queue.resumes = false;
  if (!runtime->ownership.may_write() || runtime->removing || runtime->replaying) return;
  if (parts_.core.leaving == Core::Leaving::now) return;
  drop_forbidden(*runtime);
  if (runtime->current.queued.empty()) return;
  if (held && (parts_.core.ending || !runtime->queue.ahead.contains(runtime->current.queued.front().id))) return;
  if (runtime->queue.unwritten.contains(runtime->current.queued.front().id)) {
    runtime->queue.resumes = true;  // continues once the prompt is written
    return;
  }
  QueuedPrompt next = std::move(runtime->current.queued.front());
  runtime->queue.ahead.erase(next.id);
  runtime->current.queued.erase(runtime->current.queued.begin());
  Prompt prompt{.text = std::move(next.text),
                .options = std::move(next.options).value_or(PromptOptions{}),
                .attachments = std::move(next.attachments).value_or(std::vector<AttachmentInfo>{}),
                .context = std::move(next.context).value_or(std::vector<PromptContext>{}),
                .by = std::move(next.by).value_or("")};
  open_turn(*runtime, prompt);
  parts_.core.scope.start(run_turn(runtime, std::move(prompt)));
}

void TurnRunner::resume_queue(const std::shared_ptr<ConversationRuntime>& runtime, const std::string& by) {
  if (runtime->turn || runtime->removing || runtime->replaying || runtime->current.queued.empty()) return;
  runtime->log.append(notice_of(act::resume, {}, by));
  next_in_queue(runtime);
}

void TurnRunner::stop(ConversationRuntime& runtime, const std::string& by) {
  runtime.queue.ahead.clear();  // a stop holds all earlier prompts
  if (!by.empty() && runtime.turn && !runtime.turn->cancelled()) runtime.log.append(notice_of(act::stop, {}, by));
  if (runtime.turn) runtime.turn->stop();
}

// ---- authors --------------------------------------------------------------------------------------------------

Task<Result<void>> TurnRunner::note_authors(std::shared_ptr<ConversationRuntime> runtime) {
  if (parts_.core.shared == nullptr) co_return Result<void>{};
  PARLANCE_CO_TRY(said, co_await newest_message(parts_.core.store, runtime->current.id, runtime->committed.last_seq));
  if (runtime->turn && parts_.settings.is_guest(*runtime, said.by.value_or(""))) runtime->turn->note_guest();
  co_return Result<void>{};
}

// The author had the permission when the prompt was written. The role, the access or the user has changed since.
void TurnRunner::drop_forbidden(ConversationRuntime& runtime) {
  std::vector<QueuedPrompt>& queue = runtime.current.queued;
  bool dropped = false;
  while (!queue.empty() && !runtime.queue.unwritten.contains(queue.front().id) &&
         !parts_.settings.still_allowed(runtime, queue.front().by.value_or(""), Permission::prompt)) {
    const QueuedPrompt gone = std::move(queue.front());
    queue.erase(queue.begin());
    for (const AttachmentInfo& about : gone.attachments.value_or(std::vector<AttachmentInfo>{}))
      runtime.log.remove_attachment(about.id);
    runtime.log.append(forbidden_notice(gone.by.value_or("")));
    dropped = true;
  }
  if (dropped) runtime.touch();
}

// ---- the agent of a conversation --------------------------------------------------------------------------------------------

Task<Result<std::shared_ptr<Agent>>> TurnRunner::agent_of(std::shared_ptr<ConversationRuntime> runtime) {
  while (runtime->renewal.closing) co_await runtime->idle.wait();  // the previous agent owns the session until its end
  if (!runtime->agent) {
    const auto opener = parts_.core.provider(runtime->current.agent);
    if (opener == nullptr) co_return fail(Errc::not_found, "no such agent: " + runtime->current.agent);
    const auto opened = std::make_shared<OpenedAgent>(parts_, runtime);
    opened->provider = opener;
    PARLANCE_CO_TRY(agent, co_await opener->open(runtime->current, opened->host()));
    opened->agent = std::move(agent);
    // otherwise another caller opened an agent first
    if (!runtime->agent) runtime->agent = std::shared_ptr<Agent>(opened, opened->agent.get());
    opened->port.is_of(*opened->agent);
  }
  co_return runtime->agent;
}

Task<Result<void>> TurnRunner::replay(std::shared_ptr<ConversationRuntime> runtime) {
  PARLANCE_CO_TRY(agent, co_await agent_of(runtime));
  Replay said(parts_.core, *runtime);
  Result<void> replayed;
  try {
    replayed = co_await agent->resume(said);
  } catch (const std::exception& bug) {
    replayed = fail(Errc::internal, std::string("the agent's driver failed: ") + bug.what());
  }
  said.finish();
  PARLANCE_CO_TRY_DO(co_await runtime->log.written());
  co_return replayed;
}

Task<void> TurnRunner::end(std::shared_ptr<ConversationRuntime> runtime) {
  do {
    while (runtime->turn) co_await runtime->idle.wait();
    if (!runtime->log.idle()) (void)co_await runtime->log.written();
  } while (runtime->turn);  // a command began a turn during the write
  if (runtime->agent) co_await close_agent(std::exchange(runtime->agent, nullptr));
}

Task<void> TurnRunner::close_agent(std::shared_ptr<Agent> agent) {
  const auto close = [](Agent& closed) -> Task<Result<void>> {
    co_await closed.close();
    co_return Result<void>{};
  };
  if (const auto closed = co_await with_deadline(parts_.core.loop, parts_.core.loop.now() + close_grace, close(*agent)); !closed)
    log(LogLevel::warn, "an agent did not end in time, and is ended without its leave");
}

void TurnRunner::renew(const std::shared_ptr<ConversationRuntime>& runtime) {
  runtime->renewal.outdated = runtime->turn != nullptr || runtime->replaying;
  if (runtime->agent && !runtime->renewal.outdated) parts_.core.closing.start(close_agent_of(runtime));
}

Task<void> TurnRunner::close_agent_of(std::shared_ptr<ConversationRuntime> runtime) {
  runtime->renewal.closing = true;
  co_await close_agent(std::exchange(runtime->agent, nullptr));
  runtime->renewal.closing = false;
  runtime->idle.notify_all();
}

}  // namespace parlance::hub
