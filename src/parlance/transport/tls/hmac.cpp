// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/tls/hmac.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#ifndef PARLANCE_SELF_CONTAINED
#include <dlfcn.h>

#include <openssl/opensslv.h>
#endif

namespace parlance {
namespace {

constexpr unsigned digest_bytes = 32;

struct CryptoLibrary {
  decltype(&::HMAC) hmac = nullptr;
  decltype(&::EVP_sha256) sha256 = nullptr;
};

#ifdef PARLANCE_SELF_CONTAINED
Result<CryptoLibrary> load() { return CryptoLibrary{.hmac = &::HMAC, .sha256 = &::EVP_sha256}; }
#else
Result<CryptoLibrary> load() {
  const std::string name = "libcrypto.so." + std::to_string(OPENSSL_SHLIB_VERSION);
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: it leaves handlers behind that run at exit
  if (library == nullptr)
    return fail(Errc::failed, std::string("signing needs OpenSSL (Debian package libssl3): ") + ::dlerror());
  CryptoLibrary crypto{.hmac = reinterpret_cast<decltype(&::HMAC)>(::dlsym(library, "HMAC")),
                       .sha256 = reinterpret_cast<decltype(&::EVP_sha256)>(::dlsym(library, "EVP_sha256"))};
  if (crypto.hmac == nullptr || crypto.sha256 == nullptr) return fail(Errc::failed, name + " has no HMAC");
  return crypto;
}
#endif

const Result<CryptoLibrary>& library() {
  static const Result<CryptoLibrary> loaded = load();
  return loaded;
}

}  // namespace

Result<std::string> hmac_sha256(BytesView secret, BytesView message) {
  const auto& crypto = library();
  if (!crypto) return std::unexpected(crypto.error());
  std::string digest(digest_bytes, '\0');
  unsigned size = 0;
  const auto* done = crypto->hmac(crypto->sha256(), secret.data(), static_cast<int>(secret.size()),
                                  reinterpret_cast<const unsigned char*>(message.data()), message.size(),
                                  reinterpret_cast<unsigned char*>(digest.data()), &size);
  if (done == nullptr || size != digest_bytes) return fail(Errc::failed, "OpenSSL could not sign");
  return digest;
}

}  // namespace parlance
