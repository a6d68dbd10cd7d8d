// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/tls/p256_key.h"

#include <array>
#include <string_view>
#include <utility>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

namespace parlance {
namespace {

template <auto free>
struct With {
  template <class T>
  void operator()(T* object) const {
    free(object);
  }
};
template <class T, auto free>
using Owned = std::unique_ptr<T, With<free>>;
using Number = Owned<BIGNUM, BN_clear_free>;
using Group = Owned<EC_GROUP, EC_GROUP_free>;
using Point = Owned<EC_POINT, EC_POINT_free>;
using Builder = Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using Parameters = Owned<OSSL_PARAM, OSSL_PARAM_free>;
using KeyContext = Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using Digest = Owned<EVP_MD_CTX, EVP_MD_CTX_free>;
using Signature = Owned<ECDSA_SIG, ECDSA_SIG_free>;
using Source = Owned<BIO, BIO_free_all>;
using Key = std::shared_ptr<EVP_PKEY>;

constexpr const char* curve = "prime256v1";

const unsigned char* data_of(BytesView bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }
unsigned char* data_of(Bytes& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

std::unexpected<Error> failed(const char* what) { return fail(Errc::failed, std::string("OpenSSL could not ") + what); }

// With a scalar, a key pair; without, a public key. Null: OpenSSL rejects the key.
Key make_key(const BIGNUM* scalar, BytesView point) {
  const Builder builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, curve, 0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size());
  if (scalar != nullptr) OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, scalar);
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, scalar != nullptr ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
    return nullptr;
  return {key, EVP_PKEY_free};
}

Result<Bytes> scalar_of(EVP_PKEY* key) {
  BIGNUM* read = nullptr;
  if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &read) != 1) return failed("read a private key");
  const Number number(read);
  Bytes scalar(P256Key::private_bytes, '\0');
  if (BN_bn2binpad(number.get(), data_of(scalar), static_cast<int>(scalar.size())) < 0) return failed("write a key");
  return scalar;
}

Result<Key> their_key(BytesView point) {
  Key key = point.size() == P256Key::public_bytes && point.front() == '\4' ? make_key(nullptr, point) : nullptr;
  const KeyContext check(key ? EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr) : nullptr);
  if (!check || EVP_PKEY_public_check(check.get()) != 1)
    return fail(Errc::invalid_params, "no public key: 65 bytes are needed that are a point of the curve P-256");
  return key;
}

}  // namespace

Result<P256Key> P256Key::from_private(BytesView scalar) {
  const Group group(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1));
  const Number number(BN_bin2bn(data_of(scalar), static_cast<int>(scalar.size()), nullptr));
  if (!group || !number) return failed("use this curve");
  if (scalar.size() != private_bytes || BN_is_zero(number.get()) || BN_cmp(number.get(), EC_GROUP_get0_order(group.get())) >= 0)
    return fail(Errc::invalid_params, "no private key of the curve P-256");
  const Point point(EC_POINT_new(group.get()));
  Bytes octets(public_bytes, '\0');
  if (!point || EC_POINT_mul(group.get(), point.get(), number.get(), nullptr, nullptr, nullptr) != 1 ||
      EC_POINT_point2oct(group.get(), point.get(), POINT_CONVERSION_UNCOMPRESSED, data_of(octets), octets.size(), nullptr) !=
          public_bytes)
    return failed("make a public key");
  Key key = make_key(number.get(), octets);
  if (!key) return failed("take a key of the curve P-256");
  return P256Key(std::move(key), Bytes(scalar), std::move(octets));
}

Result<P256Key> P256Key::generate() {
  const Key key(EVP_EC_gen(curve), EVP_PKEY_free);
  if (!key) return failed("make a key");
  PARLANCE_TRY(scalar, scalar_of(key.get()));
  return from_private(scalar);
}

Result<P256Key> P256Key::from_pem(const std::string& text) {
  const Source source(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  char no_password[] = "";  // without it, OpenSSL would ask on the terminal
  const Key key(source ? PEM_read_bio_PrivateKey(source.get(), nullptr, nullptr, no_password) : nullptr, EVP_PKEY_free);
  std::array<char, 32> group{};
  if (!key || EVP_PKEY_get_group_name(key.get(), group.data(), group.size(), nullptr) != 1 ||
      std::string_view(group.data()) != curve)
    return fail(Errc::invalid_params, "no private key of the curve P-256 in PEM without a password");
  PARLANCE_TRY(scalar, scalar_of(key.get()));
  return from_private(scalar);
}

Result<Bytes> P256Key::agree(BytesView their_public) const {
  PARLANCE_TRY(theirs, their_key(their_public));
  const KeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, static_cast<EVP_PKEY*>(key_.get()), nullptr));
  Bytes secret(32, '\0');
  std::size_t size = secret.size();
  if (!context || EVP_PKEY_derive_init(context.get()) != 1 || EVP_PKEY_derive_set_peer(context.get(), theirs.get()) != 1 ||
      EVP_PKEY_derive(context.get(), data_of(secret), &size) != 1 || size != secret.size())
    return failed("agree on a secret");
  return secret;
}

Result<Bytes> P256Key::sign(BytesView message) const {
  const Digest digest(EVP_MD_CTX_new());
  Bytes der(128, '\0');
  std::size_t size = der.size();
  if (!digest || EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, static_cast<EVP_PKEY*>(key_.get())) != 1 ||
      EVP_DigestSign(digest.get(), data_of(der), &size, data_of(message), message.size()) != 1)
    return failed("sign");
  const unsigned char* at = data_of(der);
  const Signature signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(size)));
  Bytes both(64, '\0');
  if (!signature || BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), data_of(both), 32) < 0 ||
      BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), data_of(both) + 32, 32) < 0)
    return failed("write a signature");
  return both;
}

Result<void> check_public_key(BytesView point) {
  PARLANCE_TRY_DO(their_key(point));
  return {};
}

}  // namespace parlance
