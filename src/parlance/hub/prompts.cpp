// SPDX-License-Identifier: Apache-2.0
// Executes the commands about prompts: limits, queue or turn, withdrawal, stop. Routes each command to its executing hub: this hub,
// or in a shared store the owner of the conversation.
#include <algorithm>
#include <utility>

#include "parlance/base/check.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/running_turn.h"

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
  for (const Attachment& one : attachments) bytes += one.data.size();
  if (bytes > limits::prompt_attachment_bytes)
    return fail(Errc::invalid_params, "the attachments of the prompt have " + std::to_string(bytes) + " bytes; at most " +
                                          std::to_string(limits::prompt_attachment_bytes));
  std::size_t context_bytes = 0;
  for (const PromptContext& one : context) {
    if (one.path.empty()) return fail(Errc::invalid_params, "the context of the prompt names no file");
    if (one.range && (one.range->first == 0 || one.range->last < one.range->first))
      return fail(Errc::invalid_params,
                  "the range of lines of " + one.path + " must begin at 1 or later, and must not end before its beginning");
    context_bytes += one.path.size() + one.text.value_or("").size();
  }
  if (context_bytes > most_context_bytes || context.size() > most_contexts)
    return fail(Errc::invalid_params, "the context of the prompt has " + std::to_string(context.size()) + " places and " +
                                          std::to_string(context_bytes) + " bytes; at most " + std::to_string(most_contexts) +
                                          " and " + std::to_string(most_context_bytes));
  return {};
}

}  // namespace

Task<Result<Prompted>> Hub::Implementation::execute(std::shared_ptr<Room> room, Submission& from, SendPrompt& command) {
  PARLANCE_CO_TRY_DO(check(command.text, command.attachments, command.context));
  const bool waits = room->turn || room->replaying || !room->live.queued.empty();
  if (waits && room->live.queued.size() >= limits::queued_prompts)
    co_return fail(Errc::overloaded, "the queue of prompts is full: wait for a turn to end, or withdraw a prompt");
  Prompt prompt{.text = std::move(command.text),
                .options = std::move(command.options),
                .context = std::move(command.context),
                .by = from.by};
  for (Attachment& attachment : command.attachments) {
    attachment.about.id = settings.new_id("attachment_");
    attachment.about.bytes = attachment.data.size();
    prompt.attachments.push_back(attachment.about);
  }
  Prompted prompted;
  std::vector<Attachment>& attachments = command.attachments;
  const EventLog::Outcome outcome = waits ? queue_prompt(room, std::move(prompt), std::move(attachments), from, prompted.queued)
                                          : begin_turn(room, std::move(prompt), std::move(attachments), from, prompted.turn);
  PARLANCE_CO_TRY_DO(co_await outcome->get());
  co_return prompted;
}

// A stop and a failure hold the queue. A later prompt runs before the held prompts, even while the stopped turn is still ending.
EventLog::Outcome Hub::Implementation::queue_prompt(const std::shared_ptr<Room>& room, Prompt prompt,
                                                    std::vector<Attachment> attachments, const Submission& from,
                                                    std::string& id) {
  id = settings.new_id("prompt_");
  QueuedPrompt queued{.id = id, .text = std::move(prompt.text), .by = name_or_nothing(prompt.by)};
  if (prompt.options != PromptOptions{}) queued.options = std::move(prompt.options);
  if (!prompt.attachments.empty()) queued.attachments = std::move(prompt.attachments);
  if (!prompt.context.empty()) queued.context = std::move(prompt.context);
  // A held queue continues after the new prompt. A queue that waits for a write only is not held.
  const bool flows = !room->turn && !room->replaying && !room->queue.resumes;
  const bool ahead = flows || (room->turn && room->turn->cancelled());
  const auto work = [&] {
    for (Attachment& attachment : attachments) room->log.put(std::move(attachment));
    note_done(*room, from, {.queued = id});
    auto place = room->live.queued.end();
    if (ahead)
      place = std::ranges::find_if(room->live.queued, [&](const auto& one) { return !room->queue.ahead.contains(one.id); });
    room->live.queued.insert(place, std::move(queued));
    if (ahead) room->queue.ahead.insert(id);
    room->queue.unwritten.insert(id);
    touch(*room);
  };
  const auto done = [this, room, id, flows] {
    room->queue.unwritten.erase(id);
    if ((flows || room->queue.resumes) && !room->turn && !room->replaying) next_in_queue(room);
  };
  const auto undo = [room, id] {
    room->queue.unwritten.erase(id);
    std::erase_if(room->live.queued, [&](const QueuedPrompt& one) { return one.id == id; });
  };
  return room->log.operation(work, {.done = done, .undo = undo});
}

