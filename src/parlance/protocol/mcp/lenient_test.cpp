// SPDX-License-Identifier: Apache-2.0
// Our client and a server with handwritten replies: each reply has a fault of a real server.
#include "parlance/protocol/mcp/lenient.h"

#include <functional>

#include <gmock/gmock.h>

#include "parlance/protocol/mcp/client.h"
#include "parlance/protocol/mcp/test_support.h"

namespace parlance::mcp {
namespace {

using test::Link;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view good_start =
    R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"t","version":"1"}})";

class OddServer : public testing::Test {
 protected:
  OddServer() : scope(loop) {
    auto [near, far] = parlance::test::make_link(loop, Link::memory);
    frames = framed_stream(loop, std::move(far), line_framing());
    client.emplace(loop, framed_stream(loop, std::move(near), line_framing()),
                   ClientSettings{.info = {.name = "t", .version = "1"}, .era = Era::legacy});
    scope.start(answer());
  }
  ~OddServer() override {
    client.reset();
    scope.cancel();
  }
  Task<void> answer() {
    for (;;) {
      const auto batch = co_await read_frames(*frames);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) {
        const auto request = json::parse(frame);
        if (!request || request->find("id") == nullptr) continue;
        const std::string id = json::to_text(*request->find("id"));
        const std::string method(request->text_or("method", ""));
        if (method == "initialize") static_cast<void>(frames->send(reply(id, start)));
        else static_cast<void>(frames->send(line(id, *request)));
      }
    }
  }
  static std::string reply(const std::string& id, std::string_view result) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + std::string(result) + "}";
  }
  template <class T>
  Result<T> run(Task<Result<T>> task) {
    std::optional<Result<T>> done;
    const auto finish = [&](Task<Result<T>> inner) -> Task<void> { done.emplace(co_await std::move(inner)); };
    Scope scope(loop);
    scope.start(finish(std::move(task)));
    while (loop.run_ready()) {}
    if (!done) return fail(Errc::internal, "it did not end");
    return *std::move(done);
  }
  // The client's outcome of a call with `written` as the reply; ID in it becomes the id of the call.
  Result<CallToolResult> outcome_of(std::string written) {
    line = [written](const std::string& id, const json::Value&) {
      std::string out = written;
      if (const std::size_t at = out.find("ID"); at != std::string::npos) out.replace(at, 2, id);
      return out;
    };
    return run(client->call_tool("echo", {"{}"}));
  }
  // The names of the tools in these pages; `left_out` gets the others.
  std::vector<std::string> tools_of(std::vector<std::string> pages) {
    line = [this, pages](const std::string& id, const json::Value& request) {
      const json::Value* params = request.find("params");
      cursors.push_back(std::string(params == nullptr ? "none" : params->text_or("cursor", "none")));
      return reply(id, pages[std::min(cursors.size(), pages.size()) - 1]);
    };
    left_out.clear();
    cursors.clear();
    const auto tools = run(client->list_tools(&left_out));
    EXPECT_TRUE(tools) << tools.error().message;
    std::vector<std::string> names;
    if (tools)
      for (const Tool& tool : *tools) {
        names.push_back(tool.name);
        schemas.push_back(tool.input_schema.json);
      }
    return names;
  }

  Loop loop{Loop::Time::virtual_};
  std::string start{good_start};
  std::function<std::string(const std::string& id, const json::Value& request)> line;
  std::unique_ptr<Frames> frames;
  std::optional<Client> client;
  LeftOuts left_out;
  std::vector<std::string> cursors;
  std::vector<std::string> schemas;
  Scope scope;
};

TEST_F(OddServer, RepliesWithFaultsAroundTheirTextAreRead) {
  ASSERT_TRUE(run(client->connect()));
  const std::string result = R"("result":{"content":[{"type":"text","text":"ANSWER"}]}})";
  for (const std::string& written :
       {R"({"jsonrpc":"2.0","id":"ID",)" + result, R"({"jsonrpc":"2.0","id":ID.0,)" + result,
        R"(debug without newline{"jsonrpc":"2.0","id":ID,)" + result, "\xff\xfe{\"jsonrpc\":\"2.0\",\"id\":ID," + result}) {
    const auto read = outcome_of(written);
    EXPECT_EQ(read ? readable(*read) : read.error().message, "ANSWER") << written;
  }
  const auto bytes =
      outcome_of("{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\"}]}}");
  EXPECT_EQ(bytes ? readable(*bytes) : bytes.error().message, "a\xEF\xBF\xBD");
}

TEST_F(OddServer, RepliesThatAreNoJsonEndTheirCallAtOnce) {
  ASSERT_TRUE(run(client->connect()));
  for (const char* written :
       {R"({"jsonrpc":"2.0","id":ID,"result":{"structuredContent":{"v":NaN}}})",
        "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"content\":\"a\x1b[31m\"}}", R"({"jsonrpc":"2.0","id":ID,"result":"cut)"}) {
    const auto read = outcome_of(written);
    ASSERT_FALSE(read) << written;
    EXPECT_THAT(read.error().message, HasSubstr("no valid JSON-RPC response")) << written;
  }
}

TEST_F(OddServer, AnErrorThatIsTextIsTheMessage) {
  ASSERT_TRUE(run(client->connect()));
  const auto read = outcome_of(R"({"jsonrpc":"2.0","id":ID,"error":"out of paper"})");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "out of paper");
}

