// SPDX-License-Identifier: Apache-2.0
// Cases outside the suite of the JSON Schema organisation (tests/peers/json-schema): messages of faults, refusals, and limits of
// time.
#include "parlance/codec/schema/validator.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::schema {
namespace {

using ::testing::HasSubstr;

std::string faults_text(std::string_view schema, std::string_view value) {
  const auto validator = Validator::compile(*json::parse(schema));
  EXPECT_TRUE(validator) << validator.error().message;
  return validator ? text_of(validator->faults_of(*json::parse(value))) : "";
}

std::string why_refused(std::string_view schema) {
  const auto validator = Validator::compile(*json::parse(schema));
  return validator ? "taken" : validator.error().message;
}

constexpr std::string_view person = R"({"type":"object","properties":{
  "name":{"type":"string","minLength":2,"maxLength":4},
  "age":{"type":"integer","minimum":0},
  "tags":{"type":"array","items":{"enum":["a","b"]},"uniqueItems":true}},
  "required":["name"],"additionalProperties":false})";

TEST(Validator, BesideAReferenceDraft7IgnoresKeywordsAnd2020DoesNot) {
  for (const auto& [dialect, faults] : {std::pair("http://json-schema.org/draft-07/schema#", 0U),
                                        std::pair("https://json-schema.org/draft/2020-12/schema", 1U)}) {
    const auto validator = Validator::compile(
        *json::parse(R"({"$schema":")" + std::string(dialect) +
                     R"(","properties":{"a":{"$ref":"#/definitions/S","minLength":5}},"definitions":{"S":{"type":"string"}}})"));
    ASSERT_TRUE(validator) << validator.error().message;
    EXPECT_EQ(validator->faults_of(*json::parse(R"({"a":"x"})")).size(), faults) << dialect;
    EXPECT_EQ(validator->faults_of(*json::parse(R"({"a":7})")).empty(), false) << dialect;
  }
}

TEST(Validator, ReturnsNoFaultForAValidValue) {
  EXPECT_EQ(faults_text(person, R"({"name":"Änne","age":7.0,"tags":["a","b"]})"), "");
}

TEST(Validator, NamesPlaceAndExpectation) {
  EXPECT_EQ(faults_text(person, "[]"), "(the whole value): expected object, got []");
  EXPECT_EQ(faults_text(person, "{}"), R"((the whole value): the member "name" is missing)");
  EXPECT_EQ(faults_text(person, R"({"name":"Anne","age":-1})"), "/age: expected a number of at least 0, got -1");
  EXPECT_EQ(faults_text(person, R"({"name":"Anne","age":1.5})"), "/age: expected integer, got 1.5");
  EXPECT_EQ(faults_text(person, R"({"name":"Annegret","tags":["a","c"]})"),
            R"(/name: expected at most 4 characters, got 8; /tags/1: expected one of "a", "b"; got "c")");
  EXPECT_EQ(faults_text(person, R"({"name":"Anne","x/y":1})"), "/x~1y: unknown member; known members: age, name, tags");
  EXPECT_EQ(faults_text(R"({"pattern":"^a"})", R"("ba")"),
            R"((the whole value): expected a text matching the pattern ^a, got "ba")");
}

TEST(Validator, ReportsTheFirstFewFaults) {
  const std::string all = faults_text(R"({"items":{"type":"null"}})", "[1,2,3,4,5,6,7,8,9]");
  EXPECT_THAT(all, HasSubstr("/4: "));
  EXPECT_THAT(all, testing::Not(HasSubstr("/5: ")));
}

TEST(Validator, ReportsEachAlternativeOrTheNearest) {
  EXPECT_EQ(faults_text(R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "1"),
            "(the whole value): expected string, got 1; or expected null, got 1");
  const char* shapes = R"({"oneOf":[
    {"properties":{"kind":{"const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"]},
    {"properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"]}]})";
  EXPECT_EQ(faults_text(shapes, R"({"kind":"square","side":"long"})"), R"(/side: expected number, got "long")");
  EXPECT_EQ(faults_text(R"({"oneOf":[{"minimum":1},{"maximum":9}]})", "5"),
            "(the whole value): expected a match of exactly one schema of `oneOf`; several match 5");
}

TEST(Validator, ComparesNumbersExactly) {
  EXPECT_EQ(faults_text(R"({"maximum":9007199254740993})", "9007199254740993"), "");
  EXPECT_NE(faults_text(R"({"exclusiveMaximum":9007199254740993})", "9007199254740993"), "");
  EXPECT_EQ(faults_text(R"({"exclusiveMaximum":18446744073709551615})", "18446744073709551614"), "");
  EXPECT_EQ(faults_text(R"({"multipleOf":0.1})", "0.3"), "");
  EXPECT_NE(faults_text(R"({"multipleOf":0.1})", "0.35"), "");
}

