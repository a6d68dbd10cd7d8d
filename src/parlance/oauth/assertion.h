// SPDX-License-Identifier: Apache-2.0
// A client that identifies itself with a key in place of a secret (RFC 7523, private_key_jwt). Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "parlance/base/result.h"
#include "parlance/oauth/grant.h"
#include "parlance/transport/tls/p256_key.h"

namespace parlance::oauth {

inline constexpr std::string_view key_method = "private_key_jwt";

// Adds the assertion of `client_id` for one request to `issuer`: signed with ES256, valid for five minutes.
Result<void> add_assertion(Form& form, const P256Key& key, const std::string& client_id, const std::string& issuer,
                           std::int64_t now_seconds);

}  // namespace parlance::oauth
