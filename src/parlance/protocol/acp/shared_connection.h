// SPDX-License-Identifier: Apache-2.0
// A connection to an agent, shared by several clients. Each client behaves as on a connection of its own: messages of a session
// reach its client, and each reply its caller. `initialize` crosses the wire once, and later clients receive the same answer.
// Loop thread only.
//
// The end of a client closes its sessions. The end of the connection ends all clients with the same reason.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/transport/frames.h"

namespace parlance::acp {

class SharedConnection {
 public:
  SharedConnection(Loop& loop, std::unique_ptr<Frames> frames);
  ~SharedConnection();  // As `close`.

  // The first client: receives messages without a session too. Once, before all others.
  std::unique_ptr<Frames> first();
  // A further client. Errors: disconnected (the connection has ended), overloaded (limits::shared_clients).
  Result<std::unique_ptr<Frames>> another();

  // Reads to the end of the connection, and returns its reason. Started once by the owner.
  Task<Error> run();
  void leave(const std::string& why);  // Ends all clients except the first, with the reason.
  void close(const std::string& why);  // At once, together with all clients.

  struct State;  // Shared with the clients. These may outlive this object.

 private:
  std::shared_ptr<State> state_;
};

}  // namespace parlance::acp
