// The agent's Chat for OpenAI clients: POST /v1/chat/completions (one JSON answer, or server-sent events) and GET /v1/models.
// Stateless: the history comes with the request, tools are run by the client. Loop thread only; the backend outlives it.
#pragma once

#include <functional>
#include <string>

#include "async/loop.h"
#include "base/clock.h"
#include "base/secret.h"
#include "service/chat_backend.h"
#include "transport/http_server.h"

namespace parlance::service {

struct OpenAiSettings {
  std::function<WallTime()> wall_clock = wall_now;
  std::function<std::string(std::string_view prefix)> new_id = make_id;
};

class ChatOverOpenAi {
 public:
  ChatOverOpenAi(Loop& loop, ChatBackend& backend, OpenAiSettings settings = {});

  // A client that goes away destroys these tasks, which cancels the chat.
  Task<void> create(HttpExchange& exchange);
  Task<void> list_models(HttpExchange& exchange);
  Task<void> show_model(HttpExchange& exchange);  // /v1/models/NAME

 private:
  struct Shape;
  Task<void> answer_at_once(HttpExchange& exchange, model::ChatRequest request, Shape shape);
  Task<void> answer_in_pieces(HttpExchange& exchange, model::ChatRequest request, Shape shape);

  Loop& loop_;
  ChatBackend& backend_;
  OpenAiSettings settings_;
  std::int64_t started_;  // seconds since 1970
};

}  // namespace parlance::service
