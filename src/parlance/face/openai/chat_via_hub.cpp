// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/chat_via_hub.h"

#include <utility>

#include "parlance/base/log.h"
#include "parlance/face/openai/imported_chat.h"
#include "parlance/face/openai/turn_stream.h"
#include "parlance/gateway/http_errors.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/follower.h"

namespace parlance::face {

// The conversation of a request. A separate task creates it, so a disconnect during the creation leaves no conversation behind.
struct ChatViaHub::Visit {
  Visit(Loop& loop, hub::UserHub of) : hub(std::move(of)), opened(loop) {}
  hub::UserHub hub;
  std::optional<Result<hub::Conversation>> conversation;
  bool gone = false;  // the client disconnected
  Signal opened;
};

struct ChatViaHub::Stay {
  Stay(ChatViaHub& o, hub::UserHub hub) : owner(o), visit(std::make_shared<Visit>(o.loop_, std::move(hub))) { ++owner.running_; }
  ~Stay() { owner.leave(*visit); }
  Stay(const Stay&) = delete;
  Stay& operator=(const Stay&) = delete;
  ChatViaHub& owner;
  std::shared_ptr<Visit> visit;
};

namespace {

std::string title_for(const ImportedChat& imported) { return imported.text.empty() ? "HTTP request" : "HTTP: " + imported.text; }

Error undecided(const hub::Ask& ask, const std::string& page_url, Duration patience) {
  const auto waited = std::chrono::duration_cast<std::chrono::seconds>(patience).count();
  const std::string missing =
      waited == 0 ? "no page is open to answer it" : "nobody answered within " + std::to_string(waited) + " s";
  return gateway::with_code(
      {.code = Errc::denied,
       .message = "approval needed for " + subject_of(ask) + ", and " + missing + ". Nothing was done. Open " + page_url +
                  " and send the request again while the page is open, or send it with \"stream\": true, or start parlance with "
                  "--ask-wait SECONDS. The answer \"always\" on the page also covers later requests."},
      "approval_needed");
}

}  // namespace

ChatViaHub::ChatViaHub(Loop& loop, ChatViaHubSettings settings) : loop_(loop), settings_(std::move(settings)), scope_(loop) {}

Task<void> ChatViaHub::open(std::shared_ptr<Visit> visit, hub::NewConversation wanted) {
  visit->conversation = co_await visit->hub.create(std::move(wanted));
  visit->opened.notify_all();
  if (visit->gone) leave(*visit);
}

void ChatViaHub::leave(Visit& visit) {
  visit.gone = true;
  if (!visit.conversation) return;  // `open` checks `gone` later
  if (*visit.conversation) scope_.start(remove(visit.hub, (*visit.conversation)->id));
  else --running_;
}

Task<void> ChatViaHub::remove(hub::UserHub hub, std::string id) {
  if (settings_.own != nullptr) settings_.own->set_parameters(id, {});
  if (const auto removed = co_await hub.submit(id, hub::RemoveConversation{});
      !removed && removed.error().code != Errc::not_found)
    log(LogLevel::warn, "the conversation of a request stays until the next start", {{"why", removed.error().message}});
  --running_;
}

// For an agent on a runner: its first permitted folder.
std::string ChatViaHub::folder_for(const hub::UserHub& hub, const std::string& agent) const {
  for (const hub::AgentInfo& agent_info : hub.agents())
    if (agent_info.id == agent && agent_info.folders && !agent_info.folders->empty()) return agent_info.folders->front();
  return settings_.folder;
}

Task<Result<model::Completion>> ChatViaHub::chat(hub::UserHub hub, HubChat chat, ChatFollower& follower) {
  if (running_ >= http_conversations)
    co_return fail(Errc::overloaded, std::to_string(http_conversations) + " requests run already: try again in a moment");
  const Stay stay(*this, hub);
  ImportedChat imported = import_chat(std::move(chat.messages), settings_.new_id);
  scope_.start(open(stay.visit, {.agent = chat.by.agent,
                                 .folder = folder_for(hub, chat.by.agent),
                                 .model = chat.by.model,
                                 .think = chat.think,
                                 .title = title_for(imported),
                                 .via = "http",
                                 .history = std::make_shared<hub::ImportedHistory>(std::move(imported.history))}));
  while (!stay.visit->conversation) co_await stay.visit->opened.wait();
  if (!*stay.visit->conversation) co_return std::unexpected(stay.visit->conversation->error());
  const hub::Conversation& conversation = **stay.visit->conversation;

  if (settings_.own != nullptr && chat.parameters) settings_.own->set_parameters(conversation.id, std::move(chat.parameters));
  hub::Follower turn(hub, conversation.id, conversation.last_seq);
  if (imported.prompts)
    PARLANCE_CO_TRY_DO(co_await hub.submit(conversation.id, hub::SendPrompt{.text = std::move(imported.text),
                                                                            .options = std::move(imported.options),
                                                                            .attachments = std::move(imported.attachments)}));
  else PARLANCE_CO_TRY_DO(co_await hub.submit(conversation.id, hub::ContinueTurn{.options = std::move(imported.options)}));

  TurnStream stream(follower, settings_.page_url ? settings_.page_url() : "");
  std::optional<TimePoint> deadline;  // of the open requests
  Duration patience{};
  for (;;) {
    auto batch = deadline ? co_await with_deadline(loop_, *deadline, turn.next()) : co_await turn.next();
    if (!batch && deadline && batch.error().code == Errc::deadline_exceeded)
      co_return fail(undecided(stream.asks().front(), stream.page_url(), patience));
    if (!batch) co_return std::unexpected(std::move(batch).error());
    for (const hub::EventPtr& event : batch->events) {
      PARLANCE_CO_TRY_DO(stream.take(*event));
      if (stream.ended()) co_return stream.take_result();
    }
    if (stream.asks().empty()) deadline.reset();
    else if (chat.ask_patience && !deadline) deadline = loop_.now() + (patience = chat.ask_patience());
  }
}

}  // namespace parlance::face
