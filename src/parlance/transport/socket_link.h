// SPDX-License-Identifier: Apache-2.0
// A second name for a Unix socket: a symbolic link, for programs that know one address only. It may lie in a folder that everybody
// writes to (/tmp, which is sticky): nothing that belongs to somebody else is followed or replaced, nor is a socket or a link behind
// which somebody answers. Blocks for a moment; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance {

// Taken away when destroyed, if it still leads to the same place.
class SocketLink {
 public:
  // Errors: denied; the text says what is in the way, and what to do.
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
