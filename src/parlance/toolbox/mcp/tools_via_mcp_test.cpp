// SPDX-License-Identifier: Apache-2.0
// Tools of MCP servers that are written by hand: names, changes of the list, and the sentences about missing tools.
#include "parlance/toolbox/mcp/tools_via_mcp.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/session_setup.h"
#include "tests/support/linked_peers.h"

namespace parlance::toolbox {
namespace {

using State = ToolsViaMcp::Health::State;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ExposedToolName, PlainNamesStay) {
  EXPECT_EQ(exposed_tool_name("files", "read"), "files__read");
  EXPECT_EQ(exposed_tool_name("files", "_a__b"), "files___a__b");
  EXPECT_EQ(exposed_tool_name("mcp__calc", "add"), "mcp__calc__add");
}

TEST(ExposedToolName, TwoToolsNeverShareOne) {
  const std::pair<const char*, std::string> all[] = {
      {"s", "a.b"},
      {"s", "a/b"},
      {"s", "a_b"},
      {"s", "a b"},
      {"s", "A.B"},
      {"s", "ü"},
      {"s", "ö"},
      {"a", "b__c"},
      {"a__b", "c"},
      {"a_", "b"},
      {"a", "_b"},
      {"mcp", "x__y"},
      {"mcp__x", "y"},
      {"s", std::string(130, 'x')},
      {"s", std::string(131, 'x')},
      {"s", "y\n"},
      {"s", std::string(61, 'y')},
  };
  std::set<std::string> names;
  for (const auto& [server, tool] : all) {
    const std::string name = exposed_tool_name(server, tool);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_LE(name.size(), 64U);
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"), std::string::npos)
        << name;
  }
}

struct NoTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall&) override {
    co_return fail(Errc::not_found, "no such tool");
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall&, hub::ToolHost) override {
    co_return hub::ToolOutcome{};
  }
};

class HandWrittenServer : public testing::Test {
 protected:
  ~HandWrittenServer() override {
    tools.reset();
    scope.cancel();
  }
  // Adds a server `name`. Each fetch of its list returns the next element of `lists`, then always the last.
  void add(std::string name, std::vector<std::string> lists) {
    tools->add({.name = std::move(name), .frames = [this, lists]() -> std::unique_ptr<Frames> {
                  auto [near, far] = test::make_link(loop, test::Link::memory);
                  ends.push_back(framed_stream(loop, std::move(far), line_framing()));
                  scope.start(serve(*this, *ends.back(), lists));
                  return framed_stream(loop, std::move(near), line_framing());
                }});
    while (loop.run_ready()) {}
  }
  static Task<void> serve(HandWrittenServer& self, Frames& frames, std::vector<std::string> lists) {
    std::size_t fetched = 0;
    for (;;) {
      const auto batch = co_await read_frames(frames);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) {
        const auto request = json::parse(frame);
        if (!request || request->find("id") == nullptr) continue;
        std::string result = R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"t","version":"1"}})";
        const bool is_list = request->text_or("method", "") == "tools/list";
        if (is_list) {
          ++self.fetches;
          const std::size_t which = std::min(fetched++, lists.size() - 1);
          if (self.changes_inside && fetched < lists.size())
            static_cast<void>(frames.send(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"));
          result = R"({"tools":[)" + lists[which] + "]}";
        }
        if (request->text_or("method", "") == "tools/call") result = self.call_result;
        static_cast<void>(
            frames.send(R"({"jsonrpc":"2.0","id":)" + json::to_text(*request->find("id")) + R"(,"result":)" + result + "}"));
        if (is_list && self.changes_always)
          static_cast<void>(frames.send(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"));
      }
    }
  }
  static std::string tool(std::string_view name) {
    return R"({"name":")" + std::string(name) + R"(","inputSchema":{"type":"object"}})";
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const hub::ToolSpec& spec : tools->list()) all.push_back(spec.name);
    return all;
  }

  Loop loop{Loop::Time::virtual_};
  NoTools none;
  std::vector<std::unique_ptr<Frames>> ends;
  bool changes_inside = false;  // announces a change before the reply to each fetch but the last
  bool changes_always = false;  // … behind each reply
  int fetches = 0;
  std::string call_result;
  std::optional<ToolsViaMcp> tools{std::in_place, loop, none, std::vector<McpServerSettings>{}};
  Scope scope{loop};
};

TEST_F(HandWrittenServer, EqualNamesOfTwoServersGetANumber) {
  add("files", {tool("read")});
  add("files", {tool("read")});
  EXPECT_THAT(names(), ElementsAre("files__read", "files-2__read"));
}

