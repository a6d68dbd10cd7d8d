// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256 (RFC 2104) by OpenSSL, for what a secret has to answer for. libcrypto is opened when it is first needed, for the reason of
// curl_library.h: a helper that speaks over pipes starts without it, and most never need it. Any thread.
#pragma once

#include <string>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"

namespace parlance {

Result<std::string> hmac_sha256(BytesView secret, BytesView message);  // 32 bytes

}  // namespace parlance
