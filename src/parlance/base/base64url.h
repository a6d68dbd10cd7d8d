// SPDX-License-Identifier: Apache-2.0
// Base64 for URLs, without padding (RFC 4648, section 5), for keys, tokens and JSON Web Tokens. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/bytes.h"

namespace parlance {

std::string to_base64url(BytesView bytes);
// Also accepts padding, which libraries of some browsers add. No value if a character or the length is wrong.
std::optional<Bytes> from_base64url(std::string_view text);

}  // namespace parlance
