// SPDX-License-Identifier: Apache-2.0
// A server of a language model in the test's own process: GET …/models and POST …/chat/completions of OpenAI's API. Loop thread only.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "parlance/transport/http/http_server.h"

namespace parlance::test {

class ModelServer {
 public:
  ModelServer(Loop& loop, std::string said) : said_(std::move(said)) {
    auto listening =
        HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [this](HttpExchange& exchange) { return answer(exchange); });
    if (!listening) throw std::runtime_error(listening.error().message);
    server_ = *std::move(listening);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()) + "/v1"; }

  std::vector<std::string> paths;  // of all requests
  std::string key;                 // Authorization of the last request
  int status = 200;                // of chats; otherwise an error
  std::string location;            // of a redirect

 private:
  Task<void> answer(HttpExchange& exchange) {
    paths.push_back(exchange.request().path);
    const std::string* given = exchange.request().header("Authorization");
    key = given != nullptr ? *given : "";
    if (status != 200) {
      std::vector<HttpHeader> headers;
      if (!location.empty()) headers.push_back({"Location", location});
      co_await exchange.respond(
          {.status = status, .headers = headers, .body = R"({"error":{"message":"refused, key )" + key + "\"}}"});
    } else if (exchange.request().path.ends_with("/models")) {
      co_await exchange.respond({.body = R"({"data":[{"id":"small"},{"id":"large"}]})"});
    } else {
      co_await exchange.respond({.body = R"({"model":"large","choices":[{"message":{"role":"assistant","content":")" + said_ +
                                         R"("},"finish_reason":"stop"}]})"});
    }
  }
  std::string said_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace parlance::test
