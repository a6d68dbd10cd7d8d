// SPDX-License-Identifier: Apache-2.0
// Unix and TCP stream sockets: listening and connecting. Loop thread only.
//
// Unix sockets are made with mode 0600 (0660 for a group), and a peer whose user is not ours (or root, or one that is named) is turned
// away, whichever side it is on. A path that is no socket, that belongs to somebody else or that still answers is never removed, and
// no socket is made in a folder where others could replace it. TCP is for loopback addresses; anything wider must be asked for.
// A TCP peer whose machine vanished is noticed by the system (transport/tcp_options.h); until then it looks as if it only had nothing to say.
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

// Stops listening when destroyed; a Unix socket's path is removed if it is still ours.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual std::string address() const = 0;  // "unix:/run/x.sock", "tcp:127.0.0.1:4711" with the real port
  virtual unsigned short port() const = 0;  // 0 for Unix sockets
};

Result<std::unique_ptr<Listener>> listen_unix(Loop& loop, const std::string& path, OnConnection on_connection,
                                              SocketPeers peers = {});
Result<std::unique_ptr<Listener>> listen_tcp(Loop& loop, const HostPort& address, OnConnection on_connection,
                                             bool loopback_only = true);

// Errors: not_found (no such path), disconnected (nobody listens), denied (also: somebody else listens).
Task<Result<std::unique_ptr<ByteStream>>> connect_unix(Loop& loop, std::string path, SocketPeers peers = {});
Task<Result<std::unique_ptr<ByteStream>>> connect_tcp(Loop& loop, HostPort address);

// "unix:/path", "tcp:host:port", "/path", "path/in/here", "host:port".
Task<Result<std::unique_ptr<ByteStream>>> connect_to(Loop& loop, std::string address, SocketPeers peers = {});
// The path, if the address is one of a Unix socket. A name without a slash is one if it can be no host:port.
std::optional<std::string> socket_path(std::string_view address);

}  // namespace parlance
