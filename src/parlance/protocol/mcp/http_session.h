// SPDX-License-Identifier: Apache-2.0
// A session of the 2025 era over HTTP: the state of a client in a server, and the streams of its answers. For http_endpoint.cpp
// only. Loop thread only.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/base/text.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/event_stream.h"
#include "parlance/protocol/mcp/message_frames.h"
#include "parlance/protocol/mcp/server.h"

namespace parlance::mcp {

struct HttpSession {
  HttpSession(Loop& loop, Server& server, std::string session_id);
  ~HttpSession() { close(); }
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  struct Use {  // An exchange in progress.
    explicit Use(HttpSession& of) : session(of) { ++session.exchanges; }
    ~Use() {
      --session.exchanges;
      session.last_used = session.loop.now();
    }
    HttpSession& session;
  };

  // The stream of a request's answer. Errors: a running request has this id; too many requests run.
  Result<std::shared_ptr<EventStream>> begin_stream(const std::string& id_json);
  void end_stream(const std::string& id_json);  // Without a reply.
  // The stream to resume, and its event. Without an id, the stream of messages without a request.
  std::pair<std::shared_ptr<EventStream>, std::uint64_t> find_stream(std::string_view last_event_id);
  void forget(const std::shared_ptr<EventStream>& stream);
  void close();  // Ends every stream; handlers are cancelled.

  Loop& loop;
  const std::string id;
  int exchanges = 0;
  TimePoint last_used;
  MessageFrames* frames = nullptr;  // Owned by the peer.
  std::unique_ptr<Session> peer;

 private:
  void route_out(const Route& route, std::string frame);
  void sweep_streams();
  static std::string key_of(const RequestId& id) { return id.raw.empty() ? std::to_string(id.number) : id.raw; }

  std::map<std::string, std::shared_ptr<EventStream>> running_;    // By request id.
  std::map<std::uint64_t, std::shared_ptr<EventStream>> streams_;  // By number; 0 belongs to no request.
  std::uint64_t next_stream_ = 1;
  Scope scope_;
};

}  // namespace parlance::mcp
