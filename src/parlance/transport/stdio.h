// SPDX-License-Identifier: Apache-2.0
// Our own stdin and stdout as one byte stream, for programs with a protocol there. Loop thread only.
//
// The stream takes both descriptors. Afterwards 0 is /dev/null, and 1 is equal to stderr, so that a print of a library cannot
// damage a frame. This remains after the end of the stream; the other side then reads its end of file.
//
// Waiting needs O_NONBLOCK. This flag belongs to the open file, which the starting shell shares, and at a terminal also stderr.
// A pipe or terminal is therefore opened again, as an open file of our own. If this is impossible (sockets, regular files, a
// pipe of another user), the flag is set on the shared file. It is reset when the stream is destroyed, at exit, and at an
// unhandled fatal signal; only SIGKILL leaves it set. It is never set on stderr.
//
// Pipes, terminals, sockets, regular files and /dev/null all work.
#pragma once

#include <memory>

#include "parlance/async/loop.h"
#include "parlance/base/result.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

struct StdioDescriptors {  // Other descriptors, for tests.
  int input = 0;
  int output = 1;
  int errors = 2;
};

// Errors: invalid_request for a closed descriptor. The same for a file shared with stderr without a second open (a socket as
// stdin and stderr), because log lines would damage the frames.
Result<std::unique_ptr<ByteStream>> stdio_stream(Loop& loop, StdioDescriptors descriptors = {});

// Opens /dev/null for each missing descriptor of 0, 1 and 2. Call first in every main(). Otherwise the loop's own descriptors
// get these numbers, and are used as stdin and stdout.
void fill_standard_descriptors();

}  // namespace parlance
