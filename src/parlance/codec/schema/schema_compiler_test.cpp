// SPDX-License-Identifier: Apache-2.0
// Valid schemas, keyword by keyword: each fault names its place. The validation of values is covered by the suite of the JSON
// Schema organisation (tests/peers/json-schema).
#include "parlance/codec/schema/schema_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/schema/limits.h"

namespace parlance::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const CompiledSchema> compiled(std::string_view schema) {
  auto made = compile_schema(*json::parse(schema));
  EXPECT_TRUE(made) << made.error().message;
  return made.value_or(nullptr);
}
std::string refusal(std::string_view schema) {
  const auto made = compile_schema(*json::parse(schema));
  if (made) return "taken";
  EXPECT_EQ(made.error().code, Errc::invalid_params);
  return made.error().message;
}

TEST(SchemaCompiler, AKeywordOfTheWrongKindIsRefusedAtItsPlace) {
  EXPECT_EQ(refusal("5"), "#: a schema is an object, true or false");
  EXPECT_EQ(refusal(R"({"properties":{"a/b":3}})"), "#/properties/a~1b: a schema is an object, true or false");
  EXPECT_EQ(refusal(R"({"properties":[]})"), "#/properties: expected an object of schemas");
  EXPECT_EQ(refusal(R"({"type":"text"})"), "#/type: there is no type \"text\"");
  EXPECT_EQ(refusal(R"({"type":["string",1]})"), "#/type: expected a list of strings");
  EXPECT_EQ(refusal(R"({"type":1})"), "#/type: expected a list of strings");
  EXPECT_EQ(refusal(R"({"enum":"a"})"), "#/enum: expected a list");
  EXPECT_EQ(refusal(R"({"minimum":"1"})"), "#/minimum: expected a number");
  EXPECT_EQ(refusal(R"({"multipleOf":0})"), "#/multipleOf: expected a number above 0");
  EXPECT_EQ(refusal(R"({"multipleOf":-2})"), "#/multipleOf: expected a number above 0");
  EXPECT_EQ(refusal(R"({"minLength":-1})"), "#/minLength: expected a whole number from 0 on");
  EXPECT_EQ(refusal(R"({"minLength":1.5})"), "#/minLength: expected a whole number from 0 on");
  EXPECT_EQ(refusal(R"({"uniqueItems":"yes"})"), "#/uniqueItems: expected true or false");
  EXPECT_EQ(refusal(R"({"required":{}})"), "#/required: expected a list of strings");
  EXPECT_EQ(refusal(R"({"allOf":[]})"), "#/allOf: expected a list of schemas");
  EXPECT_EQ(refusal(R"({"anyOf":{}})"), "#/anyOf: expected a list of schemas");
  EXPECT_EQ(refusal(R"({"oneOf":[true,[]]})"), "#/oneOf/1: a schema is an object, true or false");
  EXPECT_EQ(refusal(R"({"pattern":1})"), "#/pattern: expected a string");
  EXPECT_EQ(refusal(R"({"$id":1})"), "#/$id: expected a string");
  EXPECT_EQ(refusal(R"({"dependentRequired":[]})"), "#/dependentRequired: expected an object");
  EXPECT_EQ(refusal(R"({"dependentRequired":{"a":"b"}})"), "#/dependentRequired/a: expected a list of strings");
}

