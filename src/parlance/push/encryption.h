// SPDX-License-Identifier: Apache-2.0
// Message encryption for Web Push (RFC 8291) with the content coding aes128gcm (RFC 8188): what a push service passes on, and cannot read.
// Pure; any thread.
#pragma once

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"
#include "parlance/push/p256_key.h"

namespace parlance::push {

// What a browser gives with its subscription.
struct BrowserKeys {
  Bytes p256dh{};  // its public key
  Bytes auth{};    // 16 bytes that the push service does not know
  friend bool operator==(const BrowserKeys&, const BrowserKeys&) = default;
};
// Errors: invalid_params, with what is wrong with which.
Result<void> check_keys(const BrowserKeys& keys);

inline constexpr std::size_t salt_bytes = 16;
// Of one record; what push services take at least is 4,096 bytes with all that is added.
inline constexpr std::size_t most_message_bytes = 3'900;

// The body of a push. `padded_to`: messages that are shorter look as long as this. Errors: invalid_params (keys; too long).
Result<Bytes> encrypt(BytesView message, std::size_t padded_to, const BrowserKeys& keys);
// The same with what is else made anew for each message, and must be: for tests.
Result<Bytes> encrypt_with(BytesView message, std::size_t padded_to, const BrowserKeys& keys, const P256Key& once,
                           BytesView salt);

}  // namespace parlance::push
