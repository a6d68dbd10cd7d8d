// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/http_connection.h"

#include <array>
#include <charconv>

#include "parlance/base/base64.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"

namespace parlance {
namespace {

using http1::Progress;

// How long a client may take to read the last answer and close, before we do.
constexpr std::chrono::milliseconds ending_time{2'000};
// A body enters the output in pieces, so that a large body never exists twice.
constexpr std::size_t body_piece_bytes = 128 << 10;

bool ours_to_write(std::string_view name) {
  return equal_ignoring_case(name, "Content-Length") || equal_ignoring_case(name, "Transfer-Encoding") ||
         equal_ignoring_case(name, "Connection") || equal_ignoring_case(name, "Date");
}

}  // namespace

HttpConnection::HttpConnection(Loop& loop, HttpConnectionHost& host, std::unique_ptr<ByteStream> stream, std::string peer)
    : loop_(loop),
      host_(host),
      peer_(std::move(peer)),
      output_(loop, *stream, *this, {.stall = host.settings().write_stall}),
      stream_(std::move(stream)),
      scope_(loop) {}

void HttpConnection::start() {
  start_timer(host_.settings().header_timeout);
  host_.stranger_waits(*this);
  read_more();
}

void HttpConnection::drain() {
  if (phase_ == Phase::idle) end_connection();
}

// ---- input -----------------------------------------------------------------------------------------------------------

void HttpConnection::read_more() {
  if (from_peer_ == Input::reading) return;
  from_peer_ = Input::reading;
  stream_->start_read(input_.room(), *this);
}

void HttpConnection::discard_more() {
  static thread_local std::array<char, 4096> dropped;  // never read, so shared by all
  from_peer_ = Input::reading;
  stream_->start_read(dropped, *this);
}

// During the handler, reads continue, to notice a disconnected client. Exceptions: a WebSocket, whose stream is handed over
// without an active read, and bytes beyond a next request.
void HttpConnection::read_behind_handler() {
  if (stream_ == nullptr || from_peer_ == Input::ended || (request_.wants_websocket && answer_ == Answer::none)) return;
  if (input_.size() < host_.settings().header_bytes) read_more();
}

void HttpConnection::on_io(Result<std::size_t> bytes) {
  from_peer_ = bytes && *bytes == 0 ? Input::ended : Input::idle;
  if (!bytes) return vanish();
  if (phase_ == Phase::ending) {
    if (from_peer_ == Input::idle) discard_more();
    else if (output_.queued_bytes() == 0) vanish();
    return;
  }
  if (from_peer_ == Input::idle) input_.commit(*bytes);
  advance();
}

void HttpConnection::advance() {
  while (phase_ < Phase::ending) {
    if (phase_ == Phase::handling) {
      if (from_peer_ != Input::ended) read_behind_handler();
      // A streaming handler writes into the void; other handlers may be quick enough for a client that only ended its output.
      else if (answer_ == Answer::begun && form_ != BodyForm::length) vanish();
      else if (!Timer::running()) start_timer(host_.settings().half_close_grace);
      return;
    }
    if (phase_ == Phase::idle) {
      while (input_.view().starts_with("\r\n")) input_.consume(2);  // RFC 9112, section 2.2
      if (input_.empty()) {
        if (from_peer_ == Input::ended) end_connection();
        else read_more();
        return;
      }
      phase_ = Phase::head;
      reader_ = std::make_unique<http1::RequestReader>(host_.settings().header_bytes, host_.settings().body_bytes);
      start_timer(host_.settings().header_timeout);
    }
    if (!receive()) return;
  }
}

bool HttpConnection::receive() {
  const Progress progress = reader_->feed(input_.view());
  input_.consume(progress.consumed);
  switch (progress.state) {
    case Progress::failed: refuse(progress.status, progress.error); return false;
    case Progress::head:
      if (reader_->has_body_to_come() && !host_.body_wanted(reader_->request())) break;
      phase_ = Phase::body;
      start_timer(host_.settings().body_timeout);
      if (reader_->expects_continue() && input_.empty()) {
        output_.buffer() += "HTTP/1.1 100 Continue\r\n\r\n";
        output_.schedule();
      }
      return true;
    case Progress::need_more:
      if (from_peer_ == Input::ended) vanish();
      else read_more();
      return false;
    case Progress::done: break;
  }
  start_exchange();
  return true;
}

// ---- the exchange ----------------------------------------------------------------------------------------------------

void HttpConnection::start_exchange() {
  Timer::stop();
  request_ = std::move(reader_->request());
  request_.peer = peer_;
  http_1_0_ = reader_->is_http_1_0();
  keep_ = reader_->keep_alive() && !reader_->has_body_to_come();  // an unread body ends with the connection
  reader_.reset();
  answer_ = Answer::none;
  form_ = BodyForm::none;
  phase_ = Phase::handling;
  host_.stranger_busy(*this);
  handler_ = Handler::starting;
  scope_.start(run_exchange());
  if (handler_ == Handler::over) finish_exchange();
  else handler_ = Handler::running;
}

Task<void> HttpConnection::run_exchange() {
  try {
    co_await host_.handle(*this);
  } catch (const std::exception& bug) {
    log(LogLevel::error, "an HTTP handler threw", {{"path", request_.path}, {"what", bug.what()}});
  }
  if (std::exchange(handler_, Handler::over) == Handler::running) loop_.wake(*this);
}

void HttpConnection::on_ready() {
  if (phase_ == Phase::gone) {
    host_.drop(*this);
  } else if (handler_ == Handler::over) {
    finish_exchange();
    advance();
  }
}

void HttpConnection::finish_exchange() {
  handler_ = Handler::none;
  if (phase_ == Phase::gone) return;
  Timer::stop();
  if (answer_ == Answer::upgraded) return vanish();
  if (answer_ == Answer::none) answer_plainly(500, "The request was not answered.");
  if (answer_ == Answer::begun) keep_ = false;  // a body without its end: the client must not take the body as complete
  request_ = {};
  who_.clear();
  phase_ = Phase::idle;
  if (!trusted_) host_.stranger_waits(*this);
  if (!keep_ || host_.draining()) end_connection();
  else start_timer(host_.settings().idle_timeout);
}

Error HttpConnection::gone_error() const {
  return {.code = Errc::disconnected, .message = "http " + peer_ + ": the client went away"};
}

Task<Result<void>> HttpConnection::wait_writable() {
  while (output_.congested() && !output_.failed()) co_await output_.drained().wait();
  if (output_.failed()) co_return fail(gone_error());
  co_return Result<void>{};
}

void HttpConnection::write_head(int status, const std::vector<HttpHeader>& headers, BodyForm form, std::size_t length) {
  form_ = form;
  if (host_.draining()) keep_ = false;
  if (form == BodyForm::to_the_end) keep_ = false;
  std::string& out = output_.buffer();
  http1::append_status_line(out, status, false);
  http1::append_header(out, "Date", host_.date());
  if (form == BodyForm::length) http1::append_header(out, "Content-Length", std::to_string(length));
  if (form == BodyForm::chunked) http1::append_header(out, "Transfer-Encoding", "chunked");
  if (!keep_) http1::append_header(out, "Connection", "close");
  else if (http_1_0_) http1::append_header(out, "Connection", "keep-alive");
  for (const HttpHeader& header : headers)
    if (!ours_to_write(header.name)) http1::append_header(out, header.name, header.value);
  out += "\r\n";
  output_.schedule();
}

Task<Result<void>> HttpConnection::respond(HttpReply reply) {
  PARLANCE_CHECK(answer_ == Answer::none, "a single answer to a request");
  answer_ = Answer::begun;
  const BytesView body = reply.static_body.data() != nullptr ? reply.static_body : BytesView(reply.body);
  const bool has_body = http1::status_has_body(reply.status);
  write_head(reply.status, reply.headers, has_body ? BodyForm::length : BodyForm::none, body.size());
  if (has_body && request_.method != "HEAD") {
    for (std::size_t at = 0; at < body.size(); at += body_piece_bytes) {
      output_.buffer() += body.substr(at, body_piece_bytes);
      output_.schedule();
      PARLANCE_CO_TRY_DO(co_await wait_writable());
    }
  }
  answer_ = Answer::done;
  if (output_.failed()) co_return fail(gone_error());
  co_return Result<void>{};
}

Task<Result<void>> HttpConnection::begin(int status, std::vector<HttpHeader> headers) {
  PARLANCE_CHECK(answer_ == Answer::none, "a single answer to a request");
  answer_ = Answer::begun;
  const bool has_body = http1::status_has_body(status) && request_.method != "HEAD";
  write_head(status, headers,
             !http1::status_has_body(status) ? BodyForm::none
             : http_1_0_                     ? BodyForm::to_the_end
                                             : BodyForm::chunked,
             0);
  if (!has_body) form_ = BodyForm::none;
  read_behind_handler();
  if (output_.failed()) co_return fail(gone_error());
  co_return Result<void>{};
}

Task<Result<void>> HttpConnection::write(std::string bytes) {
  PARLANCE_CHECK(answer_ == Answer::begun, "an open body");
  if (output_.failed()) co_return fail(gone_error());
  if (form_ == BodyForm::none || bytes.empty()) co_return Result<void>{};
  std::string& out = output_.buffer();
  if (form_ == BodyForm::chunked) {
    std::array<char, 16> digits{};
    out.append(digits.data(), std::to_chars(digits.begin(), digits.end(), bytes.size(), 16).ptr);
    out += "\r\n";
    out += bytes;
    out += "\r\n";
  } else {
    out += bytes;
  }
  output_.schedule();
  co_return co_await wait_writable();
}

Task<Result<void>> HttpConnection::end() {
  PARLANCE_CHECK(answer_ == Answer::begun, "an open body");
  if (form_ == BodyForm::chunked) {
    output_.buffer() += "0\r\n\r\n";
    output_.schedule();
  }
  answer_ = Answer::done;
  if (output_.failed()) co_return fail(gone_error());
  co_return Result<void>{};
}

Task<Result<std::unique_ptr<WebSocketFrames>>> HttpConnection::upgrade(std::string_view subprotocol,
                                                                       std::vector<HttpHeader> headers) {
  PARLANCE_CHECK(answer_ == Answer::none, "a single answer to a request");
  const auto refuse_upgrade = [this](int status, std::string text, std::vector<HttpHeader> with = {}) {
    answer_plainly(status, text, std::move(with));
    return fail(Errc::invalid_request, std::move(text));
  };
  if (!request_.wants_websocket || http_1_0_) co_return refuse_upgrade(400, "The request is not a WebSocket handshake.");
  const std::string* version = request_.header("Sec-WebSocket-Version");
  if (version == nullptr || *version != "13")
    co_return refuse_upgrade(426, "The server supports only version 13 of WebSocket.",
                             {{.name = "Sec-WebSocket-Version", .value = "13"}});
  const std::string* key = request_.header("Sec-WebSocket-Key");
  const auto key_bytes = key != nullptr ? from_base64(*key) : std::nullopt;
  // An active read behind an earlier handler cannot be handed over, and no client needs this.
  if (from_peer_ == Input::reading)
    co_return refuse_upgrade(400, "A WebSocket handshake cannot be sent before the answer to an earlier request.");
  if (!key_bytes || key_bytes->size() != 16) co_return refuse_upgrade(400, "Sec-WebSocket-Key is not a key of 16 bytes.");

  answer_ = Answer::begun;
  while (output_.queued_bytes() != 0 && !output_.failed()) co_await output_.drained().wait();  // answers to earlier requests
  if (output_.failed()) co_return fail(gone_error());

  const HttpServerSettings& limits = host_.settings();
  WebSocketSettings settings{.role = websocket::Role::server,
                             .message_bytes = limits.websocket_message_bytes,
                             .ping = limits.websocket_ping,
                             .stall = limits.write_stall,
                             .already_read = Bytes(input_.view())};
  std::string& head = settings.send_first;
  http1::append_status_line(head, 101, false);
  http1::append_header(head, "Upgrade", "websocket");
  http1::append_header(head, "Connection", "Upgrade");
  http1::append_header(head, "Sec-WebSocket-Accept", http1::websocket_accept(*key));
  for (const std::string_view offered : offered_subprotocols(request_))
    if (offered == subprotocol) settings.subprotocol = subprotocol;
  if (!settings.subprotocol.empty()) http1::append_header(head, "Sec-WebSocket-Protocol", settings.subprotocol);
  for (const HttpHeader& header : headers) http1::append_header(head, header.name, header.value);
  head += "\r\n";

  answer_ = Answer::upgraded;
  input_ = {};
  output_.detach();
  co_return host_.adopt(std::move(stream_), std::move(settings), who_);
}

void HttpConnection::answer_plainly(int status, std::string_view text, std::vector<HttpHeader> headers) {
  headers.push_back({.name = "Content-Type", .value = "text/plain; charset=utf-8"});
  write_head(status, headers, BodyForm::length, text.size() + 1);
  if (request_.method != "HEAD") {
    output_.buffer() += text;
    output_.buffer() += '\n';
  }
  answer_ = Answer::done;
}

// ---- the end ---------------------------------------------------------------------------------------------------------

// Answers an unreadable request; the connection ends too.
void HttpConnection::refuse(int status, std::string_view why) {
  keep_ = false;
  reader_.reset();
  answer_plainly(status, std::to_string(status) + " " + std::string(http1::reason_phrase(status)) + ": " + std::string(why));
  end_connection();
}

void HttpConnection::end_connection() {
  phase_ = Phase::ending;
  start_timer(ending_time);
  if (output_.queued_bytes() == 0) on_output_sent();
  if (phase_ == Phase::ending && from_peer_ == Input::idle) discard_more();
}

void HttpConnection::on_output_sent() {
  if (phase_ != Phase::ending) return;
  if (from_peer_ == Input::ended) vanish();
  else stream_->close_output();
}

void HttpConnection::on_timer() {
  if (phase_ == Phase::head) refuse(408, "the request's header took too long");
  else if (phase_ == Phase::body) refuse(408, "the request's body took too long");
  else vanish();
}

// Ends the connection in a later turn of the loop: never inside the handler or a callback of the stream.
void HttpConnection::vanish() {
  phase_ = Phase::gone;
  loop_.wake(*this);
}

}  // namespace parlance
