// SPDX-License-Identifier: Apache-2.0
// Message encryption for Web Push (RFC 8291) with the content coding aes128gcm (RFC 8188): unreadable for the push service. Pure;
// any thread.
#pragma once

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"
#include "parlance/transport/tls/p256_key.h"

namespace parlance::push {

// The keys of a browser's subscription.
struct BrowserKeys {
  Bytes p256dh{};  // its public key
  Bytes auth{};    // 16 bytes, unknown to the push service
  friend bool operator==(const BrowserKeys&, const BrowserKeys&) = default;
};
// Errors: invalid_params, with the faulty key and its fault.
Result<void> check_keys(const BrowserKeys& keys);

inline constexpr std::size_t salt_bytes = 16;
// Of a record; push services accept at least 4,096 bytes including the overhead.
inline constexpr std::size_t most_message_bytes = 3'900;

// The body of a push. `padded_to`: hides the length of shorter messages. Errors: invalid_params (keys; too long).
Result<Bytes> encrypt(BytesView message, std::size_t padded_to, const BrowserKeys& keys);
// The same with given values for the normally random parts: for tests.
Result<Bytes> encrypt_with(BytesView message, std::size_t padded_to, const BrowserKeys& keys, const P256Key& once,
                           BytesView salt);

}  // namespace parlance::push
