// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/command_executor.h"

#include <algorithm>
#include <utility>

#include "parlance/async/run_in.h"
#include "parlance/base/check.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/log/unfinished_turn.h"

namespace parlance::hub {
namespace {

Result<void> check(std::string_view text, const std::vector<Attachment>& attachments, const std::vector<PromptContext>& context) {
  if (trim(text).empty() && attachments.empty()) return fail(Errc::invalid_params, "the prompt is empty");
  if (text.size() > limits::prompt_bytes)
    return fail(Errc::invalid_params,
                "the prompt has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(limits::prompt_bytes));
  if (attachments.size() > limits::prompt_attachments)
    return fail(Errc::invalid_params, "the prompt has " + std::to_string(attachments.size()) + " attachments; at most " +
                                          std::to_string(limits::prompt_attachments));
  std::size_t bytes = 0;
  for (const Attachment& attachment : attachments) bytes += attachment.data.size();
  if (bytes > limits::prompt_attachment_bytes)
    return fail(Errc::invalid_params, "the attachments of the prompt have " + std::to_string(bytes) + " bytes; at most " +
                                          std::to_string(limits::prompt_attachment_bytes));
  std::size_t context_bytes = 0;
  for (const PromptContext& part : context) {
    if (part.path.empty()) return fail(Errc::invalid_params, "the context of the prompt names no file");
    if (part.range && (part.range->first == 0 || part.range->last < part.range->first))
      return fail(Errc::invalid_params,
                  "the range of lines of " + part.path + " must begin at 1 or later, and must not end before its beginning");
    context_bytes += part.path.size() + part.text.value_or("").size();
  }
  if (context_bytes > most_context_bytes || context.size() > most_contexts)
    return fail(Errc::invalid_params, "the context of the prompt has " + std::to_string(context.size()) + " places and " +
                                          std::to_string(context_bytes) + " bytes; at most " + std::to_string(most_contexts) +
                                          " and " + std::to_string(most_context_bytes));
  return {};
}

}  // namespace

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                SendPrompt& command) {
  PARLANCE_CO_TRY_DO(check(command.text, command.attachments, command.context));
  const bool waits = runtime->turn || runtime->replaying || !runtime->current.queued.empty();
  if (waits && runtime->current.queued.size() >= limits::queued_prompts)
    co_return fail(Errc::overloaded, "the queue of prompts is full: wait for a turn to end, or withdraw a prompt");
  Prompt prompt{.text = std::move(command.text),
                .options = std::move(command.options),
                .context = std::move(command.context),
                .by = from.by};
  for (Attachment& attachment : command.attachments) {
    attachment.about.id = core_.settings.new_id("attachment_");
    attachment.about.bytes = attachment.data.size();
    prompt.attachments.push_back(attachment.about);
  }
  Prompted prompted;
  std::vector<Attachment>& attachments = command.attachments;
  const EventLog::Outcome outcome =
      waits ? turns_.queue_prompt(runtime, std::move(prompt), std::move(attachments), from, prompted.queued)
            : turns_.begin_turn(runtime, std::move(prompt), std::move(attachments), from, prompted.turn);
  PARLANCE_CO_TRY_DO(co_await outcome->get());
  co_return prompted;
}

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission&,
                                                PrepareAgent& command) {
  PARLANCE_CO_TRY(agent, co_await turns_.agent_of(runtime));
  PARLANCE_CO_TRY_DO(co_await agent->prepare(std::move(command.options)));
  co_return Prompted{};
}

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, RestartAgent&) {
  if (runtime->turn) co_return fail(Errc::invalid_request, "the agent works on a turn; stop the turn first");
  const auto opener = core_.provider(runtime->current.agent);
  if (opener == nullptr) co_return fail(Errc::not_found, "the agent " + runtime->current.agent + " is no longer available");
  if (opener->info().state == Health::down) co_await opener->recheck();  // the program may have been installed since
  const AgentInfo info = opener->info();
  if (info.state == Health::down) co_return fail(Errc::disconnected, info.name + " is not available: " + info.detail);
  const bool had_session = !runtime->current.agent_session.empty();
  PrepareAgent preparation;
  PARLANCE_CO_TRY_DO(co_await execute(runtime, from, preparation));
  if (runtime->removing) co_return fail(Errc::not_found, "no such conversation: " + runtime->current.id);
  event::Notice notice{.text = info.name + (had_session ? " has restarted and loaded its session." : " has restarted.")};
  if (!from.by.empty()) notice.act = notice_of(act::restart, {}, from.by).act;
  runtime->log.append(std::move(notice));
  PARLANCE_CO_TRY_DO(co_await runtime->log.written());
  co_return Prompted{};
}

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                WithdrawPrompt& command) {
  const auto found = std::ranges::find(runtime->current.queued, command.prompt, &QueuedPrompt::id);
  if (found == runtime->current.queued.end())
    co_return fail(Errc::not_found, "this prompt is no longer queued: " + command.prompt);
  const auto place = found - runtime->current.queued.begin();
  const auto kept = std::make_shared<QueuedPrompt>(std::move(*found));
  runtime->current.queued.erase(found);
  const auto take_out = [&] {
    if (kept->attachments)
      for (const AttachmentInfo& about : *kept->attachments) runtime->log.remove_attachment(about.id);
    // The notice omits the text: the text may be the reason for the withdrawal.
    const std::string author = kept->by.value_or("");
    runtime->log.append(notice_of(act::withdraw, author == from.by ? std::nullopt : kept->by, from.by));
    runtime->note_done(from);
    runtime->touch();
  };
  const auto put_back = [runtime, kept, place] {
    auto& queue = runtime->current.queued;
    queue.insert(queue.begin() + std::min<std::ptrdiff_t>(place, std::ssize(queue)), *kept);
  };
  PARLANCE_CO_TRY_DO(co_await runtime->log.operation(take_out, {.undo = put_back})->get());
  co_return Prompted{};
}

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                AnswerRequest& command) {
  PARLANCE_CO_TRY_DO(co_await requests_.answer(runtime, from, command));
  co_return Prompted{};
}

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                StopTurn& command) {
  stop_for(*runtime, command, from.by);
  co_return Prompted{};
}

