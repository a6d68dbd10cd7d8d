// SPDX-License-Identifier: Apache-2.0
// An agent that runs its tools itself, before an editor: over whole messages, and byte by byte.
#include "parlance/face/ide/editor_over_mcp.h"

#include "parlance/face/ide/test_support.h"
#include "tests/support/linked_peers.h"

namespace parlance::face {
namespace {

using parlance::test::Link;
using testing::ElementsAre;
using testing::HasSubstr;

class EditorOverMcp : public test::IdeTest, public ::testing::WithParamInterface<Link> {
 protected:
  void SetUp() override {
    serve_editor_tools(server, editor);
    auto [near, far] = parlance::test::make_link(loop, GetParam());
    scope.start([](mcp::Server& of, std::unique_ptr<Frames> frames) -> Task<void> {
      static_cast<void>(co_await of.serve(std::move(frames)));
    }(server, framed_stream(loop, std::move(far), line_framing())));
    agent = std::make_unique<test::TestAgent>(loop, framed_stream(loop, std::move(near), line_framing()), none);
    agent->initialize();
  }
  void TearDown() override { scope.cancel(); }

  Router none;
  mcp::Server server{loop, {.info = {.name = "editor", .version = "1"}}};
  Scope scope{loop};
  std::unique_ptr<test::TestAgent> agent;
};
INSTANTIATE_TEST_SUITE_P(Links, EditorOverMcp, ::testing::Values(Link::memory, Link::memory_one_byte));

TEST_P(EditorOverMcp, ReadingToolsReturnTheEditorsState) {
  EXPECT_THAT(
      agent->call("editor_selection"),
      ElementsAre(
          R"({"path":"/w/a b.cpp","text":"x","range":{"start":{"line":1,"character":4},"end":{"line":1,"character":5}}})"));
  EXPECT_THAT(agent->call("editor_open_files"), ElementsAre(R"({"files":[{"path":"/w/a b.cpp","active":true,"unsaved":true}]})"));
  EXPECT_THAT(agent->call("editor_diagnostics", R"({"path":"/w/a b.cpp"})"),
              ElementsAre(HasSubstr(R"("severity":"information","message":"no such name")")));
  EXPECT_THAT(agent->call("editor_read_file", R"({"path":"/w/a b.cpp"})"),
              ElementsAre(R"({"content":"é\n  𝄞x = 1;\n","unsaved":false})"));
  EXPECT_THAT(agent->call("editor_open_file", R"({"path":"/w/a b.cpp","line":2})"), ElementsAre("{}"));
  EXPECT_EQ(editor.opened.at(0).line, 2U);
}

TEST_P(EditorOverMcp, LatestSelectionIsUsedWithoutFocus) {
  editor.active.clear();
  EXPECT_THAT(agent->call("editor_selection"), ElementsAre(HasSubstr(R"("path":"/w/latest.cpp","text":"x")")));
}

TEST_P(EditorOverMcp, AddedMethodsOfTheEditorAreListedAndCalled) {
  EXPECT_THAT(
      agent->call("editor_methods"),
      ElementsAre(R"({"methods":[{"name":"count","description":"Counts.","parameters":{"type":"object"},"readOnly":true}]})"));
  EXPECT_THAT(agent->call("editor_call", R"({"method":"count","params":{"n":1}})"), ElementsAre(R"({"result":{"n":1}})"));
  EXPECT_THAT(agent->call("editor_call", R"({"method":"unknown"})"),
              ElementsAre("error", HasSubstr("Method not found: unknown")));
}

TEST_P(EditorOverMcp, AProposalIsDecidedByThePerson) {
  for (const bool accepts : {true, false}) {
    std::optional<Result<mcp::CallToolResult>> answer;
    scope.start([](test::TestAgent& from, std::optional<Result<mcp::CallToolResult>>& into) -> Task<void> {
      into = co_await from.calling("editor_propose_change", R"({"path":"/w/n","content":"new"})");
    }(*agent, answer));
    until([&] { return editor.diffs == 1; });
    editor.decide({.accepted = accepts, .content = "as edited", .edited = true});
    until([&] { return answer.has_value(); });
    EXPECT_THAT(test::TestAgent::texts(*answer), ElementsAre(accepts ? R"({"accepted":true,"edited":true,"content":"as edited"})"
                                                                     : R"({"accepted":false,"edited":false})"));
  }
}

TEST_P(EditorOverMcp, EditorWritesAnApprovedChange) {
  EXPECT_THAT(agent->call("editor_apply_change", R"({"path":"/w/n","oldText":"old","newText":"new"})"), ElementsAre("{}"));
  EXPECT_EQ(editor.applied.at(0).new_text, "new");
  EXPECT_THAT(agent->call("editor_apply_change", R"({"path":"/w/n","oldText":"other","newText":"new"})"),
              ElementsAre("error", HasSubstr("Rejected by user")));
  EXPECT_THAT(agent->call("editor_apply_change", R"({"path":"/w/n"})"), ElementsAre("error", HasSubstr("oldText")));
}

}  // namespace
}  // namespace parlance::face
