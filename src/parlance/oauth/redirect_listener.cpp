// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/redirect_listener.h"

#include <cstdint>
#include <utility>

#include "parlance/base/secret.h"
#include "parlance/base/text.h"

namespace parlance::oauth {
namespace {

constexpr std::string_view path = "/callback";
constexpr std::string_view before_port = "http://127.0.0.1:";

HttpReply page(int status, std::string_view english, std::string_view chinese) {
  HttpReply reply{.status = status};
  reply.headers.push_back({"Content-Type", "text/html; charset=utf-8"});
  reply.headers.push_back({"Content-Security-Policy", "default-src 'none'"});
  reply.headers.push_back({"Referrer-Policy", "no-referrer"});
  reply.headers.push_back({"Cache-Control", "no-store"});
  reply.body = "<!doctype html><meta charset=utf-8><title>parlance</title><p>" + std::string(english) + "<p lang=zh>" +
               std::string(chinese);
  return reply;
}

}  // namespace

Result<void> RedirectListener::listen(unsigned short port) {
  PARLANCE_TRY(server, HttpServer::listen(loop_, {.host = "127.0.0.1", .port = port},
                                          [this](HttpExchange& exchange) { return answer(exchange); },
                                          {.body_bytes = 0, .connections = 32}));
  server_ = std::move(server);
  return {};
}

std::string RedirectListener::address() const {
  return std::string(before_port) + std::to_string(server_->port()) + std::string(path);
}

Task<Result<QueryParameters>> RedirectListener::wait() {
  while (!query_) co_await arrived_.wait();
  co_return *query_;
}

Task<void> RedirectListener::answer(HttpExchange& exchange) {
  const ServerRequest& request = exchange.request();
  const std::string* const state = request.query.find("state");
  HttpReply reply = page(404, "There is nothing here.", "此处没有内容。");
  if (request.method == "GET" && request.path == path) {
    const bool counts = state != nullptr && equal_in_constant_time(*state, state_) && !query_;
    if (counts) query_ = request.query;
    reply = counts
                ? page(200, "parlance has received the answer. You can close this page.", "parlance 已收到结果，可以关闭此页面。")
                : page(400, "This answer belongs to no open login. Start the login again.", "此结果不属于当前登录，请重新登录。");
  }
  static_cast<void>(co_await exchange.respond(std::move(reply)));
  if (query_) arrived_.notify_all();
}

unsigned short port_of_redirect(std::string_view address) {
  if (!address.starts_with(before_port) || !address.ends_with(path)) return 0;
  address.remove_prefix(before_port.size());
  address.remove_suffix(path.size());
  return parse_number<std::uint16_t>(address).value_or(0);
}

}  // namespace parlance::oauth
