// SPDX-License-Identifier: Apache-2.0
// Options of every TCP connection, accepted or made: small writes leave at once, and vanished peers (power, cable, suspended
// laptop) are detected without output. Otherwise a caller could be gone for hours during a long Chat. The system probes after
// limits::tcp_silence. Without an answer, the connection is lost after limits::stall, and its next read fails (ETIMEDOUT).
// Output without acknowledgement for limits::stall ends the connection too. Any thread.
#pragma once

#include "parlance/transport/limits.h"

namespace parlance {

// Options that the system lacks are skipped: they only end a dead connection sooner.
void set_tcp_options(int fd);

}  // namespace parlance
