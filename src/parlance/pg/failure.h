// SPDX-License-Identifier: Apache-2.0
// Failures of PostgreSQL: with an error of the server, the statement certainly had no effect; with silence, the effect is
// unknown. Values; any thread.
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
  bool unknown() const { return sqlstate.empty(); }  // the statement may have run or not
};

template <class T = void>
using Outcome = std::expected<T, Failure>;

// The failure in three parts: the failed operation, the server's message with the SQLSTATE, the remedy. For programs, the code
// distinguishes three cases.
//   `disconnected`: the connection broke or the server is stopping; a new connection may help.
//   `overloaded`: the server runs and refuses the statement for now, without an effect (is_refusal).
//   `failed`: the same statement fails again.
Error error_of(const Failure& failure);

// SQLSTATEs after which the same statement may succeed later or on another connection. Examples: shutdown, crash, start, a full
// disk, too little memory, too many connections, a write on a standby.
bool is_passing(std::string_view sqlstate);
// Of these, the states of a connected server: an administrator has to free space or raise a limit.
bool is_refusal(std::string_view sqlstate);

}  // namespace parlance::pg
