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

// For those who only want to know that it failed: disconnected (trying again may help) or failed, with the SQLSTATE in the sentence.
Error error_of(const Failure& failure);

// SQLSTATEs after which the same may succeed on another connection, because this server goes or has gone: shutdown, crash, too many
// connections, a standby that was asked to write.
bool is_passing(std::string_view sqlstate);

}  // namespace parlance::pg
