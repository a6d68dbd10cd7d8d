// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/era.h"

#include <algorithm>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/protocol/mcp/uri_template.h"

namespace parlance::mcp {
namespace {

using testing::HasSubstr;

constexpr const char* version_key = "io.modelcontextprotocol/protocolVersion";

std::string envelope_fault(const std::string& meta) {
  const auto read = read_meta({meta});
  if (!read) return read.error().message;
  const auto checked = check_envelope(*read);
  return checked ? "" : checked.error().message;
}

TEST(Era, TheRevisionWithBatchesIsAnsweredWithTheOneBefore) {
  EXPECT_EQ(answered_version("2025-03-26"), "2024-11-05");
  for (const char* version : {"2025-11-25", "2025-06-18", "2024-11-05", "2024-10-07"})
    EXPECT_EQ(answered_version(version), version);
  EXPECT_EQ(answered_version("2099-01-01"), legacy_versions.front());
}

TEST(Eras, RevisionsAreOfOneOrOfTheOther) {
  for (const std::string_view version : legacy_versions) EXPECT_TRUE(is_legacy_version(version)) << version;
  for (const std::string_view other :
       {modern_version, std::string_view(""), std::string_view("2025-11-2"), std::string_view("latest")})
    EXPECT_FALSE(is_legacy_version(other)) << other;
  EXPECT_TRUE(is_legacy_version(version_without_header));
  EXPECT_TRUE(std::ranges::is_sorted(legacy_versions, std::greater<>())) << "newest first";
}

TEST(Envelopes, SayRevisionAndCapabilities) {
  const std::string version = "\"" + std::string(version_key) + "\":\"" + std::string(modern_version) + "\"";
  const std::string capabilities = R"("io.modelcontextprotocol/clientCapabilities":{})";
  EXPECT_EQ(envelope_fault("{" + version + "," + capabilities + "}"), "");
  EXPECT_EQ(envelope_fault("{" + capabilities + "," + version + R"(,"x.example/more":[1]})"), "")
      << "others may stand there, too";
  EXPECT_THAT(envelope_fault("{" + capabilities + "}"), HasSubstr("lacks io.modelcontextprotocol/protocolVersion"));
  EXPECT_THAT(envelope_fault("{" + version + "}"), HasSubstr("lacks io.modelcontextprotocol/clientCapabilities"));
  EXPECT_THAT(envelope_fault(""), HasSubstr("lacks"));
  EXPECT_THAT(envelope_fault("null"), HasSubstr("lacks"));
}

TEST(Envelopes, MalformedAreRefusedWithThePlace) {
  EXPECT_THAT(envelope_fault("[]"), HasSubstr("_meta: $: expected an object"));
  EXPECT_THAT(envelope_fault("{\"" + std::string(version_key) + "\":5}"), HasSubstr("expected text"));
}

TEST(Envelopes, AnUnknownRevisionGetsTheSupportedRevisions) {
  const auto meta =
      read_meta({"{\"" + std::string(version_key) + R"(":"2099-\"01","io.modelcontextprotocol/clientCapabilities":{}})"});
  ASSERT_TRUE(meta);
  const auto checked = check_envelope(*meta);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("unsupported protocol version: 2099-\"01"));
  EXPECT_THAT(checked.error().data, HasSubstr(R"("supported":["2026-07-28"],"requested":"2099-\"01")"));
}

TEST(Envelopes, AMissingCapabilityIsNamedForPrograms) {
  const Error error = missing_capability("sampling");
  EXPECT_THAT(error.message, HasSubstr("\"sampling\""));
  EXPECT_THAT(error.data, HasSubstr(R"({"requiredCapabilities":{"sampling":{}}})"));
}

TEST(LogLevels, AreTheLevelsOfRfc5424) {
  int before = -1;
  for (const char* level : {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}) {
    EXPECT_EQ(log_severity(level), before + 1) << level;
    before = log_severity(level);
  }
  for (const char* other : {"", "warn", "Debug", "trace"}) EXPECT_EQ(log_severity(other), -1) << other;
}

// ---- templates, in addition to parts_test.cpp

TEST(UriTemplates, WithoutVariablesTheTextIsEqual) {
  const UriTemplate plain("test://a/b");
  EXPECT_EQ(plain.expand({{"x", "y"}}), "test://a/b");
  EXPECT_TRUE(plain.match("test://a/b"));
  EXPECT_FALSE(plain.match("test://a/b/"));
  EXPECT_FALSE(plain.match("test://a/"));
}

TEST(UriTemplates, AnUnclosedBraceIsText) {
  const UriTemplate open("test://{a}/{b");
  EXPECT_EQ(open.expand({{"a", "x"}, {"b", "y"}}), "test://x/{b");
  EXPECT_EQ(open.match("test://x/{b")->at("a"), "x");
}

TEST(UriTemplates, OfAQueryEveryPartMayBeLeftOut) {
  const UriTemplate paged("test://rows{?limit,offset}");
  EXPECT_EQ(paged.expand({}), "test://rows");
  EXPECT_EQ(paged.expand({{"offset", "5"}}), "test://rows?offset=5");
  EXPECT_EQ(paged.expand({{"offset", "5"}, {"limit", "a b&c"}}), "test://rows?limit=a%20b%26c&offset=5");
  EXPECT_EQ(paged.match("test://rows?offset=5&limit=a+b")->at("limit"), "a b");
  EXPECT_TRUE(paged.match("test://rows")->empty());
}

TEST(UriTemplates, AVariableIsNeverEmpty) {
  const UriTemplate both("test://{a}-{b}");
  EXPECT_FALSE(both.match("test://-b"));
  EXPECT_FALSE(both.match("test://a-"));
  EXPECT_EQ(both.match("test://a-b-c")->at("a"), "a-b") << "the first takes as much as it can";
}

}  // namespace
}  // namespace parlance::mcp