void CommandExecutor::stop_for(ConversationRuntime& runtime, const StopTurn& command, const std::string& by) {
  if (!command.only_own || (runtime.turn && runtime.turn->by() == by)) turns_.stop(runtime, by);
}

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from, ResumeQueue&) {
  turns_.resume_queue(runtime, from.by);
  co_return Prompted{};
}

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                RemoveConversation&) {
  return run_in(core_.scope, remove(std::move(runtime), from));  // A page that closes meanwhile would leave `removing` set.
}

Task<Result<Prompted>> CommandExecutor::remove(std::shared_ptr<ConversationRuntime> runtime, std::optional<Submission> from) {
  runtime->removing = true;
  turns_.stop(*runtime);
  while (runtime->turn || runtime->replaying) co_await runtime->idle.wait();
  while (!runtime->log.idle()) {
    const Result<void> written = co_await runtime->log.written();
    if (!written) runtime->removing = false;
    PARLANCE_CO_TRY_DO(written);
  }
  if (!runtime->ownership.may_write()) {  // the store would remove nothing, and report a success
    runtime->removing = false;
    co_return std::unexpected(not_owner("another gateway owns the conversation " + runtime->current.id));
  }
  const std::string by = from ? from->by : "";
  const Result<void> removed = co_await remove_rows(runtime->current, std::move(from));
  if (!removed) runtime->removing = false;
  PARLANCE_CO_TRY_DO(removed);
  if (runtime->agent) core_.closing.start(turns_.close_agent(std::exchange(runtime->agent, nullptr)));
  if (!by.empty()) log(LogLevel::info, "a conversation was deleted", {{"conversation", runtime->current.id}, {"by", by}});
  publisher_.removed(runtime);
  if (runtime->current.runner && core_.settings.session_unused) core_.settings.session_unused(*runtime->current.runner);
  co_return Prompted{};
}

