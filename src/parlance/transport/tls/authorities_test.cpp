// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/tls/authorities.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>
#include <openssl/x509.h>

namespace parlance {
namespace {

class Authorities : public testing::Test {
 protected:
  Authorities() {
    ::unsetenv("SSL_CERT_FILE");
    ::unsetenv("SSL_CERT_DIR");
    std::string folder = testing::TempDir() + "authorities_XXXXXX";
    root_ = ::mkdtemp(folder.data());
  }
  ~Authorities() override { std::filesystem::remove_all(root_); }

  void make(const std::string& path) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "certificates";
  }

  std::string root_;
};

TEST_F(Authorities, AreFoundOnFedora) {
  make("/etc/pki/tls/certs/ca-bundle.crt");
  EXPECT_EQ(authority_bundle(root_), root_ + "/etc/pki/tls/certs/ca-bundle.crt");
}

TEST_F(Authorities, AreFoundOnAlpine) {
  make("/etc/ssl/cert.pem");
  EXPECT_EQ(authority_bundle(root_), root_ + "/etc/ssl/cert.pem");
}

TEST_F(Authorities, AreNotFoundInAnEmptyRoot) { EXPECT_EQ(authority_bundle(root_), ""); }

TEST_F(Authorities, ComeFromTheFolderOfOpenSslWhereItExists) {
  make("/etc/ssl/certs/ca-certificates.crt");
  std::filesystem::create_directories(root_ + ::X509_get_default_cert_dir());
  EXPECT_EQ(authority_bundle(root_), "");
}

TEST_F(Authorities, ComeFromTheEnvironmentFirst) {
  make("/etc/ssl/cert.pem");
  ::setenv("SSL_CERT_FILE", "/srv/authority.pem", 1);
  EXPECT_EQ(authority_bundle(root_), "");
  ::unsetenv("SSL_CERT_FILE");
}

}  // namespace
}  // namespace parlance
