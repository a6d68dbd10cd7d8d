// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/attachment.h"

#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/acp/asks.h"
#include "parlance/face/acp/client_asks.h"
#include "parlance/face/acp/intents.h"
#include "parlance/face/acp/limits.h"
#include "parlance/face/acp/options.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/limits.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::face {
namespace {

constexpr std::size_t taken_bytes = 256 << 10;  // of events in a batch

acp::StopReason to_acp(hub::StopReason reason) {
  switch (reason) {
    case hub::StopReason::max_tokens: return acp::StopReason::max_tokens;
    case hub::StopReason::max_turns: return acp::StopReason::max_turn_requests;
    case hub::StopReason::refusal: return acp::StopReason::refusal;
    case hub::StopReason::cancelled: return acp::StopReason::cancelled;
    case hub::StopReason::end_turn:
    case hub::StopReason::error: break;  // an error is no result
  }
  return acp::StopReason::end_turn;
}

acp::PromptResult cancelled_result() { return {.stop_reason = {.value = acp::StopReason::cancelled}}; }

// Joins pieces of text, so a slow client receives fewer messages.
std::vector<hub::EventPtr> joined(const std::vector<hub::EventPtr>& events) {
  std::vector<hub::EventPtr> out;
  std::shared_ptr<hub::Event> grows;
  for (const hub::EventPtr& event : events) {
    const bool piece =
        std::holds_alternative<hub::event::Text>(event->body) || std::holds_alternative<hub::event::ThinkingContent>(event->body);
    if (piece && grows) {
      hub::EventBody next = event->body;
      if (hub::append_piece(grows->body, next)) continue;
    }
    grows = piece ? std::make_shared<hub::Event>(*event) : nullptr;
    out.push_back(grows ? grows : event);
  }
  return out;
}

}  // namespace

AcpAttachment::AcpAttachment(Loop& loop, AcpClient& client, AcpSessionPtr session)
    : loop_(loop),
      client_(client),
      session_(std::move(session)),
      files_(client, session_),
      updates_({.iflow = client.iflow(), .notices = client.shows.notices}),
      changed_(loop),
      live_signal_(loop),
      scope_(loop) {
  ++session_->clients;
}

AcpAttachment::~AcpAttachment() {
  scope_.cancel();
  --session_->clients;
}

// ---- beginning -------------------------------------------------------------------------------------------------------------

// Events before the last `cleared` are hidden from all readers of the conversation.
Task<std::uint64_t> AcpAttachment::last_cleared(std::uint64_t last) {
  std::uint64_t found = 0;
  hub::Follower reader(hub(), session_->conversation, 0);
  while (reader.position() < last) {
    const auto batch = co_await reader.next(taken_bytes);
    if (!batch) break;
    for (const hub::EventPtr& event : batch->events)
      if (std::holds_alternative<hub::event::Cleared>(event->body)) found = event->seq;
  }
  co_return found;
}

Task<Result<void>> AcpAttachment::begin(bool history) {
  const hub::Conversation* const row = conversation();
  if (row == nullptr) co_return fail(Errc::not_found, "Resource not found: " + session_->id);
  const std::uint64_t last = row->last_seq;
  sent_mode_ = row->mode;
  sent_title_ = row->title;
  sent_options_ = json::to_text(acp::ConfigOptions{.config_options = options()});
  muted_ = !history;
  follower_.emplace(hub(), session_->conversation, co_await last_cleared(last));
  while (follower_->position() < last) {
    PARLANCE_CO_TRY(batch, co_await follower_->next(taken_bytes));
    for (const hub::EventPtr& event : joined(batch.events)) co_await take(*event);
  }
  muted_ = false;
  static_cast<void>(updates_.take_usage());
  scope_.start(go_live());
  live_signal_.notify_all();  // in this turn of the loop, but after the answer
  co_return Result<void>{};
}

// A client learns of a session from the answer to the request: no update may precede the answer.
Task<void> AcpAttachment::go_live() {
  co_await live_signal_.wait();
  live_ = true;
  for (std::string& text : std::exchange(remarks_, {})) remark(std::move(text));
  if (const auto commands = agent().commands; commands && !commands_sent_)
    co_await take({.body = hub::event::Commands{.commands = *commands}});
  for (const hub::Ask& open : open_asks(hub()))
    if (open.conversation == session_->conversation && open.state == hub::AskState::open) ask(open);
  co_await follow();
}

