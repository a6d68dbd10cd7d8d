// SPDX-License-Identifier: Apache-2.0
// The gateway's own error answers: {"error":{"message","type","param","code"}}, the shape that OpenAI clients read. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

// The texts are fixed sentences of ours: nothing that a client sent is repeated, and nothing in them needs escaping.
HttpReply error_reply(int status, std::string_view code, std::string_view message);

// Where no handler answers: 404 with `not_found`, or 405 with the methods that the address knows (to OPTIONS: these alone).
HttpReply unrouted_reply(std::string_view method, const std::string& allow, std::string_view not_found);

// "invalid_request_error", "rate_limit_error" or "server_error": what `type` says for a status.
std::string_view error_type_of(int status);

}  // namespace parlance::gateway
