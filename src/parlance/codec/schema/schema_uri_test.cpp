// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/schema_uri.h"

#include <gtest/gtest.h>

namespace parlance::schema {
namespace {

constexpr const char* base = "https://example.org/schemas/person.json";

TEST(ResolvedUri, AWholeUriStandsForItself) {
  EXPECT_EQ(resolved_uri(base, "https://other.example/a.json"), "https://other.example/a.json");
  EXPECT_EQ(resolved_uri(base, "urn:uuid:1234"), "urn:uuid:1234");
  EXPECT_EQ(resolved_uri(base, "tag:example.org,2020:x#y"), "tag:example.org,2020:x#y");
}

TEST(ResolvedUri, WithoutABaseAReferenceIsWhatItSays) {
  EXPECT_EQ(resolved_uri("", "person.json"), "person.json");
  EXPECT_EQ(resolved_uri("", "#/a"), "#/a");
  EXPECT_EQ(resolved_uri("", ""), "");
}

TEST(ResolvedUri, AFragmentIsOfTheSameDocument) {
  EXPECT_EQ(resolved_uri(base, "#/$defs/name"), std::string(base) + "#/$defs/name");
  EXPECT_EQ(resolved_uri(base, "#"), std::string(base) + "#");
  EXPECT_EQ(resolved_uri(base, ""), base);
}

TEST(ResolvedUri, ANameIsBesideTheBase) {
  EXPECT_EQ(resolved_uri(base, "address.json"), "https://example.org/schemas/address.json");
  EXPECT_EQ(resolved_uri(base, "address.json#street"), "https://example.org/schemas/address.json#street");
  EXPECT_EQ(resolved_uri(base, "parts/address.json"), "https://example.org/schemas/parts/address.json");
  EXPECT_EQ(resolved_uri(base, "/address.json"), "https://example.org/address.json");
  EXPECT_EQ(resolved_uri(base, "//other.example/a"), "https://other.example/a");
  EXPECT_EQ(resolved_uri("https://example.org", "a.json"), "https://example.org/a.json");
}

TEST(ResolvedUri, DotsAreTakenOutAndNeverLeaveTheRoot) {
  EXPECT_EQ(resolved_uri(base, "../a.json"), "https://example.org/a.json");
  EXPECT_EQ(resolved_uri(base, "./a.json"), "https://example.org/schemas/a.json");
  EXPECT_EQ(resolved_uri(base, "../../../../a.json"), "https://example.org/a.json");
  EXPECT_EQ(resolved_uri(base, "/x/./y/../a.json#b"), "https://example.org/x/a.json#b");
}

TEST(ResolvedUri, AColonBehindASlashIsNoScheme) {
  EXPECT_EQ(resolved_uri(base, "a/b:c"), "https://example.org/schemas/a/b:c");
  EXPECT_EQ(resolved_uri(base, "#a:b"), std::string(base) + "#a:b");
  EXPECT_EQ(resolved_uri(base, ":a"), "https://example.org/schemas/:a");
}

TEST(ResolvedUri, AUrnHasNoFolders) { EXPECT_EQ(resolved_uri("urn:example:root", "#name"), "urn:example:root#name"); }

}  // namespace
}  // namespace parlance::schema