Task<void> AcpAttachment::follow() {
  for (;;) {
    auto batch = co_await follower_->next(taken_bytes);
    if (!batch && batch.error().code == Errc::not_found) break;
    if (!batch) {
      log(LogLevel::warn, "a client cannot receive events at the moment", {{"why", batch.error().message}});
      co_await sleep_for(loop_, limits::store_retry);  // no event is lost: the next read starts at the same position
      continue;
    }
    for (const hub::EventPtr& event : joined(batch->events)) co_await take(*event);
    if (batch->conversation) send_row(*batch->conversation);
    changed_.notify_all();
  }
  // The conversation is deleted, or the attachment ends.
  for (Turn& turn : turns_)
    if (!turn.ended) turn.ended = hub::StopReason::cancelled;
  changed_.notify_all();
}

// ---- updates -----------------------------------------------------------------------------------------------------------------

void AcpAttachment::send(acp::Update update) {
  if (muted_) return;
  acp::SessionUpdate notification{.session_id = session_->id, .update = std::move(update)};
  const auto sent = client_.peer.notify(acp::method::update, notification);
  if (!sent && sent.error().code != Errc::disconnected)
    log(LogLevel::warn, "an update could not be sent", {{"client", client_.name}, {"why", sent.error().message}});
}

void AcpAttachment::remark(std::string what) {
  if (!live_) {
    log(LogLevel::warn, what, {{"client", client_.name}});
    remarks_.push_back(std::move(what));
  } else if (client_.shows.notices) {
    send({acp::NoticeUpdate{.severity = "warning", .title = std::move(what)}});
  }
}

Task<AcpUpdates::Pictures> AcpAttachment::pictures_of(const hub::Event& event) {
  AcpUpdates::Pictures pictures;
  const auto* update = std::get_if<hub::event::ToolUpdate>(&event.body);
  if (update == nullptr || !update->content || muted_) co_return pictures;
  for (const hub::ToolContent& content : *update->content) {
    const auto* shown = std::get_if<hub::ToolPicture>(&content);
    if (shown == nullptr || shown->attachment.url) continue;
    if (auto bytes = co_await hub().attachment(shown->attachment.id)) pictures[shown->attachment.id] = *std::move(bytes);
  }
  co_return pictures;
}

Task<void> AcpAttachment::take(const hub::Event& event) {
  co_await client_.peer.wait_writable();
  if (std::holds_alternative<hub::event::UserMessage>(event.body)) co_await said(event);
  if (std::holds_alternative<hub::event::TurnStart>(event.body)) failure_.reset();
  if (const auto* failure = std::get_if<hub::event::Failure>(&event.body)) failure_ = *failure;
  if (std::holds_alternative<hub::event::Commands>(event.body)) commands_sent_ = true;
  for (acp::Update& update : updates_.of(event, co_await pictures_of(event))) send(std::move(update));
  if (!live_) co_return;
  if (const hub::Ask* open = ask_of(event.body)) ask(*open);
  if (const auto* settled = std::get_if<hub::event::AskSettled>(&event.body)) withdraw(settled->ask);
  if (const auto* end = std::get_if<hub::event::TurnEnd>(&event.body)) ended(*end);
}

namespace {

// ACP has no field for authors.
wire::Raw meta_of_author(const std::optional<std::string>& author) {
  if (!author) return {};
  json::Object ours;
  ours.set("by", *author);
  json::Object meta;
  meta.set("parlance", json::Value(std::move(ours)));
  return {json::to_text(json::Value(std::move(meta)))};
}

}  // namespace

// A client knows its own prompts. The attachment sends the prompts of other clients, of pages and of a replay.
Task<void> AcpAttachment::said(const hub::Event& event) {
  const auto& message = std::get<hub::event::UserMessage>(event.body);
  while (live_ && beginning_ != 0) co_await changed_.wait();
  if (live_ && std::ranges::find(turns_, message.turn, &Turn::id) != turns_.end()) co_return;
  for (acp::Content& block : acp_blocks(message.text, message.attachments.value_or(std::vector<hub::AttachmentInfo>{}),
                                        message.context.value_or(std::vector<hub::PromptContext>{})))
    send({acp::UserMessageChunk{
        {.content = std::move(block), .message_id = "msg-" + std::to_string(event.seq), .meta = meta_of_author(message.by)}}});
}

