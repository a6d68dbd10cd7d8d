// SPDX-License-Identifier: Apache-2.0
// Any server that speaks OpenAI's chat/completions: OpenAI itself, vLLM, llama.cpp, Ollama, LiteLLM, OpenRouter, DeepSeek, …
// Loop thread only.
#pragma once

#include <memory>

#include "parlance/model/provider/http_model.h"

namespace parlance::model {

// `http` null: lazy_http(loop). Errors: those of make_endpoint.
Result<std::unique_ptr<HttpModel>> make_openai(Loop& loop, ModelSettings settings, std::unique_ptr<Http> http = nullptr);

// The body of a request, and what is left out or renamed for servers that refuse it. Each begins as most servers want it and is
// changed for good when one says no.
struct OpenAiHabits {
  bool stream_options = true;
  bool temperature = true;
  bool reasoning_effort = true;
  bool completion_tokens_name = false;  // OpenAI's reasoning models want max_completion_tokens
  bool attachments = true;
  bool reasoning_back = false;  // DeepSeek 3.2 and Kimi K2 want reasoning_content back within a tool loop; others refuse it
};
std::string openai_body(const ChatRequest& request, const OpenAiHabits& habits);

}  // namespace parlance::model
