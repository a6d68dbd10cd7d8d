// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/shown_conversation.h"

#include <algorithm>
#include <utility>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/face/webview/limits.h"
#include "parlance/face/webview/output.h"
#include "parlance/face/webview/state.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::face {
namespace {

using namespace webview;

std::string_view word(hub::StopReason reason) {
  switch (reason) {
    case hub::StopReason::end_turn: return "end_turn";
    case hub::StopReason::max_tokens: return "max_tokens";
    case hub::StopReason::refusal: return "refusal";
    case hub::StopReason::cancelled: return "cancelled";
    case hub::StopReason::max_turns: return "max_turns";
    case hub::StopReason::error: break;
  }
  return "error";
}

}  // namespace

ShownConversation::ShownConversation(Loop& loop, hub::UserHub hub, const WebviewSettings& settings, Frames& webview)
    : loop_(loop), hub_(std::move(hub)), settings_(settings), webview_(webview), changed_(loop), scope_(loop) {}

void ShownConversation::start(bool code_chunks) {
  code_chunks_ = code_chunks;
  if (started()) return;
  watcher_ = hub_.watch(&changed_);
  scope_.start(follow());
}

std::string ShownConversation::newest() const {
  const std::vector<hub::Conversation> all = webview_list(hub_, nullptr);
  return all.empty() ? "" : all.front().id;
}

// No value: the ask is settled.
std::optional<webview::RequestId> ShownConversation::request_of(const hub::Ask& ask) {
  if (hub_.find_ask(ask.id) == nullptr) return std::nullopt;
  const auto [known, is_new] = requests_.try_emplace(ask.id, last_request_ + 1);
  if (is_new) ++last_request_;
  return known->second;
}

// The state contains all messages so far; later events follow as chunks, without a gap.
Task<void> ShownConversation::show(std::string id) {
  const std::uint64_t mine = ++showing_;
  current_ = id.empty() ? newest() : std::move(id);
  follower_.reset();
  own_.clear();
  synthetic_open_ = false;
  chunks_.emplace(code_chunks_, [this](const hub::Ask& ask) { return request_of(ask); });
  std::vector<webview::Message> messages;
  if (const hub::Conversation* const row = conversation()) {
    const std::uint64_t last = row->last_seq;
    const auto page = co_await hub_.events(current_, 0, last + 1, limits::webview_history_events);
    if (mine != showing_) co_return;
    WebviewTranscript transcript(*chunks_);
    if (page)
      for (const hub::Event& event : page->events) transcript.take(event);
    const hub::Conversation* const now = conversation();
    if (now != nullptr && now->mode == hub::Mode::plan && transcript.ended_well() && !chunks_->plan_was_asked() &&
        kept_plan_ != current_ + "/" + std::to_string(last)) {
      synthetic_open_ = true;
      transcript.add({chunk::PlanApproval{.request_id = synthetic_request}});
    }
    messages = transcript.take_messages();
    if (!page)
      messages.push_back({AssistantMessage{
          .id = "0",
          .chunks = {{chunk::Failure{.code = std::string(to_string(page.error().code)), .message = page.error().message}}}}});
    follower_ = std::make_shared<hub::Follower>(hub_, current_, last, &changed_);
  } else {
    current_.clear();
  }
  send_state(std::move(messages));
  changed_.notify_all();
}

void ShownConversation::send_chunk(StreamChunk chunk) {
  send(webview_, {StreamChunkMessage{.conversation_id = current_, .chunk = std::move(chunk)}});
}

void ShownConversation::send_state(std::optional<std::vector<webview::Message>> messages) {
  StateUpdated update{.state = webview_state(hub_, current_, settings_.agent)};
  update.state.version = settings_.version;
  update.state.workspace_folders = workspace_folders_.empty() ? std::vector{settings_.default_folder} : workspace_folders_;
  state_due_ = false;
  state_at_ = loop_.now();
  std::string text = json::to_text(update.state);
  if (!messages && text == sent_state_) return;
  sent_state_ = std::move(text);
  update.state.messages = std::move(messages);
  send(webview_, {std::move(update)});
}

// ---- following -----------------------------------------------------------------------------------------------------------

bool ShownConversation::anything() const {
  return (follower_ && follower_->ready()) || watcher_->queued() != 0 ||
         (state_due_ && loop_.now() >= state_at_ + limits::webview_state_time);
}

Task<void> ShownConversation::follow() {
  for (;;) {
    while (webview_.queued_bytes() > limits::webview_output_bytes) co_await webview_.drained().wait();
    while (!anything() && !state_due_) co_await changed_.wait();
    if (follower_ && follower_->ready()) co_await send_events();
    if (watcher_->queued() != 0) {
      static_cast<void>(co_await watcher_->next());
      state_due_ = true;
    }
    if (!current_.empty() && conversation() == nullptr) co_await show("");
    if (state_due_ && loop_.now() >= state_at_ + limits::webview_state_time) send_state();
    co_await sleep_for(loop_, limits::webview_batch_time);
  }
}

