// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/tool_schema.h"

#include <gtest/gtest.h>

namespace parlance::model {
namespace {

TEST(ToolSchemas, TextThatIsNoObjectMeansNoParameters) {
  for (const char* other : {"", "{}", " { } ", "[]", "5", "null", "nonsense", "{", "\"{}\""})
    EXPECT_EQ(object_schema(other), R"({"type":"object","properties":{}})") << other;
  EXPECT_EQ(object_or_empty("{\"a\": 1}"), R"({"a":1})");
  for (const char* other : {"", "[]", "{} {}", "{\"a\":}"}) EXPECT_EQ(object_or_empty(other), "{}") << other;
}

TEST(ToolSchemas, APlainSchemaKeepsItsText) {
  EXPECT_EQ(object_schema(R"( { "type" : "object" , "properties" : { "a b" : { "const" : 1.0 } } } )"),
            R"({"type":"object","properties":{"a b":{"const":1.0}}})");
}

struct Root {
  const char* given;
  const char* plain;
};

TEST(ToolSchemas, ARootThatVendorsRefuseBecomesAPlainObject) {
  const Root roots[] = {
      {R"({"type":"object"})", R"({"type":"object","properties":{}})"},
      {R"({"properties":{"a":{}}})", R"({"type":"object","properties":{"a":{}}})"},
      {R"({"type":null,"properties":{}})", R"({"type":"object","properties":{}})"},
      {R"({"type":["object","null"],"properties":{"a":true,"b":false,"c":null}})",
       R"({"type":"object","properties":{"a":{},"c":{}}})"},
      {R"({"type":"object","properties":{},"required":null})", R"({"type":"object","properties":{}})"},
      {R"({"anyOf":[{"type":"object"},{"type":"null"}]})", R"({"type":"object","properties":{}})"},
      {R"({"type":"object","properties":{"a":{"type":"string"}},"allOf":[{"required":["a"]}]})",
       R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})"},
      {R"({"type":"object","properties":{"a":{}},"oneOf":[{"required":["a"]},{"required":["b"]}],"title":"t"})",
       R"({"type":"object","properties":{"a":{}},"title":"t"})"},
      {R"({"oneOf":[{"properties":{"kind":{"const":"x"},"a":{}},"required":["kind","a"]},)"
       R"({"properties":{"kind":{"const":"y"}},"required":["kind"]}]})",
       R"({"type":"object","properties":{"kind":{"anyOf":[{"const":"x"},{"const":"y"}]},"a":{}},"required":["kind"]})"},
      {R"({"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"a":{}},"required":["a"]}}})",
       R"({"type":"object","properties":{"a":{}},"required":["a"],)"
       R"("$defs":{"A":{"type":"object","properties":{"a":{}},"required":["a"]}}})"},
      {R"({"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}}})",
       R"({"type":"object","properties":{},"$defs":{"A":{"$ref":"#/$defs/A"}}})"},
      {R"({"not":{},"enum":[1],"const":2,"description":"d"})", R"({"type":"object","properties":{},"description":"d"})"},
  };
  for (const Root& root : roots) {
    EXPECT_EQ(object_schema(root.given), root.plain) << root.given;
    EXPECT_EQ(object_schema(root.plain), root.plain) << root.given;
  }
}

TEST(ToolSchemas, NestedCombinationsEndInsideALimit) {
  std::string schema = R"({"$defs":{)";
  for (int i = 0; i < 30; ++i) {
    const std::string next = R"({"$ref":"#/$defs/d)" + std::to_string(i + 1) + R"("})";
    schema += R"("d)" + std::to_string(i) + R"(":{"allOf":[)" + next + "," + next + "]},";
  }
  schema += R"("d30":{}},"$ref":"#/$defs/d0"})";
  EXPECT_TRUE(object_schema(schema).starts_with(R"({"type":"object","properties":{})"));
}

TEST(ToolSchemas, NamesThatAnthropicRefusesAreLeftOutAndNamed) {
  std::string schema = R"({"type":"object","properties":{"a b":{},"ok":{}},"required":["a b","ok"]})";
  std::string description = "d";
  leave_out_odd_names(schema, description);
  EXPECT_EQ(schema, R"({"type":"object","properties":{"ok":{}},"required":["ok"]})");
  EXPECT_EQ(description, "d\nParameters with names that this API does not allow are not offered: \"a b\".");
  leave_out_odd_names(schema, description = "same");
  EXPECT_EQ(description, "same");
}

}  // namespace
}  // namespace parlance::model
