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

TEST(ResolvedUri, WithoutABaseAReferenceIsUnchanged) {
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

// RFC 3986, 5.4: the normal and the abnormal examples.
TEST(ResolvedUri, TheExamplesOfTheRfcHold) {
  struct Example {
    const char* reference;
    const char* target;
  };
  const Example examples[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {"g?y#s", "http://a/b/c/g?y#s"},
      {";x", "http://a/b/c/;x"},
      {"g;x", "http://a/b/c/g;x"},
      {"g;x?y#s", "http://a/b/c/g;x?y#s"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"../../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {".g", "http://a/b/c/.g"},
      {"g..", "http://a/b/c/g.."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/./x", "http://a/b/c/g?y/./x"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
      {"g#s/./x", "http://a/b/c/g#s/./x"},
      {"g#s/../x", "http://a/b/c/g#s/../x"},
      {"http:g", "http:g"},
  };
  for (const Example& example : examples)
    EXPECT_EQ(resolved_uri("http://a/b/c/d;p?q", example.reference), example.target) << example.reference;
}

TEST(ResolvedUri, AUrnHasNoFolders) { EXPECT_EQ(resolved_uri("urn:example:root", "#name"), "urn:example:root#name"); }

}  // namespace
}  // namespace parlance::schema
