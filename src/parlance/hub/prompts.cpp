// A person's prompts: what one may be, where it goes, and how it is taken back or stopped.
#include <algorithm>
#include <utility>

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
    return fail(Errc::invalid_params, "what comes with the prompt has " + std::to_string(bytes) + " bytes; at most " +
                                          std::to_string(limits::prompt_attachment_bytes));
  std::size_t context_bytes = 0;
  for (const PromptContext& one : context) {
    if (one.path.empty()) return fail(Errc::invalid_params, "the context of the prompt names no file");
    if (one.range && (one.range->first == 0 || one.range->last < one.range->first))
      return fail(Errc::invalid_params, "the lines of " + one.path + " begin at 1, and end no earlier than they begin");
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
                                   std::vector<Attachment> attachments, std::vector<PromptContext> context) {
  Implementation& self = *implementation_;
  const auto room = self.find_room(conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  PARLANCE_CO_TRY_DO(check(text, attachments, context));
  const bool waits = room->turn || room->replaying || !room->live.queued.empty();
  if (waits && room->live.queued.size() >= limits::queued_prompts)
    co_return fail(Errc::overloaded, "too many prompts wait already");
  Prompt wanted{.text = std::move(text), .options = std::move(options), .context = std::move(context)};
  for (Attachment& one : attachments) {
    one.about.id = self.settings.new_id("attachment_");
    one.about.bytes = one.data.size();
    wanted.attachments.push_back(one.about);
  }
  Prompted prompted;
  const EventLog::Outcome outcome = waits ? self.queue_prompt(room, std::move(wanted), attachments, prompted.queued)
                                          : self.begin_turn(room, std::move(wanted), attachments, prompted.turn);
  PARLANCE_CO_TRY_DO(co_await outcome->get());
  co_return prompted;
}

Task<Result<void>> Hub::prepare(std::string conversation, PromptOptions options) {
  const auto room = implementation_->find_room(conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  PARLANCE_CO_TRY(agent, co_await implementation_->agent_of(room));
  co_return co_await agent->prepare(std::move(options));
}

Task<Result<void>> Hub::restart(std::string conversation) {
  const auto room = implementation_->find_room(conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  if (room->turn) co_return fail(Errc::invalid_request, "the agent works on a turn; stop that first");
  AgentProvider* const provider = implementation_->provider(room->live.agent);
  if (provider == nullptr) co_return fail(Errc::not_found, "the agent " + room->live.agent + " is not there any more");
  if (provider->info().state == Health::down) co_await provider->look_again();  // it may have been installed since
  const AgentInfo info = provider->info();
  if (info.state == Health::down) co_return fail(Errc::disconnected, info.name + " is not there: " + info.detail);
  const bool had_session = !room->live.native_session.empty();
  PARLANCE_CO_TRY_DO(co_await prepare(conversation, {}));
  if (room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  room->log.append(
      event::Notice{.text = info.name + (had_session ? " was started again, and its session is loaded." : " was started again.")});
  co_return co_await room->log.written();
}

Task<Result<void>> Hub::withdraw(std::string conversation, std::string queued) {
  const auto room = implementation_->find_room(conversation);
  if (!room || room->removing) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  const auto found = std::ranges::find(room->live.queued, queued, &QueuedPrompt::id);
  if (found == room->live.queued.end()) co_return fail(Errc::not_found, "this prompt waits no more: " + queued);
  const auto place = found - room->live.queued.begin();
  const auto kept = std::make_shared<QueuedPrompt>(std::move(*found));
  room->live.queued.erase(found);
  const auto take_out = [&] {
    if (kept->attachments)
      for (const AttachmentInfo& about : *kept->attachments) room->log.remove_attachment(about.id);
    implementation_->touch(*room);
  };
  const auto put_back = [room, kept, place] {
    auto& queue = room->live.queued;
    queue.insert(queue.begin() + std::min<std::ptrdiff_t>(place, std::ssize(queue)), *kept);
  };
  co_return co_await room->log.operation(take_out, {.undo = put_back})->get();
}

Result<void> Hub::stop(std::string_view conversation) {
  const auto room = implementation_->find_room(conversation);
  if (!room) return fail(Errc::not_found, "no such conversation: " + std::string(conversation));
  implementation_->stop(*room);
  return {};
}

Result<void> Hub::go_on(std::string_view conversation) {
  const auto room = implementation_->find_room(conversation);
  if (!room) return fail(Errc::not_found, "no such conversation: " + std::string(conversation));
  if (!room->turn) implementation_->next_in_queue(room);
  return {};
}

}  // namespace parlance::hub
