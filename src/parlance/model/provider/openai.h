// SPDX-License-Identifier: Apache-2.0
// Servers with OpenAI's chat/completions: OpenAI itself, vLLM, llama.cpp, Ollama, LiteLLM, OpenRouter, DeepSeek, … Loop thread
// only.
#pragma once

#include <memory>

#include "parlance/model/provider/http_model.h"

namespace parlance::model {

// `http` null: lazy_http(loop). Errors: as make_endpoint.
Result<std::unique_ptr<HttpModel>> make_openai(Loop& loop, ModelSettings settings, std::unique_ptr<Http> http = nullptr);

// The body of a request, with parameters to omit or rename for some servers. Each begins in the form of most servers, and
// changes after a refusal of the model.
struct OpenAiHabits {
  struct Sent {
    bool stream_options = true;
    bool reasoning_effort = true;
    bool tool_choice = true;
  };
  Sent sent{};
  bool completion_tokens_name = false;  // OpenAI's reasoning models want max_completion_tokens
  bool reasoning_back = false;  // DeepSeek 3.2 and Kimi K2 want reasoning_content back within a tool loop; others refuse it
};
std::string openai_body(const ChatRequest& request, const OpenAiHabits& habits);

}  // namespace parlance::model
