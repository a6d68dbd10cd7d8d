// SPDX-License-Identifier: Apache-2.0
// TLS over any byte stream (OpenSSL through memory, without sockets). Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

struct TlsClientSettings {
  std::string host{};     // Requested name (SNI), and the name or address that the certificate must have.
  bool verify = true;     // False: accepts any certificate.
  std::string ca_file{};  // Trusted in addition to the system's certificates. Empty: none.
};

// Returns after the handshake. Errors: denied (an untrusted certificate, with the reason), disconnected, failed, invalid_params
// (a certificate must be verified, and `host` is empty).
Task<Result<std::unique_ptr<ByteStream>>> tls_connect(Loop& loop, std::unique_ptr<ByteStream> stream, TlsClientSettings settings);

// The serving side. Both files are PEM; the file of the certificate may have a chain.
struct TlsServerSettings {
  std::string certificate_file{};
  std::string key_file{};
};
Task<Result<std::unique_ptr<ByteStream>>> tls_accept(Loop& loop, std::unique_ptr<ByteStream> stream, TlsServerSettings settings);

}  // namespace parlance
