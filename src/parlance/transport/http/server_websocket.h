// SPDX-License-Identifier: Apache-2.0
// A WebSocket of the HTTP server in two parts. The server keeps its part until the closing handshake ends. The handler holds the
// other part, with an earlier or later end. For the .cpp files of this folder only. Loop thread only.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "parlance/transport/http/websocket_stream.h"

namespace parlance {

struct ServerSocket;
class ServerWebSocket;

// The server in the view of its sockets.
class SocketOwner {
 public:
  virtual void socket_closed(ServerSocket& socket) = 0;
  virtual void handle_gone(ServerSocket& socket) = 0;

 protected:
  ~SocketOwner() = default;
};

// The server's part of a WebSocket. The handle may be destroyed long before the end of the closing handshake.
struct ServerSocket final : WebSocketStream {
  ServerSocket(Loop& loop, SocketOwner& server, std::unique_ptr<ByteStream> stream, WebSocketSettings settings,
               std::string client)
      : WebSocketStream(loop, std::move(stream), std::move(settings)), owner(&server), who(std::move(client)) {}
  void on_closed() override;
  using WebSocketStream::abandon_frame;
  using WebSocketStream::begin_frame;
  using WebSocketStream::end_frame;
  using WebSocketStream::send_joined;

  SocketOwner* owner;
  const std::string who;  // HttpExchange::trust
  ServerWebSocket* handle = nullptr;
  std::size_t slot = 0;
  bool closed = false;
};

// The handler's part of a WebSocket.
class ServerWebSocket final : public WebSocketFrames, public SharedOutput {
 public:
  explicit ServerWebSocket(ServerSocket& socket);
  ~ServerWebSocket() override;
  // The server ends first: the handle keeps its closed socket.
  void keep(std::unique_ptr<ServerSocket> socket);

  void start_read(FramesDone& done) override { socket_->start_read(done); }
  void stop_read() override { socket_->stop_read(); }
  bool congested() const override { return socket_->congested(); }
  Signal& drained() override { return socket_->drained(); }
  std::size_t queued_bytes() const override { return socket_->queued_bytes(); }
  void watch(HangUp* watcher) override { socket_->watch(watcher); }
  Result<void> send_joined(std::span<const SharedBytes> parts) override { return socket_->send_joined(parts); }
  void only_text() override { socket_->only_text(); }
  void ping(PingDone& done) override { socket_->ping(done); }
  void stop_ping() override { socket_->stop_ping(); }
  void finish() override { socket_->finish(); }
  void close() override { socket_->close(); }
  std::string name() const override { return socket_->name(); }
  void close_with(std::uint16_t code, std::string_view reason) override { socket_->close_with(code, reason); }
  const std::string& subprotocol() const override { return socket_->subprotocol(); }
  std::uint16_t close_code() const override { return socket_->close_code(); }
  const std::string& close_reason() const override { return socket_->close_reason(); }

 protected:
  std::string& begin_frame() override { return socket_->begin_frame(); }
  Result<void> end_frame() override { return socket_->end_frame(); }
  void abandon_frame() override { socket_->abandon_frame(); }

 private:
  ServerSocket* socket_;
  std::unique_ptr<ServerSocket> kept_;
};

}  // namespace parlance
