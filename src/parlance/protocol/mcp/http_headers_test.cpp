// SPDX-License-Identifier: Apache-2.0
// Headers of requests of 2026-07-28, compared with their bodies.
#include "parlance/protocol/mcp/http_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/protocol/mcp/era.h"

namespace parlance::mcp {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* schema = R"({"type":"object","properties":{
  "region":{"type":"string","x-mcp-header":"Region"},
  "count":{"type":"integer","x-mcp-header":"Count"},
  "dry":{"type":"boolean","x-mcp-header":"Dry-Run"},
  "where":{"type":"object","properties":{"zone":{"type":"string","x-mcp-header":"Zone"}}}}})";

// The fault in the headers of a tool call with these arguments; "" if none.
std::string wrong(std::vector<HttpHeader> headers, const std::string& arguments, const char* with = schema) {
  const auto message = outline(R"({"id":1,"method":"tools/call","params":{"name":"t","arguments":)" + arguments + "}}");
  EXPECT_TRUE(message);
  headers.push_back({"mcp-method", "tools/call"});
  headers.push_back({"MCP-Name", "t"});
  const Raw input{with};
  const auto checked = check_headers(headers, *message, &input);
  return checked ? "" : checked.error().message;
}

TEST(Headers, MethodAndNameMatchTheBody) {
  const auto checked = [](std::string_view body, std::vector<HttpHeader> headers) {
    const auto result = check_headers(headers, *outline(body), nullptr);
    return result ? "" : result.error().message;
  };
  const char* call = R"({"method":"tools/call","params":{"name":"\u00e9"},"id":1})";
  EXPECT_EQ(checked(call, {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?w6k=?="}}), "");
  EXPECT_EQ(checked(call, {{"Mcp-Method", " tools/call "}, {"Mcp-Name", "=?base64?w6k=?="}}), "")
      << "blanks around are not of the value";
  EXPECT_EQ(checked(call, {}), "the header Mcp-Method is missing");
  EXPECT_EQ(checked(call, {{"Mcp-Method", "tools/list"}}), "the header Mcp-Method says tools/list, the body tools/call");
  EXPECT_EQ(checked(call, {{"Mcp-Method", "tools/call"}}), "the header Mcp-Name is missing");
  EXPECT_THAT(checked(call, {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "other"}}), HasSubstr("says other"));
  EXPECT_THAT(checked(call, {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?***?="}}), HasSubstr("Mcp-Name says"));
  EXPECT_EQ(checked(R"({"method":"tools/list","id":1})", {{"Mcp-Method", "tools/list"}}), "") << "that names nothing";
}

TEST(Headers, TheNameDependsOnTheMethodAtAnyPlace) {
  EXPECT_EQ(outline(R"({"params":{"name":"n","uri":"u"},"method":"resources/read"})")->name, "u");
  EXPECT_EQ(outline(R"({"params":{"name":"n","uri":"u"},"method":"prompts/get"})")->name, "n");
  EXPECT_FALSE(outline(R"({"method":"tools/call","params":{"name":5}})")->has_name);
  EXPECT_FALSE(outline(R"({"method":"tools/call","params":["name"]})")->has_name);
  for (const char* naming : {"tools/call", "prompts/get", "resources/read"}) EXPECT_TRUE(names_something(naming));
  for (const char* other : {"", "tools/list", "resources/list", "Tools/Call"}) EXPECT_FALSE(names_something(other));
}

TEST(Headers, MirroredArgumentsMatchTheBody) {
  EXPECT_EQ(wrong({{"Mcp-Param-Region", "eu"}, {"mcp-param-count", "5"}, {"Mcp-Param-Dry-Run", "true"}, {"Mcp-Param-Zone", "z"}},
                  R"({"region":"eu","count":5,"dry":true,"where":{"zone":"z"}})"),
            "");
  EXPECT_EQ(wrong({}, "{}"), "");
  EXPECT_EQ(wrong({}, R"({"region":null,"where":{}})"), "") << "null is absent";
  EXPECT_EQ(wrong({}, R"({"region":"eu"})"), "the header Mcp-Param-Region is missing");
  EXPECT_EQ(wrong({{"Mcp-Param-Region", "eu"}}, "{}"), "the header Mcp-Param-Region is present without its argument");
  EXPECT_EQ(wrong({{"Mcp-Param-Region", "us"}}, R"({"region":"eu"})"), "the header Mcp-Param-Region differs from the body");
  EXPECT_EQ(wrong({{"Mcp-Param-Zone", "y"}}, R"({"where":{"zone":"z"}})"), "the header Mcp-Param-Zone differs from the body");
  EXPECT_EQ(wrong({{"Mcp-Param-Region", "=?base64?***?="}}, R"({"region":"eu"})"),
            "the header Mcp-Param-Region differs from the body");
}

TEST(Headers, NumbersAreComparedAsNumbers) {
  for (const char* same : {"5", "5.0", "5e0", "0.5e1"})
    EXPECT_EQ(wrong({{"Mcp-Param-Count", same}}, R"({"count":5})"), "") << same;
  for (const char* other : {"6", "five", "", "5x", "0x5"})
    EXPECT_EQ(wrong({{"Mcp-Param-Count", other}}, R"({"count":5})"), "the header Mcp-Param-Count differs from the body") << other;
  EXPECT_EQ(wrong({{"Mcp-Param-Region", "5.0"}}, R"({"region":"5"})"), "the header Mcp-Param-Region differs from the body");
  EXPECT_EQ(wrong({{"Mcp-Param-Dry-Run", "TRUE"}}, R"({"dry":true})"), "the header Mcp-Param-Dry-Run differs from the body");
}

TEST(Headers, AClientMirrorsTheHeadersOfTheServer) {
  const auto mirrored = mirrored_arguments({schema});
  ASSERT_TRUE(mirrored);
  EXPECT_THAT(*mirrored, SizeIs(4));
  for (const char* arguments :
       {R"({"region":"eu west"})", R"({"region":" \u00e9 "})", R"({"region":"=?base64?x?="})", R"({"region":""})",
        R"({"count":-7,"dry":false})", R"({"count":1e3})", R"({"where":{"zone":"a\nb"}})", "{}"})
    EXPECT_EQ(wrong(mirror_headers(*mirrored, arguments), arguments), "") << arguments;
  EXPECT_THAT(mirror_headers(*mirrored, R"({"region":["no","scalar"]})"), IsEmpty());
  EXPECT_THAT(mirror_headers(*mirrored, "no JSON"), IsEmpty());
  EXPECT_THAT(mirror_headers(*mirrored, ""), IsEmpty());
  EXPECT_THAT(mirror_headers({}, R"({"region":"eu"})"), IsEmpty());
}

TEST(Headers, AToolWithAnInvalidDeclarationNeedsNoHeaders) {
  const char* doubled = R"({"properties":{"a":{"type":"string","x-mcp-header":"X"},"b":{"type":"string","x-mcp-header":"x"}}})";
  EXPECT_EQ(wrong({}, R"({"a":"1","b":"2"})", doubled), "");
  EXPECT_EQ(mirrored_arguments({doubled}).error().message, "two arguments share the header x");
}

TEST(Headers, EveryBreachOfADeclarationIsNamed) {
  const auto fault = [](const std::string& property) {
    const auto mirrored = mirrored_arguments({R"({"properties":{"a":)" + property + "}}"});
    return mirrored ? "none" : mirrored.error().message;
  };
  EXPECT_THAT(fault(R"({"type":"array","x-mcp-header":"X"})"), HasSubstr("other than text, integer or boolean"));
  EXPECT_THAT(fault(R"({"type":"number","x-mcp-header":"X"})"), HasSubstr("other than text, integer or boolean"));
  EXPECT_THAT(fault(R"({"x-mcp-header":"X"})"), HasSubstr("other than text, integer or boolean"));
  for (const char* name : {R"("")", R"("a b")", R"("a:b")", R"("\u00e9")", "5", "null"})
    EXPECT_THAT(fault(R"({"type":"string","x-mcp-header":)" + std::string(name) + "}"), HasSubstr("not a valid name of a header"))
        << name;
  EXPECT_THAT(fault(R"({"type":"array","items":{"type":"string","x-mcp-header":"X"}})"),
              HasSubstr("stands where no argument is"));
  EXPECT_THAT(fault(R"({"anyOf":[{"type":"string","x-mcp-header":"X"}]})"), HasSubstr("stands where no argument is"));
  EXPECT_EQ(fault(R"({"type":"string","default":{"x-mcp-header":"X"},"enum":["x-mcp-header"]})"), "none")
      << "values are no schemas";
  EXPECT_FALSE(mirrored_arguments({R"({"type":"string","x-mcp-header":"X"})"})) << "the whole is no argument";
  EXPECT_THAT(*mirrored_arguments({"x-mcp-header, but no JSON"}), IsEmpty());
}

TEST(Headers, PropertiesMayNestSoDeepAndNoDeeper) {
  const auto nested = [](int depth) {
    std::string text = R"({"type":"string","x-mcp-header":"X"})";
    for (int i = 0; i < depth; ++i) text = R"({"type":"object","properties":{"p":)" + text + "}}";
    return mirrored_arguments({text});
  };
  ASSERT_TRUE(nested(16));
  EXPECT_THAT(nested(16)->front().path, SizeIs(16));
  ASSERT_FALSE(nested(17));
  EXPECT_EQ(nested(17).error().message, "x-mcp-header lies too deep");
}

TEST(Outlines, MalformedBodiesHaveNoHeaders) {
  for (const char* bad : {"", "{", "{\"id\":1", "{} {}", "nonsense", "{\"a\":\"\xFF\"}"}) {
    const auto found = outline(bad);
    ASSERT_FALSE(found) << bad;
    EXPECT_EQ(found.error().code, Errc::invalid_request);
  }
  EXPECT_FALSE(outline("[1]")->is_object);
  EXPECT_FALSE(outline("5")->is_object);
  EXPECT_TRUE(outline(R"({"id":null})")->has_id());
  EXPECT_EQ(outline(R"({"id":"1","method":7})")->method, "");
}

TEST(Outlines, KeepTheNameOfACancelledCall) {
  const auto found = outline(R"({"method":"notifications/cancelled","params":{"requestId":"a\"b","reason":"x"}})");
  EXPECT_EQ(found->cancelled_json, R"("a\"b")");
  EXPECT_FALSE(found->has_id());
}

}  // namespace
}  // namespace parlance::mcp
