// SPDX-License-Identifier: Apache-2.0
// A window's socket: where programs of its terminals find the editor. One for each window, under a name that nobody can guess, and
// announced to those programs alone by their environment. Over a Unix socket the system says whose they are; over TCP, which is for
// this machine only, the token does, and a connection whose first line does not show it is ended. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/peer/peer.h"
#include "parlance/peer/router.h"
#include "parlance/protocol/editor/limits.h"
#include "parlance/transport/framing.h"
#include "parlance/transport/sockets.h"

namespace parlance::face {

struct EditorSocketSettings {
  enum class Over : std::uint8_t { unix_socket, tcp } over = Over::unix_socket;
  std::function<void(Peer&)> greet{};                     // a program has come
  std::function<std::unique_ptr<Framing>()> lines{};      // of a connection; empty: plain ones
  Duration first_line = editor::limits::first_line;       // TCP: how long it may take
  std::size_t connections = editor::limits::connections;  // further ones are ended at once
};

class EditorSocket {
 public:
  // The router outlives it. Errors: of making the folder below XDG_RUNTIME_DIR (or of temporary files), and of listening there.
  static Result<std::unique_ptr<EditorSocket>> listen(Loop& loop, const Router& router, EditorSocketSettings settings = {});
  ~EditorSocket();  // ends its connections, and leaves no file

  std::string address() const { return listener_->address(); }  // the content of PARLANCE_EDITOR_SOCKET
  const std::string& token() const { return token_; }           // … of PARLANCE_EDITOR_TOKEN
  std::size_t connections() const { return scope_.running(); }

 private:
  EditorSocket(Loop& loop, const Router& router, EditorSocketSettings settings);
  Result<void> open();
  void take(std::unique_ptr<ByteStream> stream);
  Task<void> serve(std::unique_ptr<ByteStream> stream);

  Loop& loop_;
  const Router& router_;
  EditorSocketSettings settings_;
  std::string token_;
  std::string folder_;  // of the Unix socket
  std::unique_ptr<Listener> listener_;
  Scope scope_;
};

}  // namespace parlance::face
