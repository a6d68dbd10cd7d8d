// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/tls/p256_key.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

// Made for this test by openssl genpkey.
constexpr const char* pem =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfWJQKKR3M8I1E7zI\n"
    "LkJWRkbWRilOQY1LRdsM7xHE6vehRANCAASuCrf39MeKnt3oeqPTXY5A5jwi7+mT\n"
    "+4F1Fw5C+kmfeBARKMWI6JLkJq99KoSxtdjzdVxecNADbUU2QIqcOKJt\n"
    "-----END PRIVATE KEY-----\n";
constexpr const char* of_another_curve =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDA44ZBy/7e/1vD8dG+a\n"
    "nGu7lRgko8Q+ul/WYpBeDkydwm6OC+9+/DrrtuwVPE6YHxChZANiAARyKtTe9L3j\n"
    "PhFuGJDMog7hev/vNIdXyS+rNimlxuGCMDMtrzRMf6xl/8iDd1DOOYf60JBvOYQr\n"
    "Jek/TQTlwV/O4Xmmz9Ow55x4d8JzZT2xo1xpv30KQaV19a+au+rB7XM=\n"
    "-----END PRIVATE KEY-----\n";

TEST(P256Pem, HasTheKeyOfItsScalar) {
  const auto key = P256Key::from_pem(pem);
  ASSERT_TRUE(key) << key.error().message;
  EXPECT_EQ(key->private_key().substr(0, 4), "\x7d\x62\x50\x28");
  EXPECT_EQ(key->public_key().substr(0, 4), "\x04\xae\x0a\xb7");
  EXPECT_EQ(key->sign("text").value().size(), 64U);
}

TEST(P256Pem, AnotherCurveOrTextIsRefused) {
  std::string cut(pem);
  cut.resize(cut.size() / 2);
  for (const std::string& wrong : {std::string(), std::string("-----BEGIN PRIVATE KEY-----\n"), cut,
                                   std::string(of_another_curve), std::string("\0\0", 2)}) {
    const auto key = P256Key::from_pem(wrong);
    ASSERT_FALSE(key) << wrong;
    EXPECT_EQ(key.error().code, Errc::invalid_params) << wrong;
  }
}

}  // namespace
}  // namespace parlance
