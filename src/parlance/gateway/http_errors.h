// SPDX-License-Identifier: Apache-2.0
// Errors as HTTP answers: {"error":{"message","type","param","code"}}, which OpenAI clients read, for all routes alike. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/error.h"
#include "parlance/base/result.h"
#include "parlance/codec/json/typed.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

int http_status_of(Errc code);
// The same, for programs under a name of its own instead of that of its code: "model_not_found".
Error with_code(Error error, std::string_view code);
// The same object as text, for streams that have begun.
std::string error_json(const Error& error);
HttpReply error_reply(const Error& error);
HttpReply json_reply(std::string body, int status = 200);

// The body of a request as a message of ours. Errors: invalid_request, where it is no JSON; invalid_params, with the place, where it does
// not fit.
template <class Body>
Result<Body> read_body(std::string_view text) {
  auto body = json::from_text<Body>(text);
  if (!body && body.error().code == Errc::invalid_request) return fail(body.error().in("the request's body is no JSON"));
  return body;
}

}  // namespace parlance::gateway
