// SPDX-License-Identifier: Apache-2.0
// A window's socket for programs in its terminals. Each window has a socket with a random name, announced only in the environment
// of these programs. A Unix socket checks the user of a connection by the system. TCP on this machine requires the token in the
// first line, and ends other connections. Loop thread only.
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
  std::function<void(Peer&)> greet{};                     // called for each new program
  std::function<std::unique_ptr<Framing>()> lines{};      // framing of a connection; empty: plain lines
  Duration first_line = editor::limits::first_line;       // TCP: timeout of the first line
  std::size_t connections = editor::limits::connections;  // limit; further connections are closed at once
};

class EditorSocket {
 public:
  // The router must outlive the object. Errors: of the folder below XDG_RUNTIME_DIR (or of temporary files), and of listening.
  static Result<std::unique_ptr<EditorSocket>> listen(Loop& loop, const Router& router, EditorSocketSettings settings = {});
  ~EditorSocket();  // closes its connections and removes its files

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
