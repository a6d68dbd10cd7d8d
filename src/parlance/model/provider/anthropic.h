// SPDX-License-Identifier: Apache-2.0
// Anthropic's Messages API and the servers that offer the same. Loop thread only.
#pragma once

#include <memory>

#include "parlance/model/provider/http_model.h"

namespace parlance::model {

// `http` null: lazy_http(loop). Errors: those of make_endpoint.
Result<std::unique_ptr<HttpModel>> make_anthropic(Loop& loop, ModelSettings settings, std::unique_ptr<Http> http = nullptr);

// The request for thinking: older models need a budget, newer models need adaptive. Each refuses the other form.
enum class ThinkingWay : std::uint8_t { budget, adaptive, none };
std::string anthropic_body(const ChatRequest& request, ThinkingWay thinking);

}  // namespace parlance::model