TEST(SchemaCompiler, AnUnusablePatternIsRefusedWithItsError) {
  EXPECT_THAT(refusal(R"({"pattern":"("})"), HasSubstr("#/pattern: the pattern \"(\" cannot be used: "));
  EXPECT_THAT(refusal(R"({"patternProperties":{"[":true}})"),
              HasSubstr("#/patternProperties/[: the pattern \"[\" cannot be used: "));
}

TEST(SchemaCompiler, TheFirstFaultIsReported) {
  EXPECT_EQ(refusal(R"({"type":"text","minimum":"1"})"), "#/type: there is no type \"text\"");
}

TEST(SchemaCompiler, UnknownKeywordsHaveNoEffect) {
  const auto schema = compiled(R"({"$comment":1,"title":[],"x-of-ours":{"type":"nonsense"},"format":7,"default":{}})");
  EXPECT_EQ(schema->nodes.size(), 1U);
  EXPECT_EQ(schema->nodes.front().types, 0);
}

TEST(SchemaCompiler, TrueAndFalseAreSchemas) {
  EXPECT_FALSE(compiled("true")->nodes.front().nothing_fits);
  EXPECT_TRUE(compiled("false")->nodes.front().nothing_fits);
}

// ---- references

TEST(SchemaCompiler, ADanglingReferenceIsRefused) {
  EXPECT_EQ(refusal(R"({"$ref":"#/$defs/a"})"), "#/$ref: \"#/$defs/a\" leads nowhere in this schema");
  EXPECT_EQ(refusal(R"({"$ref":"#name"})"), "#/$ref: \"#name\" leads nowhere in this schema");
  EXPECT_EQ(refusal(R"({"items":{"$dynamicRef":"#node"}})"), "#/items/$dynamicRef: \"#node\" leads nowhere in this schema");
  EXPECT_EQ(refusal(R"({"$ref":"#%zz"})"), "#/$ref: \"#%zz\" leads nowhere in this schema");
  EXPECT_EQ(refusal(R"({"$ref":"https://example.org/a.json"})"),
            "#/$ref: \"https://example.org/a.json\" is another document, and none is fetched; put it below $defs");
  EXPECT_THAT(refusal(R"({"$recursiveRef":"#"})"), HasSubstr("use $dynamicRef"));
}

TEST(SchemaCompiler, AReferenceMayLeadToAPlaceWithoutAKeyword) {
  const auto schema = compiled(R"({"$ref":"#/x-ours/0","x-ours":[{"type":"string"}]})");
  ASSERT_NE(schema->nodes.front().ref, nullptr);
  EXPECT_EQ(schema->nodes.front().ref->types, type_bit::string);
}

TEST(SchemaCompiler, PartsAreFoundByEveryName) {
  for (const char* ref : {"#/$defs/a", "#here", "part.json", "https://example.org/part.json", "part.json#", "#/%24defs/a"}) {
    const auto schema = compiled(R"({"$id":"https://example.org/whole.json","$ref":")" + std::string(ref) +
                                 R"(","$defs":{"b":{"$anchor":"here","type":"null"},"a":{"$id":"part.json","type":"null"}}})");
    ASSERT_NE(schema, nullptr) << ref;
    ASSERT_NE(schema->nodes.front().ref, nullptr) << ref;
    EXPECT_EQ(schema->nodes.front().ref->types, type_bit::null) << ref;
  }
}

TEST(SchemaCompiler, AnAnchorIsOfItsOwnDocument) {
  EXPECT_EQ(refusal(R"({"$ref":"#a","$defs":{"x":{"$id":"https://example.org/x","$anchor":"a"}}})"),
            "#/$ref: \"#a\" leads nowhere in this schema");
  EXPECT_EQ(refusal(R"({"$ref":"https://example.org/x#a","$defs":{"x":{"$id":"https://example.org/x","$anchor":"a"}}})"),
            "taken");
}

TEST(SchemaCompiler, ADynamicReferenceToAnOrdinaryAnchorIsOrdinary) {
  const auto ordinary = compiled(R"({"$dynamicRef":"#a","$defs":{"x":{"$anchor":"a"}}})");
  EXPECT_TRUE(ordinary->nodes.front().dynamic_anchor_name.empty());
  const auto dynamic = compiled(R"({"$dynamicRef":"#a","$defs":{"x":{"$dynamicAnchor":"a"}}})");
  EXPECT_EQ(dynamic->nodes.front().dynamic_anchor_name, "a");
}

TEST(SchemaCompiler, ACycleWithoutProgressIsRefused) {
  const char* round = "#: a $ref leads back to itself (or too far) without going deeper into the value";
  EXPECT_EQ(refusal(R"({"$ref":"#"})"), round);
  EXPECT_EQ(refusal(R"({"allOf":[{"anyOf":[{"$ref":"#"}]}]})"), round);
  EXPECT_EQ(refusal(R"({"not":{"$ref":"#"}})"), round);
  EXPECT_EQ(refusal(R"({"if":{"$ref":"#/else"},"else":{"$ref":"#/if"}})"), round);
  EXPECT_EQ(refusal(R"({"dependentSchemas":{"a":{"$ref":"#"}}})"), round);
  EXPECT_EQ(refusal(R"({"properties":{"a":{"$ref":"#"}},"items":{"$ref":"#"}})"), "taken");
}

TEST(SchemaCompiler, SchemasOfTheSameValueHaveALimit) {
  const auto chain = [](int length) {
    std::string schema = R"({"$ref":"#/$defs/1","$defs":{)";
    for (int i = 1; i < length; ++i)
      schema += "\"" + std::to_string(i) + R"(":{"$ref":"#/$defs/)" + std::to_string(i + 1) + "\"},";
    return schema + "\"" + std::to_string(length) + "\":true}}";
  };
  EXPECT_EQ(refusal(chain(limits::schema_depth)), "taken");
  EXPECT_THAT(refusal(chain(limits::schema_depth + 1)), HasSubstr("too far"));
}

// ---- older drafts

TEST(SchemaCompiler, OlderSpellingsMeanTheSame) {
  const auto tuple = compiled(R"({"items":[{"type":"string"},{"type":"null"}],"additionalItems":false})");
  EXPECT_EQ(tuple->nodes.front().prefix_items.size(), 2U);
  ASSERT_NE(tuple->nodes.front().items, nullptr);
  EXPECT_TRUE(tuple->nodes.front().items->nothing_fits);
  EXPECT_TRUE(compiled(R"({"items":[]})")->nodes.front().prefix_items.empty());

  const auto needs = compiled(R"({"dependencies":{"a":["b","c"],"d":{"required":["e"]}}})");
  ASSERT_EQ(needs->nodes.front().dependent_required.size(), 1U);
  EXPECT_THAT(needs->nodes.front().dependent_required[0].second, ElementsAre("b", "c"));
  ASSERT_EQ(needs->nodes.front().dependent_schemas.size(), 1U);
  EXPECT_THAT(needs->nodes.front().dependent_schemas[0].second->required, ElementsAre("e"));

  const auto anchor = compiled(R"({"$ref":"#a","definitions":{"x":{"$id":"#a","type":"null"}}})");
  EXPECT_EQ(anchor->nodes.front().ref->types, type_bit::null);
}

TEST(SchemaCompiler, ContainsNeedsAMatchByDefault) {
  EXPECT_EQ(compiled(R"({"contains":true})")->nodes.front().min_contains, 1U);
  EXPECT_EQ(compiled(R"({"contains":true,"minContains":0})")->nodes.front().min_contains, 0U);
}

}  // namespace
}  // namespace parlance::schema