// Removes the log too. The audit has no entry for a conversation of a single program request.
Task<Result<void>> CommandExecutor::remove_rows(const Conversation& conversation, std::optional<Submission> from) {
  if (core_.shared == nullptr || !from || conversation.via) co_return co_await core_.store.remove_conversation(conversation.id);
  const std::string id = conversation.id;
  co_return co_await core_.shared->remove_audited(id, {.what = std::string(rules_of<RemoveConversation>.audit_name),
                                                       .user = from->user,
                                                       .by = from->by,
                                                       .about = conversation.user.value_or(""),
                                                       .conversation = id});
}

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                ContinueTurn& command) {
  if (runtime->turn || runtime->replaying) co_return fail(Errc::invalid_request, "a turn of this conversation runs already");
  Prompted prompted;
  Prompt prompt{.options = std::move(command.options), .resume = Resume{}, .by = from.by};
  PARLANCE_CO_TRY_DO(co_await turns_.begin_turn(runtime, std::move(prompt), {}, from, prompted.turn)->get());
  co_return prompted;
}

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                RepeatRequest& command) {
  const std::string& id = command.request;
  const auto found = runtime->asks.find(id);
  if (found == runtime->asks.end()) co_return fail(Errc::not_found, "no such open request: " + id);
  if (found->second.state != AskState::orphaned)
    co_return fail(Errc::failed, "the agent still waits for this request: answer instead of resuming");
  const Ask ask = found->second;
  Resume resume{.ask = ask};
  if (ask.call) {
    PARLANCE_CO_TRY(start, co_await newest_start(core_.store, ask.conversation, runtime->committed.last_seq, *ask.call));
    resume.call = {.id = start.call, .tool = start.tool, .arguments_json = start.input_json};
  }
  const auto still = runtime->asks.find(id);
  if (runtime->turn || runtime->removing || still == runtime->asks.end() || still->second.state != AskState::orphaned)
    co_return fail(Errc::failed, "the conversation has continued since this request");
  Prompted prompted;
  PARLANCE_CO_TRY_DO(
      co_await turns_.begin_turn(runtime, Prompt{.resume = std::move(resume), .by = from.by}, {}, from, prompted.turn)->get());
  co_return prompted;
}

// ---- the way to the executing hub ------------------------------------------------------------------------------------
namespace {

Task<Result<Prompted>> refused(Error reason) { co_return fail(std::move(reason)); }

}  // namespace

Task<Result<Prompted>> CommandExecutor::submit(Submission from) {
  const auto runtime = runtimes_.find(from.conversation);
  if (!runtime || runtime->removing) co_return fail(Errc::not_found, "no such conversation: " + from.conversation);
  if (runtime->current.runner && rules_of_command(from.command).needs_agent)
    PARLANCE_CO_TRY_DO(co_await takeover_.reach_runner(runtime));
  if (!runtime->ownership.is_owner()) {
    PARLANCE_CO_TRY(done, co_await takeover_.run_at_owner(runtime, from));
    if (done) co_return *std::move(done);
  }
  co_return co_await perform(runtime, from);
}

// The caller does not wait; the conversation shows the outcome.
Task<void> CommandExecutor::submit_without_result(Submission from) {
  const std::string conversation = from.conversation;
  if (const auto done = co_await submit(std::move(from)); !done)
    log(LogLevel::warn, "the owner of a conversation did not carry out a command",
        {{"conversation", conversation}, {"error", done.error().message}});
}

Task<Result<Prompted>> CommandExecutor::perform(std::shared_ptr<ConversationRuntime> runtime, Submission& from) {
  runtime->last_action = core_.loop.now();
  if (rules_of_command(from.command).needs_agent)
    if (const auto there = runners_.check(*runtime); !there) return refused(there.error());
  return std::visit([&](auto& command) { return execute(runtime, from, command); }, from.command);
}

