// SPDX-License-Identifier: Apache-2.0
// SHA-1 (FIPS 180-4) for the handshake of WebSocket (RFC 6455, 4.2.2), without a cryptography library. Not for other purposes: SHA-1
// is broken as a hash for security. Any thread.
#pragma once

#include <array>

#include "parlance/base/bytes.h"

namespace parlance {

std::array<unsigned char, 20> sha1(BytesView bytes);

}  // namespace parlance
