// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648, with padding): how JSON carries bytes.
#pragma once

#include <optional>
#include <string>

#include "parlance/base/bytes.h"

namespace parlance {

std::string to_base64(BytesView bytes);
// Nothing when a character, the length or the padding is wrong.
std::optional<Bytes> from_base64(std::string_view text);

}  // namespace parlance
