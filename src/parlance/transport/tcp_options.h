// SPDX-License-Identifier: Apache-2.0
// What every TCP connection of ours is set to, accepted or made: small writes leave at once, and a peer that vanished without a word (power,
// cable, suspended laptop) is noticed also while nothing is written to it. Without that, a caller in the middle of a long Chat could be gone
// for hours while we work for it. The system asks after limits::tcp_silence; with no answer the connection is lost after limits::stall, and
// its next read says so (ETIMEDOUT). What was written and is acknowledged by nobody for limits::stall ends it as well. Any thread.
#pragma once

#include "parlance/transport/limits.h"

namespace parlance {

// Options that this system does not have are passed over: they make a dead connection end sooner, and nothing depends on when.
void set_tcp_options(int fd);

}  // namespace parlance
