// SPDX-License-Identifier: Apache-2.0
// HTTP messages of both sides: headers, received responses, received requests and replies. Values; any thread.
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
// The first header of this name in any case, or null.
const std::string* find_header(const std::vector<HttpHeader>& headers, std::string_view name);

struct HttpResponse {
  int status = 0;
  std::vector<HttpHeader> headers{};
  std::string body{};
};

struct ServerRequest {
  std::string method{};
  std::string target{};  // As sent.
  std::string path{};    // Decoded, without the query.
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
  std::string_view static_body{};  // Replaces `body` if not empty: bytes that live as long as the program.

  // The same with one more header. Not a list of headers, because g++ 14 crashes at an initializer list inside a co_await
  // expression.
  HttpReply with(std::string name, std::string value) && {
    headers.push_back({.name = std::move(name), .value = std::move(value)});
    return std::move(*this);
  }
};

// A request of the client.
struct HttpRequest {
  std::string method = "GET";
  std::string url{};
  std::vector<HttpHeader> headers{};
  std::string body{};
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds idle_timeout{0};   // Time without a byte before deadline_exceeded. 0: no limit.
  std::chrono::milliseconds total_timeout{0};  // 0: no limit.
  std::size_t body_limit = 64 << 20;           // A larger body is an error. For streams, the limit of error bodies only.
  bool follow_redirects = true;                // Credentials go to the first host only.
  // Connects to internet addresses only: an address of a stranger must not reach this machine or its neighbours. Behind a proxy,
  // the proxy resolves the address, and this flag has no effect.
  bool public_addresses = false;
};

}  // namespace parlance
