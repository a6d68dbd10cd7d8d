// SPDX-License-Identifier: Apache-2.0
// The small parts: URI templates, headers, requestState, forms, messages that keep unknown members.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/bytes.h"
#include "parlance/codec/json/typed.h"
#include "parlance/protocol/mcp/elicitation.h"
#include "parlance/protocol/mcp/http_headers.h"
#include "parlance/protocol/mcp/request_state.h"
#include "parlance/protocol/mcp/uri_template.h"

namespace parlance::mcp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

TEST(UriTemplates, MatchTheirExpansion) {
  const UriTemplate tables("sqlite://{+db_path}/tables/{table}{?limit,offset}");
  const std::map<std::string, std::string> variables{{"db_path", "/home/a b/x.db"}, {"table", "t/1 ü"}, {"limit", "5"}};
  const std::string uri = tables.expand(variables);
  EXPECT_EQ(uri, "sqlite:///home/a%20b/x.db/tables/t%2F1%20%C3%BC?limit=5");
  EXPECT_EQ(tables.match(uri), variables);
}
TEST(UriTemplates, AFolderNamedLikeAPartIsNoEnd) {
  const UriTemplate tables("sqlite://{+db_path}/tables/{table}");
  const auto found = tables.match("sqlite:///d/tables/x.db/tables/t");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at("db_path"), "/d/tables/x.db");
  EXPECT_EQ(found->at("table"), "t");
}
TEST(UriTemplates, RefuseAMismatch) {
  const UriTemplate items("test://{kind}/items{?limit}");
  for (const char* uri : {"test:///items", "test://a/b/items", "test://a/items/", "test://a/items?other=1", "test://%zz/items",
                          "other://a/items", ""})
    EXPECT_FALSE(items.match(uri)) << uri;
  EXPECT_TRUE(items.match("test://a/items"));
}
TEST(UriTemplates, ManyVariablesAreFast) {
  const UriTemplate many("{+a}x{+b}x{+c}x{+d}x{+e}x{+f}y");
  EXPECT_FALSE(many.match(std::string(5000, 'x')));
}

TEST(HeaderTexts, RoundTrip) {
  EXPECT_EQ(header_text("plain text"), "plain text");
  for (const char* value : {"", " padded", "tab\t", "line\nend", "Grüße", "=?base64?aGk=?="}) {
    const std::string text = header_text(value);
    EXPECT_EQ(from_header_text(text), value);
    for (const char c : text) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
  }
  EXPECT_EQ(from_header_text("=?base64?SGVsbG8?="), std::nullopt) << "padding is missing";
  EXPECT_EQ(from_header_text("=?base64?/w==?="), std::nullopt) << "not UTF-8";
  EXPECT_EQ(from_header_text("=?base64?SGVsbG8="), "=?base64?SGVsbG8=");
}
TEST(MirroredArguments, ComeFromTheSchema) {
  const auto found = mirrored_arguments(
      {R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"in":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}})"});
  ASSERT_TRUE(found);
  ASSERT_THAT(*found, SizeIs(2));
  const auto headers = mirror_headers(*found, R"({"region":" a ","in":{"n":3}})");
  ASSERT_THAT(headers, SizeIs(2));
  EXPECT_EQ(headers[0].name, "Mcp-Param-Region");
  EXPECT_EQ(headers[0].value, "=?base64?IGEg?=");
  EXPECT_EQ(headers[1].value, "3");
  EXPECT_THAT(mirror_headers(*found, R"({"region":null})"), IsEmpty());
}
TEST(MirroredArguments, OfABrokenSchemaMakeTheToolUnusable) {
  for (const char* properties : {R"("a":{"type":"string","x-mcp-header":""})", R"("a":{"type":"string","x-mcp-header":"b c"})",
                                 R"("a":{"type":"string","x-mcp-header":7})", R"("a":{"type":"object","x-mcp-header":"A"})",
                                 R"("a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"})",
                                 R"("a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}})"})
    EXPECT_FALSE(mirrored_arguments({R"({"type":"object","properties":{)" + std::string(properties) + "}}"})) << properties;
}
TEST(Outlines, RequireTheHeaders) {
  const auto call = outline(
      R"({"id":"x","params":{"name":"t","uri":"u","arguments":{"a":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"v"}},"method":"tools/call"})");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->name, "t");
  EXPECT_EQ(call->arguments, R"({"a":1})");
  EXPECT_EQ(call->version, "v");
  EXPECT_EQ(outline(R"({"method":"resources/read","params":{"name":"t","uri":"u"}})")->name, "u");
  EXPECT_FALSE(outline("{"));
  EXPECT_FALSE(outline("[1]")->is_object);
}

TEST(RequestStates, ReturnUnchangedOrNotAtAll) {
  RequestState state{.subject = "tools/call t", .kept = "it"};
  state.answers["a"] = Raw{R"({"x":1})"};
  const std::string sealed = *seal(state, "secret");
  const auto back = unseal(sealed, "tools/call t", "secret");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->kept, "it");
  EXPECT_EQ(back->answers.at("a").json, R"({"x":1})");
  EXPECT_FALSE(unseal(sealed, "tools/call u", "secret"));
  EXPECT_FALSE(unseal(sealed, "tools/call t", "other"));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(unseal(changed, "tools/call t", "secret")) << i;
  }
}

TEST(Forms, AreFilledInWithDefaults) {
  const Raw schema{
      R"({"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"boolean","default":true},"c":{"type":"string"}}})"};
  EXPECT_EQ(with_defaults(schema, {R"({"b":false})"}).json, R"({"b":false,"a":"x"})");
  EXPECT_EQ(with_defaults(schema, {}).json, R"({"a":"x","b":true})");
}

TEST(McpMessages, KeepUnknownMembers) {
  const char* block = R"({"type":"hologram","data":[1,2,{"x":null}]})";
  const auto result = json::from_text<CallToolResult>(R"({"content":[)" + std::string(block) + R"(],"later":1})");
  ASSERT_TRUE(result);
  EXPECT_EQ(json::to_text(*result), R"({"content":[)" + std::string(block) + "]}");
  const char* tool = R"({"name":"t","inputSchema":{"$schema":"s","$defs":{"a":{}},"type":"object","x-more":[1.50]}})";
  EXPECT_EQ(json::to_text(*json::from_text<Tool>(tool)), tool) << "schemas pass through unchanged";
}

TEST(ElicitAnswers, OnlyAnExplicitAcceptAccepts) {
  const auto accepts = [](std::string_view json) {
    const auto result = json::from_text<ElicitResult>(json);
    return result && result->action == ElicitAction::accept;
  };
  EXPECT_TRUE(accepts(R"({"action":"accept","content":{}})"));
  for (const char* json : {"", "null", "{}", R"("accept")", "[]", R"({"action":null})", R"({"action":""})",
                           R"({"action":"Accept"})", R"({"action":"accepted"})", R"({"action":true})", R"({"action":["accept"]})",
                           R"({"action":"decline"})", R"({"content":{"a":1}})"})
    EXPECT_FALSE(accepts(json)) << json;
  EXPECT_EQ(ElicitResult{}.action, ElicitAction::cancel);
  for (const wire::Method& method : method::methods.all())
    if (method.reply != nullptr) EXPECT_FALSE(method.body_optional && wire::decides(method.reply())) << method.name;
}

}  // namespace
}  // namespace parlance::mcp