TEST_F(OddServer, ContentOfOtherShapesIsRead) {
  ASSERT_TRUE(run(client->connect()));
  const auto text_of_result = [&](const std::string& result) {
    const auto read = outcome_of(R"({"jsonrpc":"2.0","id":ID,"result":)" + result + "}");
    return read ? readable(*read) : "error: " + read.error().message;
  };
  EXPECT_EQ(text_of_result(R"({"content":"A"})"), "A");
  EXPECT_EQ(text_of_result(R"({"content":{"type":"text","text":"A"}})"), "A");
  EXPECT_EQ(text_of_result(R"({"content":[{"text":"A"},"B"]})"), "A\nB");
  EXPECT_EQ(text_of_result(R"({"toolResult":"A"})"), "A");
  EXPECT_EQ(text_of_result(R"("A")"), "A");
  EXPECT_EQ(text_of_result(R"({"content":null,"structuredContent":{"a":1}})"), R"({"a":1})");
  EXPECT_THAT(text_of_result(R"({"content":[{"type":"image"},{"type":"text","text":"A"}]})"),
              testing::AllOf(HasSubstr("cannot be read"), HasSubstr("\nA")));
  EXPECT_EQ(text_of_result("{}"), "");
  const auto failed =
      outcome_of(R"({"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"A"}],"isError":"true"}})");
  ASSERT_TRUE(failed);
  EXPECT_TRUE(failed->is_error.value_or(false));
}

TEST_F(OddServer, AnOddToolLeavesOtherToolsInTheList) {
  ASSERT_TRUE(run(client->connect()));
  EXPECT_THAT(
      tools_of(
          {R"({"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b"},{"inputSchema":{}},7,)"
           R"({"name":"c","title":5,"description":null,"inputSchema":null,"annotations":{"readOnlyHint":"yes"},"icons":"x"},)"
           R"({"name":"d","inputSchema":[]},{"name":"a","inputSchema":true},{"name":"e","inputSchema":"{}"}]})"}),
      ElementsAre("a", "b", "c", "e"));
  EXPECT_EQ(text_of(left_out),
            "The tool \"number 3\" is left out: it has no name\n"
            "The tool \"number 4\" is left out: it has no name\n"
            "The tool \"d\" is left out: its inputSchema is no JSON Schema of an object\n"
            "The tool \"a\" is left out: an earlier tool of the server has the same name");
  EXPECT_THAT(schemas, ElementsAre(R"({"type":"object"})", R"({"type":"object","properties":{}})",
                                   R"({"type":"object","properties":{}})", "{}"));
}

TEST_F(OddServer, AnInvalidPropertyOfASchemaAllowsAnything) {
  ASSERT_TRUE(run(client->connect()));
  tools_of({R"({"tools":[{"name":"a","inputSchema":{"type":"object","required":["x"],"properties":)"
            R"({"x":{"type":"strange","description":"d"},"y":{"$ref":"#/$defs/Y"}},"$defs":{"Y":{"type":"string"}}}}]})"});
  EXPECT_THAT(schemas, ElementsAre(R"({"type":"object","properties":{"x":{"description":"d"},"y":{"$ref":"#/$defs/Y"}},)"
                                   R"("$defs":{"Y":{"type":"string"}},"required":["x"]})"));
}

TEST_F(OddServer, EmptyAndRepeatedCursorsEndAListWithoutLosingIt) {
  ASSERT_TRUE(run(client->connect()));
  const std::string first = R"({"tools":[{"name":"a"}],"nextCursor":)";
  for (const char* last : {"null", "false", "7"}) EXPECT_THAT(tools_of({first + last + "}"}), ElementsAre("a")) << last;
  EXPECT_THAT(left_out, IsEmpty());
  EXPECT_THAT(tools_of({first + R"(""})"}), ElementsAre("a"));
  EXPECT_THAT(tools_of({first + R"(""})", R"({"tools":[{"name":"b"}]})"}), ElementsAre("a", "b"));
  EXPECT_THAT(left_out, IsEmpty());
  EXPECT_THAT(tools_of({first + R"("same"})"}), ElementsAre("a"));
  EXPECT_THAT(text_of(left_out), HasSubstr("repeats a page"));
  EXPECT_THAT(tools_of({first + R"("x"})", R"({"tools":{}})"}), ElementsAre("a"));
  EXPECT_THAT(text_of(left_out), HasSubstr("Page 2 of tools/list cannot be read"));
  EXPECT_THAT(tools_of({R"({"tools":null})"}), IsEmpty());
}

TEST_F(OddServer, AnOddResourceLeavesOtherResourcesInTheList) {
  ASSERT_TRUE(run(client->connect()));
  line = [](const std::string& id, const json::Value&) {
    return reply(id, R"({"resources":[{"uri":"x://a","name":"a"},{"name":"b"},{"uri":"x://c","name":"c"}]})");
  };
  const auto resources = run(client->list_resources());
  ASSERT_TRUE(resources) << resources.error().message;
  ASSERT_EQ(resources->size(), 2U);
  EXPECT_EQ((*resources)[1].uri, "x://c");
}

TEST_F(OddServer, AStartWithOddCapabilitiesIsAStart) {
  for (const char* odd : {R"({"protocolVersion":"2025-06-18","capabilities":{"tools":true,"resources":null,"logging":[]}})",
                          R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"odd"}})",
                          R"({"protocolVersion":"2025-06-18"})"}) {
    const auto read = read_initialize({odd});
    ASSERT_TRUE(read) << odd;
    EXPECT_EQ(read->protocol_version, "2025-06-18") << odd;
    EXPECT_EQ(read->capabilities.tools.has_value(), std::string_view(odd).contains("tools")) << odd;
    EXPECT_FALSE(read->capabilities.resources) << odd;
  }
  EXPECT_FALSE(read_initialize({"{}"}));
  EXPECT_FALSE(read_initialize({"[]"}));
}

}  // namespace
}  // namespace parlance::mcp