TEST_F(HandWrittenServer, APictureOfAToolIsAPictureOfTheOutcome) {
  call_result = R"({"content":[{"type":"text","text":"taken"},{"type":"image","data":"iVBORw==","mimeType":"image/png"}]})";
  add("browser", {tool("shot")});
  const hub::ToolOutcome outcome = loop.block_on(tools->call({}, {.id = "c", .tool = "browser__shot"}, {}));
  EXPECT_EQ(outcome.text, "taken\n[an image (image/png, 4 bytes)]");
  ASSERT_EQ(outcome.pictures.size(), 1U);
  EXPECT_EQ(outcome.pictures[0].data, "\x89PNG");
}

TEST_F(HandWrittenServer, AToolThatIsLeftOutIsNamedForThePerson) {
  add("odd", {tool("good") + R"(,{"name":"bad","inputSchema":7})"});
  EXPECT_THAT(names(), ElementsAre("odd__good"));
  EXPECT_EQ(tools->problems(),
            "MCP server \"odd\": The tool \"bad\" is left out: its inputSchema is no JSON Schema of an object");
  EXPECT_THAT(tools->health().front().detail(), HasSubstr("1 tools; The tool \"bad\" is left out"));
}

TEST_F(HandWrittenServer, AServerWithoutAConnectionHasAReasonAndNoMissingTool) {
  add("good", {tool("read")});
  tools->add({.name = "gone", .frames = []() -> std::unique_ptr<Frames> { return nullptr; }});
  while (loop.run_ready()) {}
  EXPECT_THAT(tools->problems(), IsEmpty());
  EXPECT_FALSE(tools->health().back().state == State::connected);
  EXPECT_FALSE(tools->health().back().problem.empty());
}

TEST_F(HandWrittenServer, AChangeWhileTheListIsFetchedIsNotLost) {
  changes_inside = true;
  add("files", {tool("a"), tool("a") + "," + tool("b"), tool("c")});
  for (int i = 0; i < 3; ++i) {
    loop.advance(limits::mcp_list_pause);
    while (loop.run_ready()) {}
  }
  EXPECT_THAT(names(), ElementsAre("files__c"));
  EXPECT_EQ(fetches, 3);
}

TEST_F(HandWrittenServer, ChangesWithoutEndAreFetchedWithPauses) {
  changes_always = true;
  add("files", {tool("a")});
  for (int i = 0; i < 10; ++i) {
    loop.advance(limits::mcp_list_pause);
    while (loop.run_ready()) {}
  }
  EXPECT_LE(fetches, 12);
}

std::string state(const ToolsViaMcp& tools) {
  std::string all;
  for (const auto& server : tools.health())
    all += server.name +
           (server.state == State::paused      ? " paused"
            : server.state == State::connected ? " connected"
                                               : " down") +
           ";";
  return all;
}

TEST_F(HandWrittenServer, PausedServersHaveNoToolsUntilAResume) {
  add("one", {R"({"name":"a","inputSchema":{"type":"object"}})"});
  EXPECT_EQ(state(*tools), "one connected;");
  EXPECT_THAT(tools->details("one").tools, ElementsAre("one__a"));
  EXPECT_TRUE(tools->pause("one", true));
  while (loop.run_ready()) {}
  EXPECT_EQ(state(*tools), "one paused;");
  EXPECT_THAT(tools->list(), IsEmpty());
  EXPECT_THAT(tools->configured(), IsEmpty()) << "agents do not start it either";
  loop.advance(std::chrono::minutes(5));
  EXPECT_EQ(state(*tools), "one paused;") << "no further attempt";
  EXPECT_TRUE(tools->pause("one", false));
  while (loop.run_ready()) {}
  EXPECT_EQ(state(*tools), "one connected;");
}

TEST_F(HandWrittenServer, RestartAndRemovalKeepOtherServers) {
  add("one", {R"({"name":"a","inputSchema":{"type":"object"}})"});
  add("two", {R"({"name":"b","inputSchema":{"type":"object"}})"});
  EXPECT_TRUE(tools->restart("one"));
  while (loop.run_ready()) {}
  EXPECT_EQ(state(*tools), "one connected;two connected;");
  EXPECT_EQ(ends.size(), 3U) << "a new connection";
  EXPECT_TRUE(tools->remove("one"));
  EXPECT_EQ(state(*tools), "two connected;");
  for (const char* unknown : {"one", "", "three"}) {
    EXPECT_FALSE(tools->restart(unknown) || tools->pause(unknown, true) || tools->remove(unknown)) << unknown;
    EXPECT_THAT(tools->details(unknown).tools, IsEmpty());
  }
}

TEST_F(HandWrittenServer, FailuresAreLines) {
  tools->add({.name = "gone", .frames = [] { return std::unique_ptr<Frames>(); }});
  while (loop.run_ready()) {}
  EXPECT_THAT(tools->details("gone").log, ElementsAre(HasSubstr("its host is gone")));
}

}  // namespace
}  // namespace parlance::toolbox
