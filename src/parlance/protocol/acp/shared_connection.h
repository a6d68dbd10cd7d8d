// SPDX-License-Identifier: Apache-2.0
// One connection to an agent that several clients share, each as if it had the connection alone: what is told and asked in a session
// goes to the client that began it, and each reply to whoever asked. `initialize` goes over the wire once; the others are given the same
// answer. Loop thread only.
//
// A client that goes closes its sessions. When the connection ends, all clients end with it, for the same reason.
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

  // The first client: it also hears what belongs to no session. Once, before all else.
  std::unique_ptr<Frames> first();
  // Another. Errors: disconnected (the connection has ended), overloaded (limits::shared_clients).
  Result<std::unique_ptr<Frames>> another();

  // Reads to the end of the connection, and says how that was. Started once, by the owner.
  Task<Error> run();
  void leave(const std::string& why);  // all clients but the first end, and hear why
  void close(const std::string& why);  // at once, and with it all clients

  struct State;  // shared with the clients, which may outlive this

 private:
  std::shared_ptr<State> state_;
};

}  // namespace parlance::acp
