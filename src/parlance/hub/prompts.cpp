// SPDX-License-Identifier: Apache-2.0
// A person's prompts: what one may be, where it goes, and how it is taken back or stopped.
#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {
namespace {

constexpr std::string_view own_turn = "own turn";  // Command::about of a stop

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

Task<Result<Prompted>> Hub::prompt(std::string conversation, std::string text, PromptOptions options,
                                   std::vector<Attachment> attachments, std::vector<PromptContext> context, CallerPtr by) {
  return implementation_->want({.conversation = std::move(conversation),
                                .user = by->user,
                                .by = by->name,
                                .kind = CommandKind::prompt,
                                .text = std::move(text),
                                .options = std::move(options),
                                .attachments = std::move(attachments),
                                .context = std::move(context)});
}

Task<Result<Prompted>> Hub::Implementation::prompt(std::shared_ptr<Room> room, Command& wish) {
  PARLANCE_CO_TRY_DO(check(wish.text, wish.attachments, wish.context));
  const bool waits = room->turn || room->replaying || !room->live.queued.empty();
  if (waits && room->live.queued.size() >= limits::queued_prompts)
    co_return fail(Errc::overloaded, "the queue of prompts is full: wait for a turn to end, or withdraw a prompt");
  Prompt wanted{
      .text = std::move(wish.text), .options = std::move(wish.options), .context = std::move(wish.context), .by = wish.by};
  for (Attachment& one : wish.attachments) {
    one.about.id = settings.new_id("attachment_");
    one.about.bytes = one.data.size();
    wanted.attachments.push_back(one.about);
  }
  Prompted prompted;
  const EventLog::Outcome outcome = waits ? queue_prompt(room, std::move(wanted), wish, prompted.queued)
                                          : begin_turn(room, std::move(wanted), wish, prompted.turn);
  PARLANCE_CO_TRY_DO(co_await outcome->get());
  co_return prompted;
}

// A stop and a failure hold the queue. A prompt that is sent afterwards runs before the held ones, also if the stopped turn still ends.
EventLog::Outcome Hub::Implementation::queue_prompt(const std::shared_ptr<Room>& room, Prompt prompt, Command& wish,
                                                    std::string& id) {
  id = settings.new_id("prompt_");
  QueuedPrompt queued{.id = id, .text = std::move(prompt.text), .by = name_or_nothing(prompt.by)};
  if (prompt.options != PromptOptions{}) queued.options = std::move(prompt.options);
  if (!prompt.attachments.empty()) queued.attachments = std::move(prompt.attachments);
  if (!prompt.context.empty()) queued.context = std::move(prompt.context);
  const bool flows = !room->turn && !room->replaying;  // a held queue continues behind this prompt
  const bool ahead = flows || (room->turn && room->turn->cancelled());
  const auto work = [&] {
    for (Attachment& one : wish.attachments) room->log.put(std::move(one));
    note_done(*room, wish, {.queued = id});
    auto place = room->live.queued.end();
    if (ahead) place = std::ranges::find_if(room->live.queued, [&](const auto& one) { return !room->ahead.contains(one.id); });
    room->live.queued.insert(place, std::move(queued));
    if (ahead) room->ahead.insert(id);
    room->unwritten.insert(id);
    touch(*room);
  };
  const auto done = [this, room, id, flows] {
    room->unwritten.erase(id);
    if ((flows || room->flows) && !room->turn && !room->replaying) next_in_queue(room);
  };
  const auto undo = [room, id] {
    room->unwritten.erase(id);
    std::erase_if(room->live.queued, [&](const QueuedPrompt& one) { return one.id == id; });
  };
  return room->log.operation(work, {.done = done, .undo = undo});
}

void Hub::Implementation::next_in_queue(const std::shared_ptr<Room>& room, bool held) {
  room->flows = false;
  if (!room->owned || room->removing || room->replaying) return;
  drop_forbidden(*room);
  if (room->live.queued.empty()) return;
  if (held && (ending || !room->ahead.contains(room->live.queued.front().id))) return;
  if (room->unwritten.contains(room->live.queued.front().id)) {
    room->flows = true;  // as soon as it is written
    return;
  }
  QueuedPrompt next = std::move(room->live.queued.front());
  room->ahead.erase(next.id);
  room->live.queued.erase(room->live.queued.begin());
  Prompt prompt{.text = std::move(next.text),
                .options = std::move(next.options).value_or(PromptOptions{}),
                .attachments = std::move(next.attachments).value_or(std::vector<AttachmentInfo>{}),
                .context = std::move(next.context).value_or(std::vector<PromptContext>{}),
                .by = std::move(next.by).value_or("")};
  open_turn(*room, prompt);
  scope.start(run_turn(room, std::move(prompt)));
}

Task<Result<void>> Hub::prepare(std::string conversation, PromptOptions options) {
  Command wish{.conversation = std::move(conversation), .kind = CommandKind::prepare, .options = std::move(options)};
  PARLANCE_CO_TRY_DO(co_await implementation_->want(std::move(wish)));
  co_return Result<void>{};
}

Task<Result<Prompted>> Hub::Implementation::prepare(std::shared_ptr<Room> room, Command& wish) {
  PARLANCE_CO_TRY(agent, co_await agent_of(room));
  PARLANCE_CO_TRY_DO(co_await agent->prepare(std::move(wish.options)));
  co_return Prompted{};
}

Task<Result<void>> Hub::restart(std::string conversation, CallerPtr by) {
  PARLANCE_CO_TRY_DO(co_await implementation_->want(
      {.conversation = std::move(conversation), .user = by->user, .by = by->name, .kind = CommandKind::restart}));
  co_return Result<void>{};
}

Task<Result<Prompted>> Hub::Implementation::restart(std::shared_ptr<Room> room, Command& wish) {
  if (room->turn) co_return fail(Errc::invalid_request, "the agent works on a turn; stop the turn first");
  const auto opener = provider(room->live.agent);
  if (opener == nullptr) co_return fail(Errc::not_found, "the agent " + room->live.agent + " is no longer available");
  if (opener->info().state == Health::down) co_await opener->look_again();  // it may have been installed since
  const AgentInfo info = opener->info();
  if (info.state == Health::down) co_return fail(Errc::disconnected, info.name + " is not available: " + info.detail);
  const bool had_session = !room->live.native_session.empty();
  PARLANCE_CO_TRY_DO(co_await prepare(room, wish));
  if (room->removing) co_return fail(Errc::not_found, "no such conversation: " + room->live.id);
  event::Notice notice{.text = info.name + (had_session ? " has restarted and loaded its session." : " has restarted.")};
  if (!wish.by.empty()) notice.act = notice_of(act::restart, {}, wish.by).act;
  room->log.append(std::move(notice));
  PARLANCE_CO_TRY_DO(co_await room->log.written());
  co_return Prompted{};
}

Task<Result<void>> Hub::withdraw(std::string conversation, std::string queued, CallerPtr by) {
  Command wish{.conversation = std::move(conversation),
               .user = by->user,
               .by = by->name,
               .kind = CommandKind::withdraw,
               .about = std::move(queued)};
  PARLANCE_CO_TRY_DO(co_await implementation_->want(std::move(wish)));
  co_return Result<void>{};
}

Task<Result<Prompted>> Hub::Implementation::withdraw(std::shared_ptr<Room> room, Command& wish) {
  const auto found = std::ranges::find(room->live.queued, wish.about, &QueuedPrompt::id);
  if (found == room->live.queued.end()) co_return fail(Errc::not_found, "this prompt is no longer queued: " + wish.about);
  const auto place = found - room->live.queued.begin();
  const auto kept = std::make_shared<QueuedPrompt>(std::move(*found));
  room->live.queued.erase(found);
  const auto take_out = [&] {
    if (kept->attachments)
      for (const AttachmentInfo& about : *kept->attachments) room->log.remove_attachment(about.id);
    // Not what it said: that may be why it was taken back.
    const std::string author = kept->by.value_or("");
    room->log.append(notice_of(act::withdraw, author == wish.by ? std::nullopt : kept->by, wish.by));
    note_done(*room, wish);
    touch(*room);
  };
  const auto put_back = [room, kept, place] {
    auto& queue = room->live.queued;
    queue.insert(queue.begin() + std::min<std::ptrdiff_t>(place, std::ssize(queue)), *kept);
  };
  PARLANCE_CO_TRY_DO(co_await room->log.operation(take_out, {.undo = put_back})->get());
  co_return Prompted{};
}

Result<void> Hub::stop(std::string_view conversation, CallerPtr by) {
  const auto room = implementation_->find_room(conversation);
  if (!room) return fail(Errc::not_found, "no such conversation: " + std::string(conversation));
  if (room->is_here()) implementation_->stop(*room, by->name);
  else
    implementation_->scope.start(implementation_->want_unheard(
        {.conversation = room->live.id, .user = by->user, .by = by->name, .kind = CommandKind::stop}));
  return {};
}

Result<void> Hub::stop_own(std::string_view conversation, CallerPtr by) {
  const auto room = implementation_->find_room(conversation);
  if (!room) return fail(Errc::not_found, "no such conversation: " + std::string(conversation));
  if (!room->is_here())
    implementation_->scope.start(implementation_->want_unheard({.conversation = room->live.id,
                                                                .user = by->user,
                                                                .by = by->name,
                                                                .kind = CommandKind::stop,
                                                                .about = std::string(own_turn)}));
  else if (room->turn && room->turn->by() == by->name) implementation_->stop(*room, by->name);
  return {};
}

Result<void> Hub::go_on(std::string_view conversation, CallerPtr by) {
  const auto room = implementation_->find_room(conversation);
  if (!room) return fail(Errc::not_found, "no such conversation: " + std::string(conversation));
  if (!room->is_here())
    implementation_->scope.start(implementation_->want_unheard(
        {.conversation = room->live.id, .user = by->user, .by = by->name, .kind = CommandKind::go_on}));
  else implementation_->go_on(room, by->name);
  return {};
}

namespace {

Task<Result<Prompted>> refused(Error why) { co_return fail(std::move(why)); }

}  // namespace

// ---- who does it ---------------------------------------------------------------------------------------------------------

Task<Result<Prompted>> Hub::Implementation::want(Command wish) {
  const auto room = find_room(wish.conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + wish.conversation);
  if (room->live.place && needs_agent(wish.kind)) PARLANCE_CO_TRY_DO(co_await reach_place(room));
  if (!room->is_here()) {
    PARLANCE_CO_TRY(done, co_await elsewhere(room, wish));
    if (done) co_return *std::move(done);
  }
  co_return co_await perform(room, wish);
}

// Whoever wanted it waits for nothing; what became of it shows in the conversation.
Task<void> Hub::Implementation::want_unheard(Command wish) {
  const std::string conversation = wish.conversation;
  if (const auto done = co_await want(std::move(wish)); !done)
    log(LogLevel::warn, "the owner of a conversation did not carry out a command",
        {{"conversation", conversation}, {"error", done.error().message}});
}

Task<Result<Prompted>> Hub::Implementation::perform(std::shared_ptr<Room> room, Command& wish) {
  room->used = loop.now();
  if (needs_agent(wish.kind))
    if (const auto there = check_place(*room); !there) return refused(there.error());
  switch (wish.kind) {
    case CommandKind::prompt: return prompt(std::move(room), wish);
    case CommandKind::carry_on: return carry_on(std::move(room), wish);
    case CommandKind::prepare: return prepare(std::move(room), wish);
    case CommandKind::restart: return restart(std::move(room), wish);
    case CommandKind::withdraw: return withdraw(std::move(room), wish);
    case CommandKind::set: return set(std::move(room), wish);
    case CommandKind::set_option: return set_option(std::move(room), wish);
    case CommandKind::clear: return clear(std::move(room), wish);
    case CommandKind::remove: return remove(std::move(room), std::move(wish));
    case CommandKind::reask: return reask(std::move(room), wish);
    case CommandKind::answer:
    case CommandKind::stop:
    case CommandKind::go_on: break;
  }
  return perform_at_once(std::move(room), wish);
}

Task<Result<Prompted>> Hub::Implementation::perform_at_once(std::shared_ptr<Room> room, Command& wish) {
  if (wish.kind == CommandKind::answer) {
    PARLANCE_CO_TRY_DO(co_await answer(wish));
    co_return Prompted{};
  }
  CallerPtr by = std::make_shared<const Caller>(Caller{.user = wish.user, .name = wish.by});
  if (wish.kind == CommandKind::go_on) PARLANCE_CO_TRY_DO(hub.go_on(room->live.id, std::move(by)));
  else if (wish.about == own_turn) PARLANCE_CO_TRY_DO(hub.stop_own(room->live.id, std::move(by)));
  else PARLANCE_CO_TRY_DO(hub.stop(room->live.id, std::move(by)));
  co_return Prompted{};
}

void Hub::Implementation::note_done(Room& room, const Command& wish, const Prompted& prompted) {
  if (!wish.id.empty()) room.log.put(CommandDone{.id = wish.id, .outcome = {.prompted = prompted}});
}

}  // namespace parlance::hub
