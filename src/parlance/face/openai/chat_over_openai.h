// SPDX-License-Identifier: Apache-2.0
// The agents for OpenAI clients: POST /v1/chat/completions (one JSON answer, or server-sent events) and GET /v1/models.
// Stateless: the history comes with the request. A client that brings its own tools runs them and gets one step of our agent for each
// request; to any other the agent is given whole, with its tools (chat_via_hub.h). Loop thread only; what it is given outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "parlance/agent/backend.h"
#include "parlance/async/loop.h"
#include "parlance/base/clock.h"
#include "parlance/base/secret.h"
#include "parlance/face/openai/chat_via_hub.h"
#include "parlance/face/openai/served_models.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::face {

// Time for a person with an open page to notice, read and answer an approval request. Most HTTP libraries give up after ten
// minutes.
inline constexpr auto http_ask_wait = std::chrono::minutes(5);

// A request without a stream shows its client nothing until the answer. It waits for a person only where one can be expected.
struct OpenAiSettings {
  std::chrono::milliseconds ask_wait{0};                    // without an open page; 0: the answer is an error at once
  std::function<bool(const std::string& user)> has_page{};  // whether the user has a page open; empty: nobody has
  std::function<WallTime()> wall_clock = wall_now;
  std::function<std::string(std::string_view prefix)> new_id = make_id;
};

class ChatOverOpenAi {
 public:
  ChatOverOpenAi(Loop& loop, ChatViaHub& chats, agent::ChatBackend& backend, const ServedModels& models,
                 OpenAiSettings settings = {});

  // A client that goes away destroys these tasks, which cancels the chat.
  Task<void> create(HttpExchange& exchange, hub::UserHub hub);
  Task<void> list_models(HttpExchange& exchange);
  Task<void> show_model(HttpExchange& exchange);  // /v1/models/NAME

 private:
  struct Shape;
  struct Wanted;
  Result<Wanted> read(const ServerRequest& request) const;
  Task<Result<model::Completion>> chat(hub::UserHub hub, Wanted wanted, ChatFollower& follower);
  Task<void> answer_at_once(HttpExchange& exchange, hub::UserHub hub, Wanted wanted, Shape shape);
  Task<void> answer_in_pieces(HttpExchange& exchange, hub::UserHub hub, Wanted wanted, Shape shape);

  Loop& loop_;
  ChatViaHub& chats_;
  agent::ChatBackend& backend_;
  const ServedModels& models_;
  OpenAiSettings settings_;
  std::int64_t started_;  // seconds since 1970
};

}  // namespace parlance::face
