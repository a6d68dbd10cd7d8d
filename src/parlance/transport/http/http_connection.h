// SPDX-License-Identifier: Apache-2.0
// One connection of the HTTP server: reads requests one after the other, runs the handler on each, writes the answers in order.
// For the .cpp files of this folder only. Loop thread only.
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

// What a connection needs of its server.
class HttpConnectionHost {
 public:
  virtual const HttpServerSettings& settings() const = 0;
  virtual Task<void> handle(HttpExchange& exchange) = 0;  // counts it and calls the handler
  virtual bool body_wanted(const ServerRequest& head) = 0;
  virtual bool draining() const = 0;
  virtual std::string_view date() = 0;                          // as a Date header has it
  virtual void drop(HttpConnection& connection) = 0;            // destroys it
  virtual void stranger_waits(HttpConnection& connection) = 0;  // from now on it may be told to `leave`
  virtual void stranger_busy(HttpConnection& connection) = 0;   // … no more
  virtual std::unique_ptr<WebSocketFrames> adopt(std::unique_ptr<ByteStream> stream, WebSocketSettings settings,
                                                 std::string who) = 0;

 protected:
  ~HttpConnectionHost() = default;
};

class HttpConnection final : public HttpExchange, private OutputQueue::Owner, private IoDone, private Timer, private Ready {
 public:
  HttpConnection(Loop& loop, HttpConnectionHost& host, std::unique_ptr<ByteStream> stream, std::string peer);

  void start();
  void drain();                                           // ends it when no request is under way
  void leave() { vanish(); }                              // at once, for somebody else's sake
  bool has_stream() const { return stream_ != nullptr; }  // false after an upgrade
  std::size_t slot = 0;                                   // the server's place for it

  // Of those that wait and are not trusted, in the order in which they began to.
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
  const std::string& who() const { return who_; }  // whose request is under way
  Task<Result<void>> respond(HttpReply reply) override;
  Task<Result<void>> begin(int status, std::vector<HttpHeader> headers) override;
  Task<Result<void>> write(std::string bytes) override;
  Task<Result<void>> end() override;
  using HttpExchange::upgrade;
  Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view subprotocol, std::vector<HttpHeader> headers) override;

 private:
  enum class Phase : std::uint8_t {
    idle,      // between requests
    head,      // a request has begun
    body,      // its head is complete
    handling,  // the handler runs
    ending,    // the last bytes leave; what comes in is dropped, so that the system sends no reset before they are read
  };
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
  bool receive();  // false: more input is needed, or the connection ends
  void start_exchange();
  Task<void> run_exchange();
  void finish_exchange();
  void refuse(int status, std::string_view why);
  void answer_plainly(int status, std::string_view text, std::vector<HttpHeader> headers = {});
  void write_head(int status, const std::vector<HttpHeader>& headers, BodyForm form, std::size_t length);
  Task<Result<void>> room();  // waits while the client is slow
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
  bool keep_ = true;  // the connection outlives this exchange
  bool reading_ = false;
  bool input_ended_ = false;
  bool starting_ = false;  // inside start_exchange
  bool exchange_over_ = false;
  bool gone_ = false;
  bool trusted_ = false;
  std::string who_;
  OutputQueue output_;
  std::unique_ptr<ByteStream> stream_;  // before output_ goes: it may hold a write of it
  Scope scope_;                         // the handler; goes first
};

}  // namespace parlance
