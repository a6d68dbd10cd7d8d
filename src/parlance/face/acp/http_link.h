// SPDX-License-Identifier: Apache-2.0
// A client of ACP over HTTP: its posts become frames, and outgoing messages wait in streams of server-sent events until fetched.
// The connection and each session have a stream. Loop thread only.
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

// Messages of a stream. One reader at a time.
struct HttpLinkStream {
  explicit HttpLinkStream(Loop& loop) : changed(loop) {}
  std::deque<std::string> waiting{};
  bool read = false;  // has a reader
  Signal changed;
};

class HttpLink {
 public:
  // `sessions`: those of the client's user.
  HttpLink(Loop& loop, std::string id, std::shared_ptr<AcpSessions> sessions);

  const std::string id;
  const std::shared_ptr<AcpSessions> sessions;
  std::unique_ptr<Frames> frames();  // Call once; the link must outlive the frames.

  // ---- posts of the client
  void receive(std::string message, const acp::Outline& outline, const std::string& session_header);
  void close();  // after a DELETE, or after the idle limit
  bool closed() const { return ended_; }
  // The session of the request for this reply: the header must name the same. No value: a request of the connection, or unknown.
  std::optional<std::string> asked_in(const std::string& id_json) const;
  // The answer to the first request, part of the HTTP answer.
  Task<std::string> first_reply();

  // ---- fetches of the client. `session` empty: the connection's stream.
  std::shared_ptr<HttpLinkStream> stream(const std::string& session);
  void taken(std::size_t bytes);  // from a stream

  TimePoint last_used{};
  std::size_t exchanges = 0;  // in progress

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
  std::map<std::string, std::string> answers_;    // open requests of the client, with the stream of their answer
  std::map<std::string, std::string> questions_;  // open requests to the client, with their session
};

}  // namespace parlance::face
