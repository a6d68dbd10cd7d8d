// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/encryption.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include <openssl/evp.h>

#include "parlance/base/secret.h"
#include "parlance/transport/tls/hmac.h"

namespace parlance::push {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::size_t auth_bytes = 16;
constexpr std::size_t key_bytes = 16;
constexpr std::size_t nonce_bytes = 12;
constexpr std::size_t tag_bytes = 16;
constexpr std::uint32_t record_bytes = 4096;
constexpr char last_record = 2;  // the delimiter behind the text of the last record

unsigned char* octets_of(Bytes& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }
const unsigned char* octets_of(const Bytes& bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

// HKDF (RFC 5869) for as much as one block of its hash has.
Result<Bytes> hkdf(BytesView salt, BytesView secret, BytesView info, std::size_t bytes) {
  PARLANCE_TRY(key, hmac_sha256(salt, secret));
  PARLANCE_TRY(block, hmac_sha256(key, Bytes(info) + '\1'));
  block.resize(bytes);
  return block;
}

Result<Bytes> aes_128_gcm(const Bytes& key, const Bytes& nonce, const Bytes& plain) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
  Bytes out(plain.size() + tag_bytes, '\0');
  int written = 0;
  int rest = 0;
  if (!context || EVP_EncryptInit_ex(context.get(), EVP_aes_128_gcm(), nullptr, octets_of(key), octets_of(nonce)) != 1 ||
      EVP_EncryptUpdate(context.get(), octets_of(out), &written, octets_of(plain), static_cast<int>(plain.size())) != 1 ||
      EVP_EncryptFinal_ex(context.get(), octets_of(out) + written, &rest) != 1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, tag_bytes, octets_of(out) + plain.size()) != 1)
    return fail(Errc::failed, "OpenSSL could not encrypt");
  return out;
}

// RFC 8188, section 2.1.
Bytes header_of(BytesView salt, const Bytes& sender) {
  Bytes header(salt);
  for (int shift = 24; shift >= 0; shift -= 8) header += static_cast<char>(record_bytes >> shift & 255);
  header += static_cast<char>(sender.size());
  return header + sender;
}

}  // namespace

Result<void> check_keys(const BrowserKeys& keys) {
  if (const auto point = check_public_key(keys.p256dh); !point) return std::unexpected(Error(point.error()).in("p256dh"));
  if (keys.auth.size() != auth_bytes) return fail(Errc::invalid_params, "auth: 16 bytes are needed");
  return {};
}

Result<Bytes> encrypt_with(BytesView message, std::size_t padded_to, const BrowserKeys& keys, const P256Key& once,
                           BytesView salt) {
  PARLANCE_TRY_DO(check_keys(keys));
  if (std::max(message.size(), padded_to) > most_message_bytes)
    return fail(Errc::invalid_params, "a push has at most " + std::to_string(most_message_bytes) + " bytes");
  PARLANCE_TRY(common, once.agree(keys.p256dh));
  PARLANCE_TRY(secret, hkdf(keys.auth, common, Bytes("WebPush: info\0"sv) + keys.p256dh + once.public_key(), 32));
  PARLANCE_TRY(key, hkdf(salt, secret, "Content-Encoding: aes128gcm\0"sv, key_bytes));
  PARLANCE_TRY(nonce, hkdf(salt, secret, "Content-Encoding: nonce\0"sv, nonce_bytes));
  Bytes plain(message);
  plain += last_record;
  plain.resize(std::max(plain.size(), padded_to + 1), '\0');
  PARLANCE_TRY(sealed, aes_128_gcm(key, nonce, plain));
  return header_of(salt, once.public_key()) + sealed;
}

Result<Bytes> encrypt(BytesView message, std::size_t padded_to, const BrowserKeys& keys) {
  PARLANCE_TRY(once, P256Key::generate());
  return encrypt_with(message, padded_to, keys, once, random_bytes(salt_bytes));
}

}  // namespace parlance::push
