// SPDX-License-Identifier: Apache-2.0
// For tests: a certificate that signs itself, in two files of a folder of its own.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace parlance::test {

class Certificate {
 public:
  explicit Certificate(const std::string& host) {
    std::string pattern = (std::filesystem::temp_directory_path() / "parlance-tls-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    certificate_file = folder_ / "certificate.pem";
    key_file = folder_ / "key.pem";

    const std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)> key(::EVP_EC_gen("P-256"), &::EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&::X509_free)> certificate(::X509_new(), &::X509_free);
    X509* x = certificate.get();
    ::X509_set_version(x, 2);
    ::ASN1_INTEGER_set(::X509_get_serialNumber(x), 1);
    ::X509_gmtime_adj(::X509_getm_notBefore(x), -3600);
    ::X509_gmtime_adj(::X509_getm_notAfter(x), 3600);
    ::X509_set_pubkey(x, key.get());
    X509_NAME* name = ::X509_get_subject_name(x);
    ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(host.c_str()), -1, -1, 0);
    ::X509_set_issuer_name(x, name);
    const bool is_number = host.find_first_not_of("0123456789.") == std::string::npos;
    const std::string names = (is_number ? "IP:" : "DNS:") + host;
    const std::unique_ptr<X509_EXTENSION, decltype(&::X509_EXTENSION_free)> extension(
        ::X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str()), &::X509_EXTENSION_free);
    ::X509_add_ext(x, extension.get(), -1);
    ::X509_sign(x, key.get(), ::EVP_sha256());

    write(certificate_file, [&](std::FILE* file) { ::PEM_write_X509(file, x); });
    write(key_file, [&](std::FILE* file) { ::PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
  }
  ~Certificate() { std::filesystem::remove_all(folder_); }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  std::filesystem::path certificate_file;
  std::filesystem::path key_file;

 private:
  template <class F>
  static void write(const std::filesystem::path& path, F fill) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    fill(file);
    std::fclose(file);
  }
  std::filesystem::path folder_;
};

}  // namespace parlance::test
