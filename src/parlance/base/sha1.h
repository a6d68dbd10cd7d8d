// SPDX-License-Identifier: Apache-2.0
// SHA-1 (FIPS 180-4), which WebSocket's handshake asks for (RFC 6455, 4.2.2), where linking a cryptography library would be too much.
// For nothing else: it is broken as a hash for security. Any thread.
#pragma once

#include <array>

#include "parlance/base/bytes.h"

namespace parlance {

std::array<unsigned char, 20> sha1(BytesView bytes);

}  // namespace parlance
