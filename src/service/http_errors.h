// Errors as HTTP answers: {"error":{"message","type","param","code"}}, which OpenAI clients read, for all routes alike. Values; any thread.
#pragma once

#include <string>

#include "base/error.h"
#include "base/result.h"
#include "transport/http_server.h"

namespace parlance::service {

int http_status_of(Errc code);
// The same, for programs under a name of its own instead of that of its code: "model_not_found".
Error with_code(Error error, std::string_view code);
// The same object as text, for streams that have begun.
std::string error_json(const Error& error);
HttpReply error_reply(const Error& error);
HttpReply json_reply(std::string body, int status = 200);

}  // namespace parlance::service
