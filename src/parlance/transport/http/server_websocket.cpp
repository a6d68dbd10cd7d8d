// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/server_websocket.h"

namespace parlance {

void ServerSocket::on_closed() {
  closed = true;
  if (owner != nullptr) owner->socket_closed(*this);
}

ServerWebSocket::ServerWebSocket(ServerSocket& socket) : socket_(&socket) { socket.handle = this; }
ServerWebSocket::~ServerWebSocket() {
  socket_->handle = nullptr;
  if (socket_->owner != nullptr) socket_->owner->handle_gone(*socket_);
}

void ServerWebSocket::keep(std::unique_ptr<ServerSocket> socket) {
  kept_ = std::move(socket);
  kept_->owner = nullptr;
}

}  // namespace parlance
