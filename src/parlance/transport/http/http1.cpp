// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/http1.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/status.hpp>

#include "parlance/base/base64.h"
#include "parlance/base/sha1.h"
#include "parlance/base/text.h"

namespace parlance {

std::vector<HttpHeader> event_stream_headers(std::string media_type) {
  return {{.name = "Content-Type", .value = std::move(media_type)},
          {.name = "Cache-Control", .value = "no-cache, no-transform"},
          {.name = "X-Accel-Buffering", .value = "no"}};
}

std::vector<std::string_view> offered_subprotocols(const ServerRequest& request) {
  return http1::tokens(request.headers, "Sec-WebSocket-Protocol");
}

namespace http1 {
namespace {

namespace beast = boost::beast::http;
using BeastView = boost::beast::string_view;
using ErrorCode = boost::beast::error_code;

std::string_view view(BeastView text) { return {text.data(), text.size()}; }

Progress failed(int status, std::string error) {
  return {.state = Progress::failed, .status = status, .error = std::move(error)};
}

Progress failure_of(const ErrorCode& code) {
  if (code == beast::error::body_limit) return failed(413, "the body is too large");
  if (code == beast::error::header_limit) return failed(431, "the header is too large");
  if (code == beast::error::bad_version) return failed(505, "only HTTP/1.0 and HTTP/1.1 are spoken here");
  return failed(400, "not a proper HTTP message: " + code.message());
}

constexpr std::size_t shortest_chunked_body = std::string_view("0\r\n\r\n").size();

// The common part of requests and responses: the targets of fields and body.
template <bool IsRequest>
struct ParserBase : beast::basic_parser<IsRequest> {
  ParserBase(std::size_t header_limit, std::size_t body_limit) : most_header_bytes(header_limit) {
    this->header_limit(static_cast<std::uint32_t>(header_limit));
    this->body_limit(body_limit);
    this->eager(false);
  }

  // Beast restarts its header limit for each piece, and never limits trailers and chunk extensions: this counter adds all bytes
  // outside the body.
  Progress feed(BytesView bytes) {
    Progress progress;
    if (this->is_done()) {  // a request without a body: its head has been reported already
      progress.state = Progress::done;
      return progress;
    }
    for (;;) {
      // Beast 1.81 asserts a complete last chunk if the last chunk is also the first; the shortest is "0\r
      // \r
      // ".
      if (this->chunked() && head_done && !chunk_begun && bytes.starts_with('0') && bytes.size() < shortest_chunked_body)
        return progress;
      const bool had_head = this->is_header_done();
      ErrorCode code;
      const std::size_t body_before = body_bytes;
      const std::size_t used = this->put(boost::asio::const_buffer(bytes.data(), bytes.size()), code);
      bytes.remove_prefix(used);
      progress.consumed += used;
      const std::size_t overhead = used - (body_bytes - body_before);
      if (!had_head) header_bytes += overhead;
      if (code == beast::error::need_more) {
        const std::size_t held = (this->is_header_done() ? 0 : header_bytes) + bytes.size();
        if (held > most_header_bytes) return failed(this->is_header_done() ? 400 : 431, "the header is too large");
        return progress;
      }
      if (code) return failure_of(code);
      if (header_bytes > most_header_bytes) return failed(431, "the header is too large");
      if (!had_head && this->is_header_done()) {
        progress.state = Progress::head;
        return progress;
      }
      if (this->is_done()) {
        progress.state = Progress::done;
        return progress;
      }
      if (bytes.empty()) return progress;
    }
  }

  void on_field_impl(beast::field, BeastView name, BeastView value, ErrorCode&) override {
    if (!this->is_header_done() && !head_done) headers->push_back({.name = std::string(name), .value = std::string(value)});
  }
  void on_header_impl(ErrorCode&) override { head_done = true; }
  void on_body_init_impl(boost::optional<std::uint64_t> const&, ErrorCode&) override {}
  std::size_t on_body_impl(BeastView piece, ErrorCode&) override { return take(piece); }
  void on_chunk_header_impl(std::uint64_t, BeastView, ErrorCode&) override { chunk_begun = true; }
  std::size_t on_chunk_body_impl(std::uint64_t, BeastView piece, ErrorCode&) override { return take(piece); }
  void on_finish_impl(ErrorCode&) override {}

  std::size_t take(BeastView piece) {
    body_bytes += piece.size();
    const std::size_t room = kept_body_bytes - std::min(body->size(), kept_body_bytes);
    body->append(piece.data(), std::min(piece.size(), room));
    return piece.size();
  }

  std::vector<HttpHeader>* headers = nullptr;
  std::string* body = nullptr;
  std::size_t most_header_bytes;
  std::size_t header_bytes = 0;
  std::size_t body_bytes = 0;
  std::size_t kept_body_bytes = SIZE_MAX;
  bool head_done = false;
  bool chunk_begun = false;
};

// RFC 9112, section 3.2: origin, absolute, authority and asterisk form. The path of a request to us as a proxy is the target's.
std::string_view path_and_query(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (target.starts_with('/') || scheme == std::string_view::npos) return target;
  const std::size_t path = target.find_first_of("/?", scheme + 3);
  return path == std::string_view::npos ? std::string_view("/") : target.substr(path);
}

// Of the absolute form; empty for the others.
std::string_view authority_of(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (target.starts_with('/') || scheme == std::string_view::npos) return {};
  return target.substr(scheme + 3, target.find_first_of("/?", scheme + 3) - (scheme + 3));
}

}  // namespace

// ---- requests --------------------------------------------------------------------------------------------------------

struct RequestReader::Parser final : ParserBase<true> {
  Parser(std::size_t header_limit, std::size_t body_limit) : ParserBase(header_limit, body_limit) {
    headers = &request.headers;
    body = &request.body;
  }
  void on_request_impl(beast::verb, BeastView method, BeastView target, int number, ErrorCode&) override {
    version = number;
    request.method = view(method);
    request.target = view(target);
  }
  void on_response_impl(int, BeastView, int, ErrorCode&) override {}

