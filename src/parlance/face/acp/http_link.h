// SPDX-License-Identifier: Apache-2.0
// One client that speaks ACP over HTTP: what it posts is read as frames, and what it is told waits in streams of server-sent events, one
// for the connection and one for each session, until it fetches them. Loop thread only.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/face/acp/sessions.h"
#include "parlance/protocol/acp/outline.h"
#include "parlance/transport/message_frames.h"

namespace parlance::face {

// What goes to one stream. One reader at a time.
struct HttpLinkStream {
  explicit HttpLinkStream(Loop& loop) : changed(loop) {}
  std::deque<std::string> waiting{};
  bool read = false;  // somebody is there
  Signal changed;
};

class HttpLink {
 public:
  // `sessions`: of its client's user, and of nobody else's.
  HttpLink(Loop& loop, std::string id, std::shared_ptr<AcpSessions> sessions);

  const std::string id;
  const std::shared_ptr<AcpSessions> sessions;
  std::unique_ptr<Frames> frames();  // Once; the link outlives them.

  // ---- what the client posts
  void receive(std::string message, const acp::Outline& outline, const std::string& session_header);
  void close();  // it has said goodbye, or was forgotten
  bool closed() const { return ended_; }
  // The session of the request that this reply answers: its header must name it. Nothing: of the connection, or unknown.
  std::optional<std::string> asked_in(const std::string& id_json) const;
  // The answer to its first request, which goes with the HTTP answer.
  Task<std::string> first_reply();

  // ---- what it fetches. `session` empty: of the connection.
  std::shared_ptr<HttpLinkStream> stream(const std::string& session);
  void taken(std::size_t bytes);  // out of a stream

  TimePoint last_used{};
  std::size_t exchanges = 0;  // under way

 private:
  class LinkFrames;
  void route(std::string frame);
  bool congested() const;

  Loop& loop_;
  LinkFrames* frames_ = nullptr;
  OneShot<std::string> first_;
  bool first_sent_ = false;
  bool ended_ = false;
  std::size_t buffered_ = 0;
  Signal drained_;
  std::map<std::string, std::shared_ptr<HttpLinkStream>> streams_;
  std::map<std::string, std::string> answers_;    // requests of the client and the streams of their answers
  std::map<std::string, std::string> questions_;  // requests to the client and their sessions
};

}  // namespace parlance::face
