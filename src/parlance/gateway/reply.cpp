// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/reply.h"

#include "parlance/base/check.h"

namespace parlance::gateway {
namespace {

bool plain(std::string_view text) { return text.find_first_of("\"\\\n\r\t") == std::string_view::npos; }

}  // namespace

std::string_view error_type_of(int status) {
  if (status == 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

HttpReply error_reply(int status, std::string_view code, std::string_view message) {
  PARLANCE_CHECK(plain(code) && plain(message), "a fixed sentence that needs no escaping");
  HttpReply reply = HttpReply{.status = status}.with("Content-Type", "application/json");
  reply.body = R"({"error":{"message":")";
  reply.body += message;
  reply.body += R"(","type":")";
  reply.body += error_type_of(status);
  reply.body += R"(","param":null,"code":")";
  reply.body += code;
  reply.body += "\"}}\n";
  return reply;
}

HttpReply unrouted_reply(std::string_view method, const std::string& allow, std::string_view not_found) {
  if (allow.empty()) return error_reply(404, "not_found", not_found);
  if (method == "OPTIONS") return HttpReply{.status = 204}.with("Allow", allow);
  return error_reply(405, "method_not_allowed", "This address knows other methods.").with("Allow", allow);
}

}  // namespace parlance::gateway
