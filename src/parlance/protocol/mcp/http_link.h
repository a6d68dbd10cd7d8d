// SPDX-License-Identifier: Apache-2.0
// Connects a client to a server over Streamable HTTP. Every message is a POST; answers (JSON or server-sent events) become messages for
// the peer. A broken stream continues at its end (2025 era). A server without the session
// receives a new `initialize`, and the refused call is repeated once. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/protocol/mcp/era.h"
#include "parlance/protocol/mcp/http_headers.h"
#include "parlance/protocol/mcp/message_frames.h"
#include "parlance/transport/http/http_authorizer.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::mcp {

// Streamable HTTP, or the form of 2024-11-05 (sse_frames.h). automatic: the second after a refusal of the first.
enum class HttpWay : std::uint8_t { automatic, streamable, sse };

struct HttpLinkSettings {
  std::string url{};
  std::vector<HttpHeader> headers{};             // For every request: Authorization, …
  HttpWay way = HttpWay::automatic;              // For connect_http.
  std::shared_ptr<HttpAuthorizer> authorizer{};  // Null: `headers` has all credentials.
};

class HttpLink {
 public:
  HttpLink(Loop& loop, HttpLinkSettings settings);
  ~HttpLink();
  HttpLink(const HttpLink&) = delete;
  HttpLink& operator=(const HttpLink&) = delete;

  // For the peer, once. The frames may outlive the link, which they then no longer reach.
  std::unique_ptr<Frames> frames(std::shared_ptr<Route> route);

  // From the negotiation: decides about the headers of requests.
  void speak(Era era, std::string version);
  // Arguments of a tool that headers repeat by its schema (2026-07-28).
  std::function<std::vector<HttpHeader>(std::string_view tool, std::string_view arguments_json)> mirror{};

  // The server replaced a lost session; lists may differ.
  std::function<void()> on_new_session{};

  void open_stream();        // 2025 era: requests and notices of the server; optional
  Task<void> end_session();  // informs the server about the end
  const std::string& session() const { return session_; }
  // True: a POST failed with HTTP status 400, 404 or 405.
  bool was_refused() const { return was_refused_; }

 private:
  struct Exchange;
  void send(std::string frame);
  Task<void> post(std::string frame, Outline message);
  Task<Result<HttpResponse>> post_once(std::string frame, const Outline& message, Exchange& exchange);
  bool is_session_lost(const HttpResponse& response) const;
  // False: the server refuses a new session. `lost`: session_number_ of the refused call; no effect after a newer session.
  Task<bool> renew_session(std::uint64_t lost);
  Task<bool> begin_session();
  Task<void> listen();
  // Reads an answer. True: with the reply to `exchange`.
  Task<Result<HttpResponse>> read_answer(HttpRequest request, Exchange& exchange);
  Task<void> resume(Exchange& exchange);
  std::vector<HttpHeader> headers_for(const Outline& message) const;
  void deliver(std::string message);
  void fail_request(const std::string& id_json, const Error& error);
  void refused(const std::string& id_json, const HttpResponse& response, bool is_repeated);

  Loop& loop_;
  HttpLinkSettings settings_;
  std::string host_;
  Era era_ = Era::undecided;
  std::string version_;
  std::string session_;
  std::uint64_t session_number_ = 0;  // counts replaced sessions
  std::string initialize_;            // first message of the session
  bool is_renewing_ = false;
  Signal renewed_;
  bool was_refused_ = false;
  MessageFrames* frames_ = nullptr;
  std::shared_ptr<HttpLink*> self_;  // The frames' pointer to this object: null after its end.
  HttpClient http_;
  std::map<std::string, Scope::Handle> running_;  // By request id.
  Scope scope_;
};

}  // namespace parlance::mcp
