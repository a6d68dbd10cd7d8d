// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/backend_refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::server {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const model::ApiKey key{.text = "sk-very-secret", .origin = "PARLANCE_EMBED_API_KEY"};

Error refusal_of(int status, std::string body = "", const model::ApiKey& with = key) {
  return refusal_error({.status = status, .body = std::move(body)}, "http://host/v1", with);
}

TEST(BackendRefusal, NamesARemedy) {
  EXPECT_THAT(refusal_of(401, "", {}).message, HasSubstr("http://host/v1 wants a key (401): set PARLANCE_EMBED_API_KEY"));
  EXPECT_THAT(refusal_of(403).message, HasSubstr("does not accept the key from PARLANCE_EMBED_API_KEY (403)"));
  EXPECT_THAT(refusal_of(402).message, HasSubstr("the account has no credit left"));
  EXPECT_THAT(refusal_of(404).message, HasSubstr("check the address and the model's name"));
  EXPECT_THAT(refusal_of(405).message, HasSubstr("does not embed"));
  EXPECT_THAT(refusal_of(429).message, HasSubstr("limits the rate of requests"));
  EXPECT_THAT(refusal_of(503).message, HasSubstr("is in trouble"));
  EXPECT_THAT(refusal_of(400).message, HasSubstr("refuses the request"));
  EXPECT_THAT(refusal_of(302).message, HasSubstr("is this the address of an embedding service?"));
}

TEST(BackendRefusal, ItsCodeSaysWhetherTheSameCallMaySucceedLater) {
  for (const int status : {401, 402, 403}) EXPECT_EQ(refusal_of(status).code, Errc::denied) << status;
  for (const int status : {404, 405}) EXPECT_EQ(refusal_of(status).code, Errc::not_found) << status;
  for (const int status : {429, 500, 502, 503}) EXPECT_EQ(refusal_of(status).code, Errc::overloaded) << status;
  for (const int status : {301, 400, 422}) EXPECT_EQ(refusal_of(status).code, Errc::failed) << status;
}

TEST(BackendRefusal, AnAccountWithoutCreditIsNoPassingTrouble) {
  EXPECT_EQ(refusal_of(429, R"({"error":{"code":"insufficient_quota","message":"You exceeded your quota"}})").code, Errc::denied);
}

TEST(BackendRefusal, TheServicesMessageIsReportedWithoutTheKey) {
  const Error error = refusal_of(400, R"({"error":{"message":"no model for sk-very-secret here"}})");
  EXPECT_THAT(error.message, AllOf(HasSubstr("no model for"), Not(HasSubstr("sk-very-secret"))));
}

TEST(BackendRefusal, RecognisesMessagesAboutATooLongText) {
  EXPECT_TRUE(says_text_too_long("input is too large to process. increase the physical batch size"));
  EXPECT_TRUE(says_text_too_long("This model's Maximum Context length is 8192 tokens"));
  EXPECT_TRUE(says_text_too_long("Input TOO LONG"));
  EXPECT_FALSE(says_text_too_long("no such model"));
  EXPECT_FALSE(says_text_too_long(""));
}

TEST(BackendRefusal, AnotherStyleIsTriedWhereTheAddressOrTheBodyIsUnknown) {
  for (const int status : {400, 404, 405, 415, 422, 501}) EXPECT_TRUE(is_another_style(status)) << status;
  for (const int status : {0, 200, 401, 403, 413, 429, 500, 503}) EXPECT_FALSE(is_another_style(status)) << status;
}

}  // namespace
}  // namespace parlance::server
