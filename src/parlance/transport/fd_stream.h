// SPDX-License-Identifier: Apache-2.0
// A byte stream over file descriptors: a socket, or a pair of pipes. Owns them, makes them non-blocking, closes them.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

// How a read waits. `looking`: the other side may answer at once, so the loop looks again before it waits, where that pays
// (async/busy_poll.h).
enum class ReadWait { asleep, looking };

// A socket or any other descriptor that reads and writes.
std::unique_ptr<ByteStream> fd_stream(Loop& loop, int fd, std::string name, ReadWait wait = ReadWait::asleep);
// Two pipes; the descriptors may be equal. -1 for a direction that does not exist (it is at its end from the start).
std::unique_ptr<ByteStream> fd_stream(Loop& loop, int read_fd, int write_fd, std::string name, ReadWait wait = ReadWait::asleep);

}  // namespace parlance
