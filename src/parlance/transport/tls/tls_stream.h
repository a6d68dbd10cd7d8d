// SPDX-License-Identifier: Apache-2.0
// TLS over any byte stream (OpenSSL, through memory, so that it knows no sockets). Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

struct TlsClientSettings {
  std::string host{};     // asked for by name (SNI), and what the certificate must say; a name or an address
  bool verify = true;     // false: any certificate will do
  std::string ca_file{};  // trusted besides the system's certificates; "" is none
};

// Ends when the handshake is over. Errors: denied (the certificate is not trusted; the text says why), disconnected, failed,
// invalid_params (a certificate is to be verified, but `host` is empty: there is no name to look for in it).
Task<Result<std::unique_ptr<ByteStream>>> tls_connect(Loop& loop, std::unique_ptr<ByteStream> stream, TlsClientSettings settings);

// The serving side. Both files are PEM; the certificate's may hold a chain.
struct TlsServerSettings {
  std::string certificate_file{};
  std::string key_file{};
};
Task<Result<std::unique_ptr<ByteStream>>> tls_accept(Loop& loop, std::unique_ptr<ByteStream> stream, TlsServerSettings settings);

}  // namespace parlance