void Hub::Implementation::next_in_queue(const std::shared_ptr<Room>& room, bool held) {
  room->queue.resumes = false;
  if (!room->ownership.may_write() || room->removing || room->replaying) return;
  drop_forbidden(*room);
  if (room->live.queued.empty()) return;
  if (held && (ending || !room->queue.ahead.contains(room->live.queued.front().id))) return;
  if (room->queue.unwritten.contains(room->live.queued.front().id)) {
    room->queue.resumes = true;  // continues once the prompt is written
    return;
  }
  QueuedPrompt next = std::move(room->live.queued.front());
  room->queue.ahead.erase(next.id);
  room->live.queued.erase(room->live.queued.begin());
  Prompt prompt{.text = std::move(next.text),
                .options = std::move(next.options).value_or(PromptOptions{}),
                .attachments = std::move(next.attachments).value_or(std::vector<AttachmentInfo>{}),
                .context = std::move(next.context).value_or(std::vector<PromptContext>{}),
                .by = std::move(next.by).value_or("")};
  open_turn(*room, prompt);
  scope.start(run_turn(room, std::move(prompt)));
}

Task<Result<Prompted>> Hub::Implementation::execute(std::shared_ptr<Room> room, Submission&, PrepareAgent& command) {
  PARLANCE_CO_TRY(agent, co_await agent_of(room));
  PARLANCE_CO_TRY_DO(co_await agent->prepare(std::move(command.options)));
  co_return Prompted{};
}

Task<Result<Prompted>> Hub::Implementation::execute(std::shared_ptr<Room> room, Submission& from, RestartAgent&) {
  if (room->turn) co_return fail(Errc::invalid_request, "the agent works on a turn; stop the turn first");
  const auto opener = provider(room->live.agent);
  if (opener == nullptr) co_return fail(Errc::not_found, "the agent " + room->live.agent + " is no longer available");
  if (opener->info().state == Health::down) co_await opener->look_again();  // the program may have been installed since
  const AgentInfo info = opener->info();
  if (info.state == Health::down) co_return fail(Errc::disconnected, info.name + " is not available: " + info.detail);
  const bool had_session = !room->live.native_session.empty();
  PrepareAgent preparation;
  PARLANCE_CO_TRY_DO(co_await execute(room, from, preparation));
  if (room->removing) co_return fail(Errc::not_found, "no such conversation: " + room->live.id);
  event::Notice notice{.text = info.name + (had_session ? " has restarted and loaded its session." : " has restarted.")};
  if (!from.by.empty()) notice.act = notice_of(act::restart, {}, from.by).act;
  room->log.append(std::move(notice));
  PARLANCE_CO_TRY_DO(co_await room->log.written());
  co_return Prompted{};
}

Task<Result<Prompted>> Hub::Implementation::execute(std::shared_ptr<Room> room, Submission& from, WithdrawPrompt& command) {
  const auto found = std::ranges::find(room->live.queued, command.prompt, &QueuedPrompt::id);
  if (found == room->live.queued.end()) co_return fail(Errc::not_found, "this prompt is no longer queued: " + command.prompt);
  const auto place = found - room->live.queued.begin();
  const auto kept = std::make_shared<QueuedPrompt>(std::move(*found));
  room->live.queued.erase(found);
  const auto take_out = [&] {
    if (kept->attachments)
      for (const AttachmentInfo& about : *kept->attachments) room->log.remove_attachment(about.id);
    // The notice omits the text: the text may be the reason for the withdrawal.
    const std::string author = kept->by.value_or("");
    room->log.append(notice_of(act::withdraw, author == from.by ? std::nullopt : kept->by, from.by));
    note_done(*room, from);
    touch(*room);
  };
  const auto put_back = [room, kept, place] {
    auto& queue = room->live.queued;
    queue.insert(queue.begin() + std::min<std::ptrdiff_t>(place, std::ssize(queue)), *kept);
  };
  PARLANCE_CO_TRY_DO(co_await room->log.operation(take_out, {.undo = put_back})->get());
  co_return Prompted{};
}