Task<void> ShownConversation::send_events() {
  const auto mine = follower_;
  auto batch = co_await mine->next(limits::webview_event_bytes);
  if (mine != follower_) co_return;
  if (batch) {
    for (const hub::EventPtr& event : batch->events) send_event(*event);
  } else if (batch.error().code == Errc::not_found) {
    follower_.reset();  // deleted: another conversation follows
  } else {
    log(LogLevel::warn, "a webview cannot receive events at the moment", {{"why", batch.error().message}});
    co_await sleep_for(loop_, limits::store_retry);  // no event is lost: the next call reads them again
  }
}

// The webview shows its own message already if its turn begins at once.
bool ShownConversation::remove_own(const hub::event::UserMessage& said) {
  const auto own = std::ranges::find(own_, said.text);
  if (own == own_.end()) return false;
  own_.erase(own);
  return true;
}

void ShownConversation::send_event(const hub::Event& event) {
  for (StreamChunk& chunk : chunks_->of(event)) send_chunk(std::move(chunk));
  if (const auto* said = std::get_if<hub::event::UserMessage>(&event.body)) {
    synthetic_open_ = false;
    if (!remove_own(*said) && !adapter::is_reminder(said->text))
      send(webview_, {UserMessageAdded{.conversation_id = current_, .message = to_message(*said, event)}});
  } else if (const auto* settled = std::get_if<hub::event::AskSettled>(&event.body)) {
    const auto known = requests_.find(settled->ask);
    if (known == requests_.end()) return;
    send(webview_,
         {RequestSettled{.request_id = known->second, .state = std::string(hub::to_string(settled->state)), .by = settled->by}});
    if (settled->state != hub::AskState::orphaned) requests_.erase(known);
  } else if (std::holds_alternative<hub::event::Cleared>(event.body)) {
    send_state(std::vector<webview::Message>{});
  } else if (const auto* end = std::get_if<hub::event::TurnEnd>(&event.body)) {
    const hub::Conversation* const row = conversation();
    if (row != nullptr && row->mode == hub::Mode::plan && end->stop_reason == hub::StopReason::end_turn &&
        !chunks_->plan_was_asked()) {
      synthetic_open_ = true;
      kept_plan_.clear();
      send_chunk({chunk::PlanApproval{.request_id = synthetic_request}});
    }
    send(webview_, {StreamEnd{.conversation_id = current_, .stop_reason = std::string(word(end->stop_reason))}});
  }
}

// ---- prompts and answers ------------------------------------------------------------------------------------------------------

Task<Result<void>> ShownConversation::prompt(std::string text, std::vector<hub::Attachment> attachments,
                                             std::vector<hub::PromptContext> context) {
  own_.push_back(text);
  const auto prompted = co_await hub_.submit(
      current_, hub::SendPrompt{.text = text, .attachments = std::move(attachments), .context = std::move(context)});
  if (!prompted || prompted->turn.empty())  // queued: reported with the begin of its turn
    if (const auto own = std::ranges::find(own_, text); own != own_.end()) own_.erase(own);
  if (!prompted) co_return std::unexpected(prompted.error());
  co_return Result<void>{};
}

Result<hub::Ask> ShownConversation::ask_of(webview::RequestId request) const {
  const auto known = std::ranges::find(requests_, request, &decltype(requests_)::value_type::second);
  const hub::Ask* const ask = known == requests_.end() ? nullptr : hub_.find_ask(known->first);
  if (ask == nullptr) return fail(Errc::not_found, "$.requestId: this request is no longer open");
  return *ask;
}

// No request of the agent waits: the answer starts another turn, or none.
Task<Result<void>> ShownConversation::answer_plan(PlanOption option, std::string feedback) {
  const hub::Conversation* const row = conversation();
  if (!synthetic_open_ || row == nullptr) co_return fail(Errc::not_found, "$.requestId: this plan is no longer open");
  if (option == PlanOption::feedback && trim(feedback).empty())
    co_return fail(Errc::invalid_params, "$.feedback: describe the wanted changes");
  synthetic_open_ = false;
  kept_plan_ = current_ + "/" + std::to_string(row->last_seq);
  if (option == PlanOption::keep) co_return Result<void>{};
  if (option == PlanOption::feedback) co_return co_await prompt(std::move(feedback), {}, {});
  const hub::Mode mode = option == PlanOption::smart ? hub::Mode::smart : hub::Mode::default_;
  PARLANCE_CO_TRY_DO(co_await hub_.submit(current_, hub::ChangeSettings{{.mode = mode}}));
  co_return co_await prompt(adapter::execution_message(settings_.language), {}, {});
}

}  // namespace parlance::face
