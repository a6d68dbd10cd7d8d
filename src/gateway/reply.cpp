#include "gateway/reply.h"

#include "base/check.h"

namespace parlance::gateway {
namespace {

bool plain(std::string_view text) { return text.find_first_of("\"\\\n\r\t") == std::string_view::npos; }

}  // namespace

std::string_view error_type_of(int status) {
  if (status == 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

HttpReply error_reply(int status, std::string_view code, std::string_view message, std::vector<HttpHeader> headers) {
  PARLANCE_CHECK(plain(code) && plain(message), "a fixed sentence that needs no escaping");
  HttpReply reply{.status = status, .headers = std::move(headers)};
  reply.headers.push_back({.name = "Content-Type", .value = "application/json"});
  reply.body = R"({"error":{"message":")";
  reply.body += message;
  reply.body += R"(","type":")";
  reply.body += error_type_of(status);
  reply.body += R"(","param":null,"code":")";
  reply.body += code;
  reply.body += "\"}}\n";
  return reply;
}

}  // namespace parlance::gateway
