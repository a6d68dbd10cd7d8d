// SPDX-License-Identifier: Apache-2.0
// A second name for a Unix socket: a symbolic link, for programs with a fixed address. The link may be in a public folder (/tmp,
// a sticky folder). Objects of other users are never followed or replaced, and neither is a socket or link with a listening
// program. Blocks briefly; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance {

// The destructor removes a link with the same target.
class SocketLink {
 public:
  // Errors: denied. The text names the obstacle and the remedy.
  static Result<SocketLink> make(const std::string& link, const std::string& socket);
  SocketLink(SocketLink&& other) noexcept;
  SocketLink& operator=(SocketLink&&) = delete;
  ~SocketLink();

 private:
  SocketLink(std::string link, std::string socket) : link_(std::move(link)), socket_(std::move(socket)) {}
  std::string link_;
  std::string socket_;
};

}  // namespace parlance
