// SPDX-License-Identifier: Apache-2.0
// A chat of an HTTP client as a conversation of the hub that lives for this one request: what the client says was said before stands
// in its log, the agent's tools run under the hub's rules, and what has to be asked any face may answer. Faces hear of the conversation
// once it asks something (Conversation::via), and it is removed when the request ends, however it ends.
// docs/decisions/0020-http-clients-get-the-agent.md. Loop thread only; the hub outlives it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/agent/backend.h"
#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/base/secret.h"
#include "parlance/face/openai/chat_follower.h"
#include "parlance/face/openai/served_models.h"
#include "parlance/hub/user_hub.h"
#include "parlance/model/model.h"

namespace parlance::face {

// Running at once, with those that are being removed. Each holds a history and a watcher; a person answers none of so many.
inline constexpr std::size_t http_conversations = 256;

struct ChatViaHubSettings {
  std::string folder{};                     // where the agent's tools work
  std::function<std::string()> page_url{};  // where a person answers, without the token
  std::function<std::string(std::string_view prefix)> new_id = make_id;
  agent::ChatBackend* own = nullptr;  // of our own agent: takes HubChat::parameters; outlives the chats
};

struct HubChat {
  std::vector<model::Message> messages{};
  ServedModels::Chosen by{};
  bool think = false;
  std::optional<agent::ModelParameters> parameters{};  // for our own agent only
  // Time for a person to answer a request, read when it opens. 0: the chat ends at once. Empty: as long as the client waits.
  std::function<Duration()> ask_patience{};
};

class ChatViaHub {
 public:
  ChatViaHub(Loop& loop, ChatViaHubSettings settings);

  // Destroying the task stops the turn. The content is all that the agent says in it, a blank line between what it said before and
  // after its tools ran. Errors: overloaded; denied (nobody decided in time, or a person stopped it); those of the turn.
  Task<Result<model::Completion>> chat(hub::UserHub hub, HubChat chat, ChatFollower& follower);
  std::size_t running() const { return running_; }

 private:
  struct Visit;
  struct Stay;
  Task<void> open(std::shared_ptr<Visit> visit, hub::NewConversation wanted);
  std::string folder_for(const hub::UserHub& hub, const std::string& agent) const;
  Task<void> remove(hub::UserHub hub, std::string id);
  void leave(Visit& visit);

  Loop& loop_;
  ChatViaHubSettings settings_;
  std::size_t running_ = 0;
  Scope scope_;  // conversations that begin and go
};

}  // namespace parlance::face