TEST(Validator, RefusesAnUnsupportedSchema) {
  EXPECT_EQ(why_refused("[]"), "#: a schema is an object, true or false");
  EXPECT_EQ(why_refused(R"({"properties":{"a":{"$ref":"other.json#/a"}}})"),
            R"(#/properties/a/$ref: "other.json#/a" is another document, and none is fetched; put it below $defs)");
  EXPECT_EQ(why_refused(R"({"$ref":"#/$defs/a"})"), R"(#/$ref: "#/$defs/a" leads nowhere in this schema)");
  EXPECT_EQ(why_refused(R"({"items":{"pattern":"(a"}})"),
            R"(#/items/pattern: the pattern "(a" cannot be used: a ( is never closed (character 3))");
  EXPECT_EQ(why_refused(R"({"type":"text"})"), R"(#/type: there is no type "text")");
  EXPECT_EQ(why_refused(R"({"minimum":"1"})"), "#/minimum: expected a number");
  EXPECT_EQ(why_refused(R"({"exclusiveMinimum":true})"), "#/exclusiveMinimum: expected a number");
  EXPECT_EQ(why_refused(R"({"anyOf":[]})"), "#/anyOf: expected a list of schemas");
  EXPECT_EQ(why_refused(R"({"properties":{"a/b":5}})"), "#/properties/a~1b: a schema is an object, true or false");
  EXPECT_EQ(why_refused(R"({"minLength":-1})"), "#/minLength: expected a whole number from 0 on");
}

TEST(Validator, RefusesASelfReferencingSchema) {
  EXPECT_THAT(why_refused(R"({"$ref":"#"})"), HasSubstr("leads back to itself"));
  EXPECT_THAT(why_refused(R"({"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}})"),
              HasSubstr("leads back to itself"));
  EXPECT_EQ(why_refused(R"({"properties":{"next":{"$ref":"#"}}})"), "taken");
}

TEST(Validator, FollowsRecursionAsDeepAsLimitsAllow) {
  const char* chain = R"({"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false})";
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += R"({"next":)";
    return text + "{}" + std::string(static_cast<std::size_t>(depth), '}');
  };
  EXPECT_EQ(faults_text(chain, nested(100)), "");
  EXPECT_THAT(faults_text(chain, nested(300)), HasSubstr("too expensive"));
}

TEST(Validator, GivesUpWhereASchemaMultipliesItsWork) {
  std::string definitions = R"("$defs":{)";
  for (int i = 0; i < 40; ++i) {
    const std::string next = R"({"$ref":"#/$defs/a)" + std::to_string(i + 1) + R"("})";
    definitions += "\"a" + std::to_string(i) + R"(":{"allOf":[)" + next + "," + next + "]},";
  }
  definitions += R"("a40":{}})";
  EXPECT_THAT(faults_text(R"({"$ref":"#/$defs/a0",)" + definitions + "}", "1"), HasSubstr("too expensive"));
  EXPECT_THAT(faults_text(R"({"not":{"$ref":"#/$defs/a0"},)" + definitions + "}", "1"), HasSubstr("too expensive"))
      << "an abandoned check is not a fault, either";
}

TEST(Validator, KeepsTheSpellingsOfDraft7) {
  const char* old = R"({"definitions":{"n":{"type":"number"}},
    "properties":{"pair":{"items":[{"type":"string"},{"$ref":"#/definitions/n"}],"additionalItems":false}},
    "dependencies":{"a":["b"],"c":{"required":["d"]}}})";
  EXPECT_EQ(faults_text(old, R"({"pair":["x",1],"a":1,"b":2})"), "");
  EXPECT_EQ(faults_text(old, R"({"pair":["x","y",3]})"),
            R"(/pair/1: expected number, got "y"; /pair/2: no value is allowed here, got 3)");
  EXPECT_EQ(faults_text(old, R"({"a":1,"c":1})"),
            R"((the whole value): with "a" the member "b" is required too; (the whole value): the member "d" is missing)");
}

TEST(Validator, DistinguishesManySimilarElements) {
  json::Array many;
  for (std::int64_t i = 0; i < 50'000; ++i) many.push_back(json::Value(i));
  const auto validator = Validator::compile(*json::parse(R"({"uniqueItems":true})"));
  EXPECT_TRUE(validator->faults_of(json::Value(many)).empty());
  many.push_back(json::Value(7.0));
  EXPECT_FALSE(validator->faults_of(json::Value(many)).empty());
}

}  // namespace
}  // namespace parlance::schema
