// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/acp/http_frames.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/base/text.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/limits.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/acp/outline.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/message_frames.h"

namespace parlance::acp {
namespace {

// The agent has no such connection, or refuses this client.
bool ends_connection(int status) { return status == 401 || status == 403 || status == 404 || status == 410; }
bool is_success(const HttpResponse& response) { return response.status / 100 == 2; }

// The agent's explanation in one line.
Error refusal(const HttpResponse& response) {
  std::string text = "HTTP status " + std::to_string(response.status);
  const std::string_view said = trim(std::string_view(response.body).substr(0, limits::repeated_bytes));
  if (!said.empty()) text += ": " + std::string(said.substr(0, said.find('\n')));
  const bool denied = response.status == 401 || response.status == 403;
  return {.code = denied ? Errc::denied : Errc::failed, .message = std::move(text)};
}

// Owned by the frames.
class HttpAgent {
 public:
  HttpAgent(Loop& loop, std::string url, std::vector<HttpHeader> headers)
      : url_(std::move(url)), headers_(std::move(headers)), changed_(loop), http_(loop), scope_(loop) {}
  ~HttpAgent() { scope_.cancel(); }

  void start(MessageFrames& frames) {
    frames_ = &frames;
    scope_.start(post_all());
  }
  void send(std::string frame) {
    waiting_.push_back(std::move(frame));
    changed_.notify_all();
  }
  void finish() {
    finishing_ = true;
    changed_.notify_all();
  }

 private:
  HttpRequest request(std::string method, const std::string& session) const {
    HttpRequest made{.method = std::move(method), .url = url_, .headers = headers_, .body_limit = limits::message_bytes};
    if (!connection_.empty()) made.headers.push_back({.name = std::string(connection_header), .value = connection_});
    if (!session.empty()) made.headers.push_back({.name = std::string(session_header), .value = session});
    return made;
  }
  HttpRequest post_of(std::string body, const std::string& session) const {
    HttpRequest made = request("POST", session);
    made.headers.push_back({.name = "Content-Type", .value = "application/json"});
    made.body = std::move(body);
    return made;
  }
  void end(Error error) { frames_->fail(std::move(error).in(url_)); }

  // ---- out: one by one, because the agent handles requests in the order of arrival
  Task<void> post_all() {
    for (;;) {
      while (waiting_.empty() && !finishing_) co_await changed_.wait();
      if (waiting_.empty()) break;
      std::string frame = std::move(waiting_.front());
      waiting_.pop_front();
      if (connection_.empty()) co_await begin(std::move(frame));
      else co_await post(std::move(frame));
    }
    if (!connection_.empty()) {
      HttpRequest goodbye = request("DELETE", "");
      goodbye.total_timeout = limits::goodbye;
      static_cast<void>(co_await http_.fetch(std::move(goodbye)));
    }
    frames_->end();
  }

  Task<void> begin(std::string frame) {
    auto response = co_await http_.fetch(post_of(std::move(frame), ""));
    if (!response) co_return end(std::move(response).error());
    const std::string* const id = find_header(response->headers, connection_header);
    if (!is_success(*response)) co_return end(refusal(*response));
    if (id == nullptr || id->empty())
      co_return end({.code = Errc::failed,
                     .message = "the answer names no " + std::string(connection_header) +
                                ": this is no address of the Agent Client Protocol over HTTP"});
    connection_ = *id;
    scope_.start(listen(""));
    frames_->receive(std::move(response->body));
  }

