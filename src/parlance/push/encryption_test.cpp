// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/encryption.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/base64url.h"

namespace parlance::push {
namespace {

Bytes bytes(std::string_view text) { return from_base64url(text).value(); }

// RFC 8291, section 5 and appendix A.
constexpr std::string_view text = "When I grow up, I want to be a watermelon";
constexpr std::string_view sender = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
constexpr std::string_view salt = "DGv6ra1nlYgDCS1FRnbzlw";
constexpr std::string_view body =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6"
    "cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
BrowserKeys browser() {
  return {.p256dh = bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
          .auth = bytes("BTBZMqHH6r4Tts7J_aSIgg")};
}

TEST(PushEncryption, ReturnsTheExampleOfTheStandard) {
  const auto key = P256Key::from_private(bytes(sender));
  ASSERT_TRUE(key);
  const auto sealed = encrypt_with(text, 0, browser(), *key, bytes(salt));
  ASSERT_TRUE(sealed);
  EXPECT_EQ(to_base64url(*sealed), body);
}

TEST(PushEncryption, EqualLengthsRevealNothing) {
  const auto one = encrypt("{\"waiting\":1}", 64, browser());
  const auto many = encrypt("{\"waiting\":1234}", 64, browser());
  ASSERT_TRUE(one && many);
  EXPECT_EQ(one->size(), many->size());
  EXPECT_NE(one->substr(0, salt_bytes), many->substr(0, salt_bytes)) << "salt and key are made for one message";
  EXPECT_NE(one->substr(21, 65), many->substr(21, 65));
}

TEST(PushEncryption, KeysThatAreNoneAreRefusedWithTheirName) {
  BrowserKeys keys = browser();
  keys.p256dh[40] = static_cast<char>(keys.p256dh[40] ^ 1);  // beside the curve
  const auto beside = check_keys(keys);
  ASSERT_FALSE(beside);
  EXPECT_THAT(beside.error().message, testing::HasSubstr("p256dh"));
  EXPECT_FALSE(check_keys({.p256dh = "", .auth = browser().auth}));
  EXPECT_FALSE(check_keys({.p256dh = Bytes(65, '\0'), .auth = browser().auth}));
  EXPECT_FALSE(check_keys({.p256dh = browser().p256dh, .auth = "short"}));
  EXPECT_FALSE(encrypt("x", 0, keys));
}

TEST(PushEncryption, AMessageTooLargeForServicesIsRefused) {
  EXPECT_TRUE(encrypt(std::string(most_message_bytes, 'x'), 0, browser()));
  EXPECT_FALSE(encrypt(std::string(most_message_bytes + 1, 'x'), 0, browser()));
}

TEST(Base64Url, ComesBackAsItWas) {
  for (const std::string_view bytes : {"", "f", "fo", "foo", "\xff\xfe\xfd\xfc"})
    EXPECT_EQ(from_base64url(to_base64url(bytes)), bytes);
  EXPECT_EQ(from_base64url("Zm8="), "fo");
  for (const std::string_view wrong : {"Z", "Zm+v", "Zm/v", "Zm 9"}) EXPECT_EQ(from_base64url(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace parlance::push