  // Checks accepted by Beast but forbidden for a server (RFC 9112, sections 3.2 and 6.1).
  Progress check_head() {
    std::size_t hosts = 0;
    for (const HttpHeader& header : request.headers) {
      if (equal_ignoring_case(header.name, "Host")) ++hosts;
      if (equal_ignoring_case(header.name, "Transfer-Encoding") && !equal_ignoring_case(header.value, "chunked"))
        return failed(501, "no transfer encoding but chunked is understood");
    }
    if (hosts > 1 || (hosts == 0 && version >= 11)) return failed(400, "a request names its host once");
    if (request.header("Transfer-Encoding") != nullptr && version < 11) return failed(400, "HTTP/1.0 has no transfer encoding");
    if (const std::string* expect = request.header("Expect"); expect != nullptr && !equal_ignoring_case(*expect, "100-continue"))
      return failed(417, "only 100-continue can be expected");

    // The host of the target counts more than the header (RFC 9112, section 3.2.2), and checks of the host read the header.
    if (const std::string_view authority = authority_of(request.target); !authority.empty()) {
      std::erase_if(request.headers, [](const HttpHeader& header) { return equal_ignoring_case(header.name, "Host"); });
      request.headers.push_back({"Host", std::string(authority)});
    }
    const std::string_view local = path_and_query(request.target);
    const std::size_t question = local.find('?');
    const auto path = percent_decode(local.substr(0, question));
    if (!path || path->find('\0') != std::string::npos) return failed(400, "a broken escape in the path");
    request.path = *path;
    if (question != std::string_view::npos) request.query = parse_query(local.substr(question + 1));
    request.wants_websocket = request.method == "GET" && has_token(request.headers, "Connection", "upgrade") &&
                              has_token(request.headers, "Upgrade", "websocket");
    return {};
  }

  ServerRequest request;
  int version = 11;
};

RequestReader::RequestReader(std::size_t header_limit, std::size_t body_limit)
    : parser_(std::make_unique<Parser>(header_limit, body_limit)) {}
RequestReader::~RequestReader() = default;

Progress RequestReader::feed(BytesView bytes) {
  Progress progress = parser_->feed(bytes);
  if (progress.state != Progress::head) return progress;
  Progress checked = parser_->check_head();
  return checked.state == Progress::failed ? checked : progress;
}

ServerRequest& RequestReader::request() { return parser_->request; }
bool RequestReader::is_http_1_0() const { return parser_->version < 11; }
bool RequestReader::keep_alive() const { return parser_->keep_alive(); }
bool RequestReader::has_body_to_come() const { return !parser_->is_done(); }
bool RequestReader::expects_continue() const {
  return has_body_to_come() && parser_->version >= 11 && parser_->request.header("Expect") != nullptr;
}

// ---- responses -------------------------------------------------------------------------------------------------------

struct ResponseReader::Parser final : ParserBase<false> {
  Parser(std::size_t header_limit, std::size_t body_limit) : ParserBase(header_limit, SIZE_MAX) {
    headers = &response.headers;
    body = &response.body;
    kept_body_bytes = body_limit;
  }
  void on_request_impl(beast::verb, BeastView, BeastView, int, ErrorCode&) override {}
  void on_response_impl(int status, BeastView, int, ErrorCode&) override { response.status = status; }
  HttpResponse response;
};

ResponseReader::ResponseReader(std::size_t header_limit, std::size_t body_limit)
    : parser_(std::make_unique<Parser>(header_limit, body_limit)) {}
ResponseReader::~ResponseReader() = default;
Progress ResponseReader::feed(BytesView bytes) { return parser_->feed(bytes); }
Progress ResponseReader::feed_end() {
  if (!parser_->got_some()) return failed(0, "the connection ended without an answer");
  ErrorCode code;
  if (!parser_->is_done()) parser_->put_eof(code);
  return code ? failed(0, "the connection ended within the answer") : Progress{.state = Progress::done};
}
HttpResponse& ResponseReader::response() { return parser_->response; }

// ---- text ------------------------------------------------------------------------------------------------------------

std::string_view reason_phrase(int status) { return view(beast::obsolete_reason(static_cast<beast::status>(status))); }

bool status_has_body(int status) { return status >= 200 && status != 204 && status != 304; }

void append_status_line(std::string& out, int status, bool http_1_0) {
  out += http_1_0 ? "HTTP/1.0 " : "HTTP/1.1 ";
  out += std::to_string(status);
  out += ' ';
  out += reason_phrase(status);
  out += "\r\n";
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  const auto token_character = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").contains(c);
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), token_character)) return;
  out += name;
  out += ": ";
  for (const char c : value) out += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
  out += "\r\n";
}

std::vector<std::string_view> tokens(const std::vector<HttpHeader>& headers, std::string_view name) {
  std::vector<std::string_view> found;
  for (const HttpHeader& header : headers) {
    if (!equal_ignoring_case(header.name, name)) continue;
    for (const std::string_view item : split(header.value, ','))
      if (const std::string_view token = trim(item); !token.empty()) found.push_back(token);
  }
  return found;
}

bool has_token(const std::vector<HttpHeader>& headers, std::string_view name, std::string_view token) {
  for (const std::string_view item : tokens(headers, name))
    if (equal_ignoring_case(item, token)) return true;
  return false;
}

std::string websocket_accept(std::string_view key) {
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  const auto digest = sha1(text);
  return to_base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace http1
}  // namespace parlance
