// SPDX-License-Identifier: Apache-2.0
// Base64 with padding (RFC 4648, section 4), the form of bytes in JSON. Any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/base/bytes.h"

namespace parlance {

std::string to_base64(BytesView bytes);
// No value if a character, the length or the padding is wrong.
std::optional<Bytes> from_base64(std::string_view text);

}  // namespace parlance
