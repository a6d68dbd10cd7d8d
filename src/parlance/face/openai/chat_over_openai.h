// SPDX-License-Identifier: Apache-2.0
// The agents for OpenAI clients: POST /v1/chat/completions (a JSON answer, or server-sent events) and GET /v1/models. Stateless:
// each request contains the history. A client with its own tools executes the calls itself and gets a single step of the built-in
// agent for each request. Other clients get the whole agent with its tools (chat_via_hub.h). Loop thread only; all arguments must
// outlive the object.
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

// A request without a stream is silent until the answer. Such a request waits for a person only if a person is likely to answer.
struct OpenAiSettings {
  std::chrono::milliseconds ask_wait{0};                    // without an open page; 0: the answer is an error at once
  std::function<bool(const std::string& user)> has_page{};  // whether the user has an open page; empty: never
  std::function<WallTime()> wall_clock = wall_now;
  std::function<std::string(std::string_view prefix)> new_id = make_id;
};

class ChatOverOpenAi {
 public:
  ChatOverOpenAi(Loop& loop, ChatViaHub& chats, agent::ChatBackend& backend, const ServedModels& models,
                 OpenAiSettings settings = {});

  // A disconnect of the client destroys these tasks and cancels the chat.
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
