// SPDX-License-Identifier: Apache-2.0
// The gateway's own error answers: {"error":{"message","type","param","code"}}, the form of OpenAI clients. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

// Fixed sentences without client input, so no text needs escaping.
HttpReply error_reply(int status, std::string_view code, std::string_view message);

// Without a handler: 404 with `not_found`, or 405 with the permitted methods of the address (for OPTIONS: only these).
HttpReply unrouted_reply(std::string_view method, const std::string& allow, std::string_view not_found);

// "invalid_request_error", "rate_limit_error" or "server_error": the value of `type` for a status.
std::string_view error_type_of(int status);

}  // namespace parlance::gateway
