// Unix and TCP stream sockets: listening and connecting. Loop thread only.
//
// Unix sockets are made with mode 0600, and a peer whose user is not ours (or root) is turned away. A path that is no socket, or
// that still answers, is never removed. TCP is for loopback addresses; anything wider must be asked for.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "async/loop.h"
#include "base/result.h"
#include "base/uri.h"
#include "transport/byte_stream.h"

namespace parlance {

using OnConnection = std::function<void(std::unique_ptr<ByteStream>)>;

// Stops listening when destroyed; a Unix socket's path is removed if it is still ours.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual std::string address() const = 0;  // "unix:/run/x.sock", "tcp:127.0.0.1:4711" with the real port
  virtual unsigned short port() const = 0;  // 0 for Unix sockets
};

Result<std::unique_ptr<Listener>> listen_unix(Loop& loop, const std::string& path, OnConnection on_connection);
Result<std::unique_ptr<Listener>> listen_tcp(Loop& loop, const HostPort& address, OnConnection on_connection,
                                             bool loopback_only = true);

// Errors: not_found (no such path), disconnected (nobody listens), denied.
Task<Result<std::unique_ptr<ByteStream>>> connect_unix(Loop& loop, std::string path);
Task<Result<std::unique_ptr<ByteStream>>> connect_tcp(Loop& loop, HostPort address);

// "unix:/path", "tcp:host:port", "/path", "host:port".
Task<Result<std::unique_ptr<ByteStream>>> connect_to(Loop& loop, std::string address);

}  // namespace parlance
