// SPDX-License-Identifier: Apache-2.0
// Errors as HTTP answers: {"error":{"message","type","param","code"}}, the form of OpenAI clients, for all routes. Values; any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/error.h"
#include "parlance/base/result.h"
#include "parlance/codec/json/typed.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

// docs/reference/errors.md lists the statuses.
int http_status_of(Errc code);
// The same with another code for programs: "model_not_found".
Error with_code(Error error, std::string_view code);
// The same object as text, for open streams.
std::string error_json(const Error& error);
// With X-Should-Retry, and Retry-After if a retry may succeed soon.
HttpReply error_reply(const Error& error);
// `body`: the finished JSON.
HttpReply json_reply(std::string body, int status = 200);

// The body of a request as a message. Errors: invalid_request for invalid JSON; invalid_params, with the location, for a
// mismatch.
template <class Body>
Result<Body> read_body(std::string_view text) {
  auto body = json::from_text<Body>(text);
  if (!body && body.error().code == Errc::invalid_request) return fail(body.error().in("the request's body is no JSON"));
  return body;
}

}  // namespace parlance::gateway
