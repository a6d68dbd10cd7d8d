// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256 (RFC 2104) by OpenSSL, for data that a secret authenticates. libcrypto is loaded at the first use, for the reason
// in curl_library.h: most helpers over pipes never use it, and start faster without it. Any thread.
#pragma once

#include <string>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"

namespace parlance {

Result<std::string> hmac_sha256(BytesView secret, BytesView message);  // 32 bytes

}  // namespace parlance