  Task<void> post(std::string frame) {
    const Outline message = outline(frame).value_or(Outline{});
    const bool asks = !message.method.empty() && !message.id_json.empty();
    std::string session = message.session;
    if (message.method.empty()) {
      auto question = questions_.extract(message.id_json);
      session = question.empty() ? std::string() : std::move(question.mapped());
    } else if (message.method == method::load_session.method || message.method == method::resume_session.method) {
      refused_.erase(session);
    }
    if (const auto refused = refused_.find(session); refused != refused_.end()) {
      if (asks) refuse(message.id_json, refused->second);
      co_return;
    }
    if (!session.empty()) fetch_stream(session);
    if (asks) asked_[message.id_json] = session;
    const auto response = co_await http_.fetch(post_of(std::move(frame), session));
    if (response && is_success(*response)) co_return;
    Error error = response ? refusal(*response) : response.error();
    if (!response || ends_connection(response->status)) co_return end(std::move(error));
    if (response->status == 409 && !session.empty()) co_return lose(session, error);
    if (!asks) co_return end(std::move(error));  // a notice or an answer is lost without an error
    if (asked_.erase(message.id_json) != 0) refuse(message.id_json, error);
  }

  // ---- in
  void fetch_stream(const std::string& session) {
    if (streams_.insert(session).second) scope_.start(listen(session));
  }

  Task<void> listen(std::string session) {
    SseParser parser(limits::message_bytes);
    const auto on_event = [&](SseEvent event) -> Result<void> {
      if (!event.data.empty()) arrived(std::move(event.data), session);
      return {};
    };
    HttpRequest get = request("GET", session);
    get.headers.push_back({.name = "Accept", .value = "text/event-stream"});
    const auto response = co_await http_.stream(
        std::move(get), [&](BytesView bytes) { return parser.feed(bytes, on_event); },
        [this] { return frames_->wait_writable(); });
    streams_.erase(session);
    if (finishing_) co_return;
    if (!response) co_return end(response.error());
    Error error =
        is_success(*response) ? Error{.code = Errc::disconnected, .message = "the agent ended its stream"} : refusal(*response);
    if (session.empty() || ends_connection(response->status)) co_return end(std::move(error));
    if (is_success(*response)) fail_requests(session, error);  // the next message of the session reopens the stream
    else lose(session, error);
  }

  void arrived(std::string text, const std::string& stream) {
    if (const auto message = outline(text)) {
      if (message->method.empty()) asked_.erase(message->id_json);
      else if (!message->id_json.empty()) questions_[message->id_json] = stream;
      if (message->method.empty() && !message->session.empty()) fetch_stream(message->session);
    }
    frames_->receive(std::move(text));
  }

  // Until the session is loaded or resumed.
  void lose(const std::string& session, const Error& error) {
    refused_.insert_or_assign(session, error);
    fail_requests(session, error);
  }
  void fail_requests(const std::string& session, const Error& error) {
    for (auto entry = asked_.begin(); entry != asked_.end();) {
      if (entry->second != session) {
        ++entry;
        continue;
      }
      refuse(entry->first, error);
      entry = asked_.erase(entry);
    }
  }
  // Answered here, because no stream will deliver an answer.
  void refuse(const std::string& id_json, const Error& error) {
    frames_->receive(jsonrpc::error_reply(id_json, acp::code_of(error), url_ + ": " + error.message));
  }

  std::string url_;
  std::vector<HttpHeader> headers_;
  MessageFrames* frames_ = nullptr;
  std::string connection_;
  bool finishing_ = false;
  std::deque<std::string> waiting_;
  Signal changed_;
  std::set<std::string> streams_;                 // sessions with an open stream
  std::map<std::string, std::string> asked_;      // our requests, by id, and their sessions
  std::map<std::string, std::string> questions_;  // the agent's requests, and their streams
  std::map<std::string, Error> refused_;          // sessions read by another client
  HttpClient http_;
  Scope scope_;  // goes first
};

class HttpFrames final : public MessageFrames {
 public:
  HttpFrames(Loop& loop, const std::string& url, std::vector<HttpHeader> headers)
      : MessageFrames(loop, url, [this](std::string frame) { agent_.send(std::move(frame)); }),
        agent_(loop, url, std::move(headers)) {
    agent_.start(*this);
  }
  void finish() override { agent_.finish(); }

 private:
  HttpAgent agent_;
};

}  // namespace

std::unique_ptr<Frames> http_frames(Loop& loop, std::string url, std::vector<HttpHeader> headers) {
  return std::make_unique<HttpFrames>(loop, url, std::move(headers));
}

}  // namespace parlance::acp
