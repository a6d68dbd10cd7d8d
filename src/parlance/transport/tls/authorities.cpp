// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/tls/authorities.h"

#include <cstdlib>
#include <initializer_list>
#include <unistd.h>

#include <openssl/x509.h>

namespace parlance {

std::string authority_bundle(const std::string& root) {
  const auto is_readable = [&](const char* path) { return ::access((root + path).c_str(), R_OK) == 0; };
  if (std::getenv("SSL_CERT_FILE") != nullptr || std::getenv("SSL_CERT_DIR") != nullptr) return "";
  if (is_readable(::X509_get_default_cert_dir())) return "";
  for (const char* path : {"/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Gentoo
                           "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, RHEL
                           "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora 43 and newer
                           "/etc/ssl/ca-bundle.pem",                             // openSUSE
                           "/etc/ssl/cert.pem"})                                 // Alpine and its relatives
    if (is_readable(path)) return root + path;
  return "";
}

}  // namespace parlance
