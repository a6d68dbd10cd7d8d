// SPDX-License-Identifier: Apache-2.0
// Unix and TCP stream sockets: listen and connect. Loop thread only.
//
// Unix sockets have mode 0600 (0660 for a group). Both sides reject a peer of another user, except root and named users. A path
// is removed only if it is our own socket without a listening program. No socket is created in a folder where other users could
// replace it. TCP uses loopback addresses; wider addresses need a flag. The system detects a TCP peer on a vanished machine
// (transport/tcp_options.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/async/loop.h"
#include "parlance/base/result.h"
#include "parlance/base/uri.h"
#include "parlance/transport/byte_stream.h"
#include "parlance/transport/socket_peers.h"

namespace parlance {

using OnConnection = std::function<void(std::unique_ptr<ByteStream>)>;

// The destructor stops listening, and removes the path of a Unix socket that is still ours.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual std::string address() const = 0;  // "unix:/run/x.sock", "tcp:127.0.0.1:4711" with the real port.
  virtual unsigned short port() const = 0;  // 0 for Unix sockets.
};

Result<std::unique_ptr<Listener>> listen_unix(Loop& loop, const std::string& path, OnConnection on_connection,
                                              SocketPeers peers = {});
Result<std::unique_ptr<Listener>> listen_tcp(Loop& loop, const HostPort& address, OnConnection on_connection,
                                             bool loopback_only = true);

// Errors: not_found (no such path), disconnected (no listening program), denied (also: a program of another user listens).
Task<Result<std::unique_ptr<ByteStream>>> connect_unix(Loop& loop, std::string path, SocketPeers peers = {});
Task<Result<std::unique_ptr<ByteStream>>> connect_tcp(Loop& loop, HostPort address);

// "unix:/path", "tcp:host:port", "/path", "path/in/here", "host:port".
Task<Result<std::unique_ptr<ByteStream>>> connect_to(Loop& loop, std::string address, SocketPeers peers = {});
// The path, if the address is a Unix socket. A name without a slash is a path if it cannot be host:port.
std::optional<std::string> socket_path(std::string_view address);

}  // namespace parlance