void AcpAttachment::ended(const hub::event::TurnEnd& end) {
  const auto usage = updates_.take_usage();
  const auto own = std::ranges::find(turns_, end.turn, &Turn::id);
  if (own != turns_.end()) {
    own->ended = end.stop_reason;
    own->failure = failure_;
    own->usage = usage;
  }
  changed_.notify_all();
}

void AcpAttachment::send_row(const hub::Conversation& row) {
  if (row.mode != std::exchange(sent_mode_, row.mode) && !client_.iflow())
    send({acp::CurrentModeUpdate{.current_mode_id = std::string(hub::to_string(row.mode))}});
  acp::ConfigOptions now{.config_options = acp_options(agent(), row, client_.shows.boolean_options)};
  if (std::string text = json::to_text(now); text != sent_options_) {
    sent_options_ = std::move(text);
    if (!client_.iflow()) send({acp::ConfigOptionUpdate{.config_options = std::move(now.config_options)}});
  }
  if (row.title != std::exchange(sent_title_, row.title))
    send({acp::SessionInfoUpdate{.title = row.title, .updated_at = row.updated_at}});
}

// ---- choices ---------------------------------------------------------------------------------------------------------------------

hub::AgentInfo AcpAttachment::agent() const {
  const hub::Conversation* const row = conversation();
  for (hub::AgentInfo& agent : hub().agents())
    if (row != nullptr && agent.id == row->agent) return std::move(agent);
  return {};
}

std::vector<acp::ConfigOption> AcpAttachment::options() const {
  const hub::Conversation* const row = conversation();
  return row == nullptr ? std::vector<acp::ConfigOption>{} : acp_options(agent(), *row, client_.shows.boolean_options);
}

acp::SessionState AcpAttachment::state() const {
  const hub::Conversation* const row = conversation();
  if (row == nullptr) return {};
  const hub::AgentInfo by = agent();
  acp::SessionState state{.modes = acp_modes(by, *row)};
  auto models = acp_models(by, *row);
  if (client_.iflow()) {
    if (models) state.meta.json = R"({"models":)" + json::to_text(*models) + "}";
    return state;
  }
  state.models = std::move(models);  // for clients of older drafts
  state.config_options = options();
  return state;
}

// ---- requests ----------------------------------------------------------------------------------------------------------------------

// Asks the client once, and skips a settled request.
void AcpAttachment::ask(const hub::Ask& ask) {
  const hub::Ask* const open = hub().find_ask(ask.id);
  if (open == nullptr || open->state != hub::AskState::open || asks_.contains(ask.id)) return;
  asks_[ask.id] = scope_.start(settle(ask));
}

void AcpAttachment::withdraw(const std::string& ask) {
  auto node = asks_.extract(ask);
  if (!node.empty()) node.mapped().cancel();
}

Task<void> AcpAttachment::settle(hub::Ask ask) {
  auto given = co_await ask_client({.client = client_,
                                    .session = session_->id,
                                    .call = updates_.call(ask.call.value_or(ask.id)),
                                    .meta = client_.decides ? acp_intent_meta(hub().intent_of(ask.id)) : "",
                                    .notify = [this](acp::Update update) { send(std::move(update)); }},
                                   ask);
  if (!given) {
    const bool gone = given.error().code == Errc::disconnected;
    if (!gone) log(LogLevel::warn, "a client could not be asked", {{"client", client_.name}, {"why", given.error().message}});
    // Another client or a page may still answer. An invalid form from this client counts as a refusal.
    if (!is_invalid_reply(given.error()) && (gone || !client_.alone || session_->clients != 1)) co_return;
    given = refused(ask, client_.name, "The client cannot be asked: " + given.error().message);
  }
  hub::AnswerRequest answer{.request = ask.id, .answer = *std::move(given)};
  if (const auto settled = co_await hub().submit(ask.conversation, std::move(answer)); !settled)
    log(LogLevel::info, "an answer came too late", {{"client", client_.name}, {"why", settled.error().message}});
}

// ---- prompts -----------------------------------------------------------------------------------------------------------------------

