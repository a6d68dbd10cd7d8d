// SPDX-License-Identifier: Apache-2.0
// Our own stdin and stdout as one byte stream, for programs that speak a protocol there. Loop thread only.
//
// The stream takes the two descriptors over: afterwards 0 is /dev/null, and 1 is what stderr is, so that a stray print of some
// library cannot tear a frame. They stay so when the stream is gone; the other side then reads its end of file.
//
// Waiting needs O_NONBLOCK, and that belongs to the open file, which we share with the shell that started us, and at a terminal with
// stderr. So a pipe or terminal is opened anew, which gives us an open file of our own. Where that cannot be (sockets, regular files,
// a pipe that belongs to another user) the flag is set on the shared one and put back when the stream is destroyed, at exit, and
// when a signal ends us that nobody handles; SIGKILL alone leaves it set. It is never set on stderr.
//
// Pipes, terminals, sockets, regular files and /dev/null all work.
#pragma once

#include <memory>

#include "parlance/async/loop.h"
#include "parlance/base/result.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

struct StdioDescriptors {  // Others than ours: for tests.
  int input = 0;
  int output = 1;
  int errors = 2;
};

// Errors: invalid_request when a descriptor is closed, or is one open file with stderr that cannot be opened anew (a socket as stdin
// and stderr at once: log lines would tear the frames anyway).
Result<std::unique_ptr<ByteStream>> stdio_stream(Loop& loop, StdioDescriptors descriptors = {});

// Opens /dev/null for each of 0, 1 and 2 that we were started without. Call first in every main(): otherwise the loop's own
// descriptors get these numbers, and are read and written as if they were stdin and stdout.
void fill_standard_descriptors();

}  // namespace parlance
