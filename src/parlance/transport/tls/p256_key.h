// SPDX-License-Identifier: Apache-2.0
// A key pair on the curve P-256, by OpenSSL: agrees on secrets (ECDH) and signs (ES256). A value with a shared key. Any thread.
#pragma once

#include <memory>
#include <string>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"

namespace parlance {

class P256Key {
 public:
  static constexpr std::size_t private_bytes = 32;
  static constexpr std::size_t public_bytes = 65;  // 4, x, y: the uncompressed point of SEC 1

  static Result<P256Key> generate();
  // A PEM file, as `openssl genpkey` writes it. Errors: invalid_params (another curve, or a password).
  static Result<P256Key> from_pem(const std::string& text);
  // Errors: invalid_params (not 32 bytes, no number of this curve).
  static Result<P256Key> from_private(BytesView scalar);

  Bytes private_key() const { return private_; }
  const Bytes& public_key() const { return public_; }
  // The x of the common point: 32 bytes. Errors: invalid_params (theirs is no point of the curve).
  Result<Bytes> agree(BytesView their_public) const;
  // SHA-256 and ECDSA: r and s, 32 bytes each, in the form of JSON Web Signatures (RFC 7518, section 3.4).
  Result<Bytes> sign(BytesView message) const;

 private:
  P256Key(std::shared_ptr<void> key, Bytes scalar, Bytes point)
      : key_(std::move(key)), private_(std::move(scalar)), public_(std::move(point)) {}
  std::shared_ptr<void> key_;  // an EVP_PKEY
  Bytes private_;
  Bytes public_;
};

// Checks that the point is on the curve. Errors: invalid_params.
Result<void> check_public_key(BytesView point);

}  // namespace parlance
