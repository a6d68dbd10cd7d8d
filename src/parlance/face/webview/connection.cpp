// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/connection.h"

#include <algorithm>
#include <utility>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/base/log.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/webview/limits.h"
#include "parlance/face/webview/permissions.h"
#include "parlance/face/webview/state.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/snapshot.h"

namespace parlance::face {
namespace {

using namespace webview;

// The type of an unreadable message, so the webview knows the failed message.
std::string type_in(BytesView frame) {
  if (!is_valid_utf8(frame)) return "";
  const auto value = json::parse(frame);
  return value ? std::string(value->text_or("type", "")) : "";
}

// Read-only messages with separate answers: later messages do not depend on them.
template <class Message>
constexpr bool only_looks = std::same_as<Message, ListWorkspaceFiles> || std::same_as<Message, SearchFiles> ||
                            std::same_as<Message, ReadFiles> || std::same_as<Message, RecheckCli>;

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

WebviewConnection::WebviewConnection(Loop& loop, hub::UserHub hub, WebviewPeer peer, const WebviewSettings& settings,
                                     WebviewStatistics& statistics, std::unique_ptr<Frames> frames)
    : loop_(loop),
      hub_(std::move(hub)),
      peer_(peer),
      settings_(settings),
      statistics_(statistics),
      frames_(std::move(frames)),
      folder_check_(loop, settings.home),
      names_(loop),
      files_(loop, settings.file_bytes, settings.state_folder),
      news_(loop),
      scope_(loop) {}

// ---- input -------------------------------------------------------------------------------------------------------------

Task<void> WebviewConnection::read_all() {
  for (;;) {
    const auto batch = co_await read_frames(*frames_);
    if (!batch || batch->empty()) co_return;
    for (const BytesView frame : *batch) co_await take(frame);
  }
}

template <class Message>
Task<void> WebviewConnection::answer(Message message) {
  Result<void> done = hub_.check(WebviewPermissions::of<Message>());
  if (!done) {
    fail_message(Message::tag, done.error());
    co_return;
  }
  if (!ready_ && !std::same_as<Message, webview::Ready> && !std::same_as<Message, IdeContextChanged> &&
      !std::same_as<Message, WorkspaceFolders> && !std::same_as<Message, PickedFiles>)
    done = fail(Errc::invalid_request, "`ready` comes first");
  else done = co_await perform(message);
  if (!done) fail_message(Message::tag, done.error());
}

Task<void> WebviewConnection::take(BytesView frame) {
  while (frames_->congested()) co_await frames_->drained().wait();
  ++statistics_.messages;
  auto message = json::from_text<PageMessage>(frame);
  if (!message) {
    ++statistics_.malformed;
    fail_message(type_in(frame), message.error());
    co_return;
  }
  std::optional<Task<void>> in_order = std::visit(
      [this]<class Message>(Message& m) -> std::optional<Task<void>> {
        if constexpr (std::same_as<Message, wire::Other>) {
          ++statistics_.malformed;
          fail_message(type_in(m.raw.json),
                       {.code = Errc::unknown_method, .message = "$.type: unknown message; reload the page"});
        } else if constexpr (only_looks<Message>) {
          scope_.start(answer(std::move(m)));
        } else {
          return answer(std::move(m));
        }
        return std::nullopt;
      },
      message->value);
  if (in_order) co_await std::move(*in_order);
}

void WebviewConnection::send(const HostMessage& message) {
  const auto sent = frames_->compose([&](std::string& out) -> Result<void> {
    json::write(out, wire::type_of<HostMessage>(), &message);
    return {};
  });
  if (!sent) log(LogLevel::warn, "a message could not be sent", {{"webview", frames_->name()}, {"why", sent.error().message}});
}

void WebviewConnection::send_chunk(StreamChunk chunk) {
  send({StreamChunkMessage{.conversation_id = current_, .chunk = std::move(chunk)}});
}

void WebviewConnection::fail_message(std::string_view of, const Error& error) {
  send({Failed{.of = std::string(of), .code = std::string(to_string(error.code)), .message = error.message}});
}

// ---- output ----------------------------------------------------------------------------------------------------------------

std::string WebviewConnection::newest() const {
  for (const hub::Conversation& one : hub_.snapshot().conversations)
    if (!one.archived.value_or(false)) return one.id;
  return "";
}

// The connection's id of an open ask. The id is stable for the connection.
std::optional<webview::RequestId> WebviewConnection::request_of(const hub::Ask& ask) {
  if (hub_.find_ask(ask.id) == nullptr) return std::nullopt;
  const auto known = std::ranges::find(requests_, ask.id, &std::pair<const webview::RequestId, std::string>::second);
  if (known != requests_.end()) return known->first;
  requests_.emplace(++last_request_, ask.id);
  return last_request_;
}

// The state contains all messages so far; later events follow as chunks, without a gap.
Task<void> WebviewConnection::show(std::string conversation) {
  const std::uint64_t mine = ++showing_;
  current_ = std::move(conversation);
  follower_.reset();
  own_.clear();
  synthetic_open_ = false;
  chunks_.emplace(code_chunks_, [this](const hub::Ask& ask) { return request_of(ask); });
  std::vector<webview::Message> messages;
  if (const hub::Conversation* const row = current_row()) {
    const std::uint64_t last = row->last_seq;
    const auto page = co_await hub_.events(current_, 0, last + 1, limits::webview_history_events);
    if (mine != showing_) co_return;
    WebviewTranscript transcript(*chunks_);
    if (page)
      for (const hub::Event& event : page->events) transcript.take(event);
    const hub::Conversation* const now = current_row();
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
    follower_ = std::make_shared<hub::Follower>(hub_, current_, last, &news_);
  } else {
    current_.clear();
  }
  send_state(std::move(messages));
  news_.notify_all();
}

void WebviewConnection::send_state(std::optional<std::vector<webview::Message>> messages) {
  StateUpdated update{.state = webview_state(hub_.snapshot(), current_, settings_.agent)};
  update.state.version = settings_.version;
  update.state.workspace_folders = workspace_folders_.empty() ? std::vector{settings_.default_folder} : workspace_folders_;
  state_due_ = false;
  state_at_ = loop_.now();
  std::string told = json::to_text(update.state);
  if (!messages && told == state_told_) return;
  state_told_ = std::move(told);
  update.state.messages = std::move(messages);
  send({std::move(update)});
}

// ---- following -----------------------------------------------------------------------------------------------------------

bool WebviewConnection::anything() const {
  return (follower_ && follower_->ready()) || watcher_->queued() != 0 ||
         (state_due_ && loop_.now() >= state_at_ + limits::webview_state_time);
}

Task<void> WebviewConnection::follow() {
  for (;;) {
    while (frames_->queued_bytes() > limits::webview_output_bytes) co_await frames_->drained().wait();
    while (!anything() && !state_due_) co_await news_.wait();
    if (follower_ && follower_->ready()) co_await tell_events();
    if (watcher_->queued() != 0) {
      static_cast<void>(co_await watcher_->next());
      state_due_ = true;
    }
    if (!current_.empty() && current_row() == nullptr) co_await show(newest());
    if (state_due_ && loop_.now() >= state_at_ + limits::webview_state_time) send_state(std::nullopt);
    co_await sleep_for(loop_, limits::webview_batch_time);
  }
}

Task<void> WebviewConnection::tell_events() {
  const auto mine = follower_;
  auto news = co_await mine->next(limits::webview_event_bytes);
  if (mine != follower_) co_return;
  if (news) {
    for (const hub::EventPtr& event : news->events) tell(*event);
  } else if (news.error().code == Errc::not_found) {
    follower_.reset();  // deleted: another conversation follows
  } else {
    log(LogLevel::warn, "a webview cannot be told events for the moment", {{"why", news.error().message}});
    co_await sleep_for(loop_, limits::store_retry);  // no event is lost: the next call reads them again
  }
}

// The webview shows its own message already if its turn begins at once.
bool WebviewConnection::told_itself(const hub::event::UserMessage& said) {
  const auto own = std::ranges::find(own_, said.text);
  if (own == own_.end()) return false;
  own_.erase(own);
  return true;
}

void WebviewConnection::tell(const hub::Event& event) {
  for (StreamChunk& one : chunks_->of(event)) send_chunk(std::move(one));
  if (const auto* said = std::get_if<hub::event::UserMessage>(&event.body)) {
    synthetic_open_ = false;
    if (!told_itself(*said) && !adapter::is_reminder(said->text))
      send({UserMessageAdded{.conversation_id = current_, .message = to_message(*said, event)}});
  } else if (const auto* settled = std::get_if<hub::event::AskSettled>(&event.body)) {
    const auto known = std::ranges::find(requests_, settled->ask, &std::pair<const webview::RequestId, std::string>::second);
    if (known == requests_.end()) return;
    send({RequestSettled{.request_id = known->first, .state = std::string(hub::to_string(settled->state)), .by = settled->by}});
    if (settled->state != hub::AskState::orphaned) requests_.erase(known);
  } else if (std::holds_alternative<hub::event::Cleared>(event.body)) {
    send_state(std::vector<webview::Message>{});
  } else if (const auto* end = std::get_if<hub::event::TurnEnd>(&event.body)) {
    const hub::Conversation* const row = current_row();
    if (row != nullptr && row->mode == hub::Mode::plan && end->stop_reason == hub::StopReason::end_turn &&
        !chunks_->plan_was_asked()) {
      synthetic_open_ = true;
      kept_plan_.clear();
      send_chunk({chunk::PlanApproval{.request_id = synthetic_request}});
    }
    send({StreamEnd{.conversation_id = current_, .stop_reason = std::string(word(end->stop_reason))}});
  }
}

}  // namespace parlance::face