// Stops the turn if the client cancels the request by its id: no caller waits for the answer.
struct AcpAttachment::StopIfCancelled {
  AcpAttachment& self;
  std::uint64_t cancelled_before;
  bool runs = false;  // the turn of this client's prompt
  explicit StopIfCancelled(AcpAttachment& of) : self(of), cancelled_before(of.client_.peer.stats().cancelled) {}
  StopIfCancelled(const StopIfCancelled&) = delete;
  StopIfCancelled& operator=(const StopIfCancelled&) = delete;
  ~StopIfCancelled() {
    if (runs && self.client_.peer.stats().cancelled != cancelled_before)
      static_cast<void>(self.hub().submit_at_once(self.session_->conversation, hub::StopTurn{}));
  }
};

// The id of the turn. Empty: cancelled before the turn began.
Task<Result<std::string>> AcpAttachment::begin_turn(const AcpPrompt& said, std::uint64_t cancels) {
  struct Beginning {
    AcpAttachment& self;
    explicit Beginning(AcpAttachment& of) : self(of) { ++self.beginning_; }
    Beginning(const Beginning&) = delete;
    Beginning& operator=(const Beginning&) = delete;
    ~Beginning() {
      --self.beginning_;
      self.changed_.notify_all();
    }
  };
  for (;;) {
    const hub::Conversation* row = conversation();
    while (row != nullptr && !row->turn.empty() && cancels == cancels_) {
      co_await changed_.wait();
      row = conversation();
    }
    if (cancels != cancels_) co_return std::string();
    const Beginning beginning(*this);
    PARLANCE_CO_TRY(begun, co_await hub().submit(session_->conversation,
                                                 hub::SendPrompt{said.text, prompt_options_, said.attachments, said.context}));
    if (begun.turn.empty()) {
      // Another prompt was first. This prompt does not wait in the hub's queue: a stop of the other turn would hold the queue.
      if (co_await hub().submit(session_->conversation, hub::WithdrawPrompt{.prompt = begun.queued})) continue;
      if (row = conversation(); row != nullptr) begun.turn = row->turn;
    }
    turns_.push_back({.id = begun.turn});
    co_return std::move(begun.turn);
  }
}

Task<Result<acp::PromptResult>> AcpAttachment::prompt(AcpPrompt said) {
  const std::uint64_t cancels = cancels_;
  StopIfCancelled guard(*this);
  auto begun = co_await begin_turn(said, cancels);
  if (!begun) co_return failed(std::move(begun).error());
  if (begun->empty()) co_return cancelled_result();
  guard.runs = true;
  const auto turn = std::ranges::find(turns_, *begun, &Turn::id);
  struct Forget {
    std::list<Turn>& turns;
    std::list<Turn>::iterator turn;
    ~Forget() { turns.erase(turn); }
  };
  const Forget forget{turns_, turn};
  if (cancels != cancels_) static_cast<void>(hub().submit_at_once(session_->conversation, hub::StopTurn{}));
  while (!turn->ended) co_await changed_.wait();
  guard.runs = false;
  co_return result_of(*turn, cancels != cancels_);
}

// The iFlow SDK waits without end after an error as the answer to a prompt.
Result<acp::PromptResult> AcpAttachment::failed(Error error) {
  if (!client_.iflow()) return std::unexpected(std::move(error));
  send({acp::AgentMessageChunk{{.content = acp::text(error.message)}}});
  return acp::PromptResult{.stop_reason = {.value = acp::StopReason::refusal}};
}

Result<acp::PromptResult> AcpAttachment::result_of(const Turn& turn, bool cancelled) {
  if (*turn.ended == hub::StopReason::error && !cancelled) return failed(acp_error(turn.failure));
  acp::PromptResult result{.stop_reason = {.value = cancelled ? acp::StopReason::cancelled : to_acp(*turn.ended)}};
  // The stable protocol has no member for the usage, and strict clients refuse unknown members beside `stopReason`.
  if (turn.usage) result.meta.json = R"({"usage":)" + json::to_text(*turn.usage) + "}";
  return result;
}

void AcpAttachment::cancel(Whose turn) {
  ++cancels_;
  static_cast<void>(hub().submit_at_once(session_->conversation, hub::StopTurn{.only_own = turn == Whose::own}));
  changed_.notify_all();
}

}  // namespace parlance::face
