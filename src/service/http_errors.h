// Errors as HTTP answers: {"error":{"message","type","param","code"}}, which OpenAI clients read, for all routes alike. Values; any thread.
#pragma once

#include <string>

#include "base/error.h"
#include "base/result.h"
#include "transport/http_server.h"

namespace parlance::service {

int http_status_of(Errc code);
// The same object as text, for streams that have begun.
std::string error_json(const Error& error);
HttpReply error_reply(const Error& error);
HttpReply json_reply(std::string body, int status = 200);

}  // namespace parlance::service
