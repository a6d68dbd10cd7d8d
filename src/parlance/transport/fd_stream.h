// SPDX-License-Identifier: Apache-2.0
// A byte stream over file descriptors: a socket or a pair of pipes. Owns the descriptors, makes them non-blocking and closes
// them.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

// How a read waits. `looking`: the peer may answer at once, so the loop polls before waiting if polling pays
// (async/busy_poll.h).
enum class ReadWait { asleep, looking };

// A socket, or another descriptor for reading and writing.
std::unique_ptr<ByteStream> fd_stream(Loop& loop, int fd, std::string name, ReadWait wait = ReadWait::asleep);
// Two pipes; the descriptors may be equal. -1: the direction does not exist and is at its end.
std::unique_ptr<ByteStream> fd_stream(Loop& loop, int read_fd, int write_fd, std::string name, ReadWait wait = ReadWait::asleep);

}  // namespace parlance
