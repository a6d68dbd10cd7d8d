// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/http_errors.h"

#include <optional>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/gateway/reply.h"

namespace parlance::gateway {
namespace {

struct ErrorDetail {
  std::string message{};
  std::string type{};
  wire::Nullable<std::string> param{};  // OpenAI writes null here, and clients declare it so
  std::string code{};
  static constexpr auto wire = wire::fields(
      wire::field<&ErrorDetail::message>("message", "The error for people: cause and remedy."),
      wire::field<&ErrorDetail::type>("type", "Class of the error, such as invalid_request_error or server_error."),
      wire::field<&ErrorDetail::param>("param", "The faulty member of the request. Null: the error concerns the whole request."),
      wire::field<&ErrorDetail::code>("code", "Error code for programs, see docs/reference/errors.md."));
};
struct ErrorBody {
  ErrorDetail error{};
  static constexpr auto wire = wire::fields(wire::field<&ErrorBody::error>("error", "The error with message and code."));
};

// "$.messages[3].role: missing" -> "messages[3].role"
wire::Nullable<std::string> param_of(const Error& error) {
  wire::Nullable<std::string> param{.state = wire::Nullable<std::string>::State::null};
  if (error.code != Errc::invalid_params || !error.message.starts_with("$.")) return param;
  const std::size_t end = error.message.find(':');
  if (end == std::string::npos) return param;
  param.state = wire::Nullable<std::string>::State::value;
  param.value = error.message.substr(2, end - 2);
  return param;
}

std::string code_of(const Error& error) {
  return std::string(json::parse_or_null(error.data).text_or("code", to_string(error.code)));
}

bool may_be_retried(Errc code) {
  return code == Errc::overloaded || code == Errc::disconnected || code == Errc::deadline_exceeded;
}

}  // namespace

int http_status_of(Errc code) {
  switch (code) {
    case Errc::invalid_request:
    case Errc::invalid_params: return 400;
    case Errc::denied: return 403;
    case Errc::not_found: return 404;
    case Errc::unknown_method: return 501;
    case Errc::failed: return 502;
    case Errc::overloaded:
    case Errc::disconnected: return 503;
    case Errc::deadline_exceeded: return 504;
    case Errc::cancelled: return 499;  // nginx's number, for its logs: the client has gone
    case Errc::internal: return 500;
  }
  return 500;
}

Error with_code(Error error, std::string_view code) {
  json::Object data;
  data.set("code", std::string(code));
  error.data = json::to_text(json::Value(std::move(data)));
  return error;
}

std::string error_json(const Error& error) {
  return json::to_text(ErrorBody{.error = {.message = error.message,
                                           .type = std::string(gateway::error_type_of(http_status_of(error.code))),
                                           .param = param_of(error),
                                           .code = code_of(error)}});
}

HttpReply json_reply(std::string body, int status) {
  return {.status = status, .headers = {{.name = "Content-Type", .value = "application/json"}}, .body = std::move(body)};
}

HttpReply error_reply(const Error& error) {
  HttpReply reply = json_reply(error_json(error), http_status_of(error.code));
  // OpenAI's libraries repeat any 5xx by default; a chat that failed costs as much the second time.
  reply.headers.push_back({.name = "X-Should-Retry", .value = may_be_retried(error.code) ? "true" : "false"});
  if (error.code == Errc::overloaded || error.code == Errc::disconnected)
    reply.headers.push_back({.name = "Retry-After", .value = "1"});
  return reply;
}

}  // namespace parlance::gateway
