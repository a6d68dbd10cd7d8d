// SPDX-License-Identifier: Apache-2.0
// Runs the chat of an HTTP client as a temporary conversation of the hub. The client's earlier messages become its log, the
// agent's tools run under the hub's rules, and any frontend may answer its requests. Frontends see the conversation after its
// first request (SessionSetup::via); the end of the HTTP request removes it. docs/decisions/0020-http-clients-get-the-agent.md.
// Loop thread only; the hub must outlive the object.
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

// Limit of parallel conversations, those under removal included. Each needs memory for a history and a watcher, and a person
// answers far fewer.
inline constexpr std::size_t http_conversations = 256;

struct ChatViaHubSettings {
  std::string folder{};                     // folder of the agent's tools
  std::function<std::string()> page_url{};  // address of the page for answers, without the token
  std::function<std::string(std::string_view prefix)> new_id = make_id;
  agent::ChatBackend* own = nullptr;  // the built-in agent's backend for HubChat::parameters; must outlive the chats
};

struct HubChat {
  std::vector<model::Message> messages{};
  ServedModels::Chosen by{};
  bool think = false;
  std::optional<agent::ModelParameters> parameters{};  // for the built-in agent only
  // Time for a person to answer a request, read when it opens. 0: the chat ends at once. Empty: as long as the client waits.
  std::function<Duration()> ask_patience{};
};

class ChatViaHub {
 public:
  ChatViaHub(Loop& loop, ChatViaHubSettings settings);

  // Destroying the task stops the turn. The content is the agent's whole text, with a blank line between texts before and after
  // tools. Errors: overloaded; denied (no answer in time, or stopped by a person); those of the turn.
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
  Scope scope_;  // beginning and ending conversations
};

}  // namespace parlance::face
