// SPDX-License-Identifier: Apache-2.0
// What HTTP says, of either side: headers, a response that came, a request that came and the reply to it. Values; any thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/uri.h"

namespace parlance {

struct HttpHeader {
  std::string name;
  std::string value;
};
// The first header of that name, case ignored; null when there is none.
const std::string* find_header(const std::vector<HttpHeader>& headers, std::string_view name);

struct HttpResponse {
  int status = 0;
  std::vector<HttpHeader> headers{};
  std::string body{};
};

struct ServerRequest {
  std::string method{};
  std::string target{};  // as sent
  std::string path{};    // decoded, without the query
  QueryParameters query{};
  std::vector<HttpHeader> headers{};
  std::string body{};
  std::string peer{};  // "127.0.0.1:50412"
  bool wants_websocket = false;
  const std::string* header(std::string_view name) const { return find_header(headers, name); }
};

struct HttpReply {
  int status = 200;
  std::vector<HttpHeader> headers{};
  std::string body{};
  std::string_view static_body{};  // Used instead of `body` when it has data: bytes that live as long as the program.

  // The same with one header more. Not a list of headers: g++ 14 dies of an initializer list inside a co_await expression.
  HttpReply with(std::string name, std::string value) && {
    headers.push_back({.name = std::move(name), .value = std::move(value)});
    return std::move(*this);
  }
};

// What a client asks.
struct HttpRequest {
  std::string method = "GET";
  std::string url{};
  std::vector<HttpHeader> headers{};
  std::string body{};
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds idle_timeout{0};   // Without a byte for so long: deadline_exceeded. 0: none.
  std::chrono::milliseconds total_timeout{0};  // 0: none.
  std::size_t body_limit = 64 << 20;           // More is an error; for streams, of each error body only.
  bool follow_redirects = true;                // Credentials go to the first host only.
  // Only to machines of the internet: what a stranger gave as an address must not reach this machine or its neighbours. Behind a proxy
  // it is the proxy that finds the machine, and this says nothing.
  bool public_addresses = false;
};

}  // namespace parlance
