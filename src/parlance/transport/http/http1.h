// SPDX-License-Identifier: Apache-2.0
// HTTP/1.x messages, sans-I/O: bytes in any pieces in, a request or a response out; and the text of heads on the way back.
// Boost.Beast's parser does the work behind it and is seen by the .cpp alone. For the .cpp files of this folder.
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
    head,  // the head is complete; called once, before anything of the body is looked at
    done,
    failed,  // `status` is what a server answers, `error` says why
  } state = need_more;
  std::size_t consumed = 0;  // the rest is fed again, with more behind it
  int status = 0;
  std::string error{};
};

class RequestReader {
 public:
  RequestReader(std::size_t header_limit, std::size_t body_limit);
  ~RequestReader();
  // Not after `done` or `failed`. After `head`, feed the rest again at once.
  Progress feed(BytesView bytes);

  ServerRequest& request();  // `peer` is left to the caller
  bool is_http_1_0() const;
  bool keep_alive() const;        // what the client asks for
  bool has_body_to_come() const;  // at the head: something follows it
  bool expects_continue() const;  // … and the client waits to be told to send it

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

// The same for the response to one request, on the client's side.
class ResponseReader {
 public:
  // The body is collected up to `body_limit` and cut there.
  ResponseReader(std::size_t header_limit, std::size_t body_limit);
  ~ResponseReader();
  Progress feed(BytesView bytes);
  Progress feed_end();  // the connection's end, which ends a body without a length
  HttpResponse& response();

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

std::string_view reason_phrase(int status);
bool status_has_body(int status);  // 1xx, 204 and 304 have none

void append_status_line(std::string& out, int status, bool http_1_0);
// CR and LF cannot leave a value and a name that is no token is dropped: a header never becomes two.
void append_header(std::string& out, std::string_view name, std::string_view value);
// A comma-separated header value, over all headers of that name, contains the token (case ignored).
bool has_token(const std::vector<HttpHeader>& headers, std::string_view name, std::string_view token);
std::vector<std::string_view> tokens(const std::vector<HttpHeader>& headers, std::string_view name);

// RFC 6455, section 4: the answer that proves a WebSocket server.
std::string websocket_accept(std::string_view key);

}  // namespace parlance::http1