// A request of another conversation counts as unknown.
Task<Result<Ask>> CommandExecutor::answer(Submission from) {
  const std::string request = std::get<AnswerRequest>(from.command).request;
  const Error unknown{.code = Errc::not_found, .message = "no such ask: " + request};
  const auto runtime = runtimes_.find(from.conversation);
  if (!runtime) co_return fail(unknown);
  if (!runtime->ownership.is_owner()) {
    bool is_open = runtime->asks.contains(request);
    if (!is_open) {
      PARLANCE_CO_TRY(row, co_await core_.store.ask(request));
      if (!row || row->conversation != from.conversation) co_return fail(unknown);
      is_open = row->state == AskState::open;
    }
    if (is_open) {
      PARLANCE_CO_TRY(done, co_await takeover_.run_at_owner(runtime, from));
      if (done) {
        PARLANCE_CO_TRY(settled, co_await core_.store.ask(request));
        if (!settled) co_return fail(unknown);
        co_return *std::move(settled);
      }
    }
  }
  co_return co_await requests_.answer(runtime, from, std::get<AnswerRequest>(from.command));
}

// A stop takes effect before the return if the conversation is here.
Result<void> CommandExecutor::submit_at_once(Submission from) {
  const auto runtime = runtimes_.find(from.conversation);
  if (!runtime) return fail(Errc::not_found, "no such conversation: " + from.conversation);
  if (!runtime->ownership.is_owner()) core_.scope.start(submit_without_result(std::move(from)));
  else if (const auto* const stops = std::get_if<StopTurn>(&from.command)) stop_for(*runtime, *stops, from.by);
  else turns_.resume_queue(runtime, from.by);
  return {};
}

// ---- commands of other hubs ----------------------------------------------------------------------------------------------

// Commands run in order: each begins before the next.
Task<void> CommandExecutor::do_commands(std::shared_ptr<ConversationRuntime> runtime) {
  runtime->doing.list_requested();
  const auto waiting = co_await core_.shared->commands(runtime->current.id);
  if (waiting) {
    for (const Submission& from : *waiting)  // after an owner's end the next owner runs the rest
      if (runtime->ownership.is_owner() && core_.leaving != Core::Leaving::now && runtime->doing.begin(from.id))
        core_.scope.start(do_command(runtime, from));
  } else {
    log(LogLevel::warn, "commands cannot be read", {{"conversation", runtime->current.id}, {"error", waiting.error().message}});
  }
  runtime->doing.list_used();
}

// The command stays in `doing` until its outcome is written, so a second read of the command does not run it again.
Task<void> CommandExecutor::do_command(std::shared_ptr<ConversationRuntime> runtime, Submission from) {
  if (runtime->current.runner && rules_of_command(from.command).needs_agent) {
    static_cast<void>(co_await takeover_.reach_runner(runtime));  // an error becomes the outcome
    if (!runtime->ownership.is_owner()) {                         // the hub of the runner's connection runs the command
      runtime->doing.release(from.id);
      co_return;
    }
  }
  CommandDone done{.id = from.id};
  // The sending gateway has checked its user; role or access may have changed since.
  const bool is_allowed = settings_.still_allowed(*runtime, from.by, rules_of_command(from.command).permission);
  Result<Prompted> outcome = runtime->removing || !is_allowed
                                 ? fail(Errc::not_found, "no such conversation: " + runtime->current.id)
                                 : co_await perform(runtime, from);
  if (!outcome && is_not_owner(outcome.error())) {  // the new owner reads the command and writes its outcome
    runtime->doing.release(from.id);
    co_return;
  }
  if (outcome) done.outcome.prompted = *std::move(outcome);
  else done.outcome.error = std::move(outcome).error();
  for (;;) {
    const Result<void> written = co_await core_.shared->done(done);
    if (written || runtimes_.find(runtime->current.id) != runtime) break;
    co_await sleep_for(core_.loop, limits::replication_retry);
  }
  runtime->doing.end(done.id);
}

}  // namespace parlance::hub
