// SPDX-License-Identifier: Apache-2.0
// HTTP/1.x messages, sans-I/O: bytes in pieces become a request or a response, and heads become text. Only the .cpp file sees
// Boost.Beast's parser behind it. For the .cpp files of this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/bytes.h"
#include "parlance/transport/http/http_message.h"

namespace parlance::http1 {

struct Progress {
  enum State {
    need_more,
    head,  // The head is complete. Returned once, before the parser reads the body.
    done,
    failed,  // `status` is the server's answer, `error` the reason.
  } state = need_more;
  std::size_t consumed = 0;  // Feed the rest again, with more input.
  int status = 0;
  std::string error{};
};

class RequestReader {
 public:
  RequestReader(std::size_t header_limit, std::size_t body_limit);
  ~RequestReader();
  // Not after `done` or `failed`. After `head`, feed the rest again at once.
  Progress feed(BytesView bytes);

  ServerRequest& request();  // The caller sets `peer`.
  bool is_http_1_0() const;
  bool keep_alive() const;        // Wish of the client.
  bool has_body_to_come() const;  // At the head: a body follows.
  bool expects_continue() const;  // The client waits for permission to send the body.

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

// The same for the response to a request, on the client's side.
class ResponseReader {
 public:
  // Collects the body up to `body_limit`, and cuts it there.
  ResponseReader(std::size_t header_limit, std::size_t body_limit);
  ~ResponseReader();
  Progress feed(BytesView bytes);
  Progress feed_end();  // End of the connection, which ends a body without a length.
  HttpResponse& response();

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

std::string_view reason_phrase(int status);
bool status_has_body(int status);  // 1xx, 204 and 304 have no body.

void append_status_line(std::string& out, int status, bool http_1_0);
// Removes CR and LF from values, and drops names that are no token: one header never becomes two.
void append_header(std::string& out, std::string_view name, std::string_view value);
// True: the comma-separated values of all headers of this name contain the token, in any case.
bool has_token(const std::vector<HttpHeader>& headers, std::string_view name, std::string_view token);
std::vector<std::string_view> tokens(const std::vector<HttpHeader>& headers, std::string_view name);

// RFC 6455, section 4: the answer that proves a WebSocket server.
std::string websocket_accept(std::string_view key);

}  // namespace parlance::http1
