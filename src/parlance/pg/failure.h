// SPDX-License-Identifier: Apache-2.0
// How PostgreSQL fails: by a word of the server, after which the statement certainly did nothing, or by silence, after which nobody knows.
// Values; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "parlance/base/error.h"

namespace parlance::pg {

struct Failure {
  std::string sqlstate{};  // the server's five characters; empty: the connection was lost, or the server was silent for too long
  std::string message{};
  bool unknown() const { return sqlstate.empty(); }  // what was sent may have happened or not
};

template <class T = void>
using Outcome = std::expected<T, Failure>;

// The failure in three parts: what failed, the server's words with the SQLSTATE, what to do. The code says more for a program:
// - disconnected: the connection broke or the server is going; a new connection may help;
// - overloaded: the server is there and refuses the statement for now, so it had no effect (is_refusal);
// - failed: the same statement fails again.
Error error_of(const Failure& failure);

// SQLSTATEs after which the same statement may succeed later or on another connection: shutdown, crash, start, a full disk, too
// little memory, too many connections, a standby that was asked to write.
bool is_passing(std::string_view sqlstate);
// Of these, the states of a server that stays connected: somebody has to make room or raise a limit.
bool is_refusal(std::string_view sqlstate);

}  // namespace parlance::pg