Task<Result<Prompted>> Hub::Implementation::execute(std::shared_ptr<Room>, Submission& from, AnswerRequest& command) {
  PARLANCE_CO_TRY_DO(co_await answer(from, command));
  co_return Prompted{};
}

Task<Result<Prompted>> Hub::Implementation::execute(std::shared_ptr<Room> room, Submission& from, StopTurn& command) {
  stop_for(*room, command, from.by);
  co_return Prompted{};
}

void Hub::Implementation::stop_for(Room& room, const StopTurn& command, const std::string& by) {
  if (!command.only_own || (room.turn && room.turn->by() == by)) stop(room, by);
}

Task<Result<Prompted>> Hub::Implementation::execute(std::shared_ptr<Room> room, Submission& from, ResumeQueue&) {
  go_on(room, from.by);
  co_return Prompted{};
}

// ---- the way to the executing hub ------------------------------------------------------------------------------------
namespace {

Submission submission_of(const CallerPtr& by, std::string conversation, Command command) {
  return {.conversation = std::move(conversation), .user = by->user, .by = by->name, .command = std::move(command)};
}

Task<Result<Prompted>> refused(Error reason) { co_return fail(std::move(reason)); }

}  // namespace

template <class R>
Task<Result<R>> submit_any(Hub::Implementation& hub, std::string conversation, Command command, CallerPtr by) {
  PARLANCE_CO_TRY(prompted, co_await hub.submit(submission_of(by, conversation, std::move(command))));
  if constexpr (std::is_same_v<R, Prompted>) {
    co_return prompted;
  } else if constexpr (std::is_same_v<R, Conversation>) {
    const auto room = hub.find_room(conversation);
    if (!room) co_return fail(Errc::not_found, "no such conversation: " + conversation);
    co_return room->live;
  } else {
    co_return Result<void>{};
  }
}

template Task<Result<Prompted>> submit_any(Hub::Implementation&, std::string, Command, CallerPtr);
template Task<Result<Conversation>> submit_any(Hub::Implementation&, std::string, Command, CallerPtr);
template Task<Result<void>> submit_any(Hub::Implementation&, std::string, Command, CallerPtr);

Task<Result<Prompted>> Hub::Implementation::submit(Submission from) {
  const auto room = find_room(from.conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + from.conversation);
  if (room->live.place && rules_of_command(from.command).needs_agent) PARLANCE_CO_TRY_DO(co_await reach_place(room));
  if (!room->ownership.is_here()) {
    PARLANCE_CO_TRY(done, co_await elsewhere(room, from));
    if (done) co_return *std::move(done);
  }
  co_return co_await perform(room, from);
}

// The caller does not wait; the conversation shows the outcome.
Task<void> Hub::Implementation::submit_unheard(Submission from) {
  const std::string conversation = from.conversation;
  if (const auto done = co_await submit(std::move(from)); !done)
    log(LogLevel::warn, "the owner of a conversation did not carry out a command",
        {{"conversation", conversation}, {"error", done.error().message}});
}

Task<Result<Prompted>> Hub::Implementation::perform(std::shared_ptr<Room> room, Submission& from) {
  room->used = loop.now();
  if (rules_of_command(from.command).needs_agent)
    if (const auto there = check_place(*room); !there) return refused(there.error());
  return std::visit([&](auto& command) { return execute(room, from, command); }, from.command);
}

void Hub::Implementation::note_done(Room& room, const Submission& from, const Prompted& prompted) {
  PARLANCE_CHECK(!rules_of_command(from.command).is_repeatable, "a command that is not repeatable");
  if (!from.id.empty()) room.log.put(CommandDone{.id = from.id, .outcome = {.prompted = prompted}});
}

// A stop takes effect before the return if the conversation is here.
Result<void> Hub::Implementation::submit_at_once(Submission from) {
  const auto room = find_room(from.conversation);
  if (!room) return fail(Errc::not_found, "no such conversation: " + from.conversation);
  if (!room->ownership.is_here()) scope.start(submit_unheard(std::move(from)));
  else if (const auto* const stops = std::get_if<StopTurn>(&from.command)) stop_for(*room, *stops, from.by);
  else go_on(room, from.by);
  return {};
}

Result<void> Hub::submit_at_once(std::string conversation, CommandAtOnce command, CallerPtr by) {
  Command any = std::visit([](const auto& one) -> Command { return one; }, command);
  return implementation_->submit_at_once(submission_of(by, std::move(conversation), std::move(any)));
}

}  // namespace parlance::hub
