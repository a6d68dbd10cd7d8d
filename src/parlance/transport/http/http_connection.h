// SPDX-License-Identifier: Apache-2.0
// One connection of the HTTP server: reads requests in sequence, runs the handler for each, and writes the answers in order. For
// the .cpp files of this folder only. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/intrusive_list.h"
#include "parlance/async/scope.h"
#include "parlance/transport/http/http1.h"
#include "parlance/transport/http/http_exchange.h"
#include "parlance/transport/http/http_server_settings.h"
#include "parlance/transport/output_queue.h"
#include "parlance/transport/read_buffer.h"

namespace parlance {

class HttpConnection;

// The server as its connections see it.
class HttpConnectionHost {
 public:
  virtual const HttpServerSettings& settings() const = 0;
  virtual Task<void> handle(HttpExchange& exchange) = 0;  // Counts the request and calls the handler.
  virtual bool body_wanted(const ServerRequest& head) = 0;
  virtual bool draining() const = 0;
  virtual std::string_view date() = 0;                          // In the form of a Date header.
  virtual void drop(HttpConnection& connection) = 0;            // Destroys the connection.
  virtual void stranger_waits(HttpConnection& connection) = 0;  // From now on, the server may call `leave`.
  virtual void stranger_busy(HttpConnection& connection) = 0;   // Ends this permission.
  virtual std::unique_ptr<WebSocketFrames> adopt(std::unique_ptr<ByteStream> stream, WebSocketSettings settings,
                                                 std::string who) = 0;

 protected:
  ~HttpConnectionHost() = default;
};

class HttpConnection final : public HttpExchange, private OutputQueue::Owner, private IoDone, private Timer, private Ready {
 public:
  HttpConnection(Loop& loop, HttpConnectionHost& host, std::unique_ptr<ByteStream> stream, std::string peer);

  void start();
  void drain();                                           // Ends the connection if no request is in progress.
  void leave() { vanish(); }                              // Ends the connection at once, in favour of another.
  bool has_stream() const { return stream_ != nullptr; }  // False after an upgrade.
  std::size_t slot = 0;                                   // The slot in the server.

  // Waiting connections without trust, in the order of their waits.
  struct Stranger final : ListHook {
    explicit Stranger(HttpConnection& c) : connection(c) {}
    HttpConnection& connection;
  };
  Stranger stranger{*this};

  const ServerRequest& request() const override { return request_; }
  void trust(std::string who) override {
    trusted_ = true;
    who_ = std::move(who);
  }
  const std::string& who() const { return who_; }  // Caller of the request in progress.
  Task<Result<void>> respond(HttpReply reply) override;
  Task<Result<void>> begin(int status, std::vector<HttpHeader> headers) override;
  Task<Result<void>> write(std::string bytes) override;
  Task<Result<void>> end() override;
  using HttpExchange::upgrade;
  Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view subprotocol, std::vector<HttpHeader> headers) override;

 private:
  enum class Phase : std::uint8_t {
    idle,      // Between requests.
    head,      // A request has begun.
    body,      // The head is complete.
    handling,  // The handler runs.
    ending,    // The last bytes leave. Input is dropped, so that the system sends no reset before the client has read them.
    gone,      // The server destroys the connection in a later turn of the loop.
  };
  enum class Handler : std::uint8_t { none, starting, running, over };
  enum class Answer : std::uint8_t { none, begun, done, upgraded };
  enum class BodyForm : std::uint8_t { none, length, chunked, to_the_end };

  void on_io(Result<std::size_t> bytes) override;
  void on_output_sent() override;
  void on_output_failed(Error) override { vanish(); }
  void on_timer() override;
  void on_ready() override;

  void read_more();
  void discard_more();
  void read_behind_handler();
  void advance();
  bool receive();  // False: more input is needed, or the connection ends.
  void start_exchange();
  Task<void> run_exchange();
  void finish_exchange();
  void refuse(int status, std::string_view why);
  void answer_plainly(int status, std::string_view text, std::vector<HttpHeader> headers = {});
  void write_head(int status, const std::vector<HttpHeader>& headers, BodyForm form, std::size_t length);
  Task<Result<void>> wait_writable();  // Waits while the client is slow.
  Error gone_error() const;
  void end_connection();
  void vanish();
  void start_timer(std::chrono::milliseconds time) { Timer::start(loop_, loop_.now() + time); }

  Loop& loop_;
  HttpConnectionHost& host_;
  std::string peer_;
  ReadBuffer input_;
  std::unique_ptr<http1::RequestReader> reader_;
  ServerRequest request_;
  Phase phase_ = Phase::idle;
  Answer answer_ = Answer::none;
  BodyForm form_ = BodyForm::none;
  bool http_1_0_ = false;
  bool keep_ = true;  // The connection outlives this exchange.
  bool trusted_ = false;
  Handler handler_ = Handler::none;
  Input from_peer_ = Input::idle;
  std::string who_;
  OutputQueue output_;
  std::unique_ptr<ByteStream> stream_;  // Declared before output_, which may hold a write of it.
  Scope scope_;                         // The handler; destroyed first.
};

}  // namespace parlance
