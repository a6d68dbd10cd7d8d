// SPDX-License-Identifier: Apache-2.0
// Answers of an editor to diffs and dialogs, from the bytes to the outcome. Only the exact answer accepts a change or chooses a
// button.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/driver/editor/editor_link.h"
#include "parlance/transport/memory.h"

namespace parlance::driver {
namespace {

// An editor with hand-written bytes.
struct AskedEditor {
  AskedEditor() {
    scope.start([](EditorLink& editor_link) -> Task<void> { static_cast<void>(co_await editor_link.run()); }(link));
    scope.start(
        [](EditorLink& editor_link) -> Task<void> { static_cast<void>(co_await editor_link.initialize({.name = "t"})); }(link));
    reply(R"(,"result":{"protocol":1,"editor":{"name":"e","version":"1"},"methods":[]})");
  }
  ~AskedEditor() { scope.cancel(); }
  void settle() {
    while (loop.run_ready()) {}
  }
  bool accepts(const std::string& members) {
    std::optional<Result<hub::editor::DiffOutcome>> outcome;
    scope.start([](hub::Editor& editor, auto& into) -> Task<void> {
      into = co_await editor.open_diff({.path = "/a", .new_content = "new"});
    }(link.editor(), outcome));
    reply(members);
    scope.cancel();
    return outcome && *outcome && (*outcome)->accepted;
  }
  std::string chooses(const std::string& members) {
    std::optional<Result<std::optional<std::string>>> choice;
    scope.start([](hub::Editor& editor, auto& into) -> Task<void> {
      into = co_await editor.confirm({.title = "rm x", .options = {{.id = "yes", .label = "Yes"}, {.id = "no", .label = "No"}}});
    }(link.editor(), choice));
    reply(members);
    scope.cancel();
    return choice && *choice ? (*choice)->value_or("dismissed") : "error";
  }
  void reply(const std::string& members) {
    settle();
    const std::string line = R"({"jsonrpc":"2.0","id":)" + std::to_string(++answered) + members + "}\n";
    EXPECT_EQ(ends.second->try_write(line), line.size());
    settle();
  }

  int answered = 0;  // the link counts its requests from 1
  Loop loop{Loop::Time::virtual_};
  std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> ends = memory_pair(loop);
  EditorLink link{loop, std::move(ends.first), {}};
  Scope scope{loop};
};

TEST(OddEditorAnswers, OnlyAnExplicitAcceptanceAccepts) {
  EXPECT_TRUE(AskedEditor().accepts(R"(,"result":{"success":true,"outcome":"accepted","finalContent":"new"})"));
  for (const char* members : {"",
                              R"(,"result":null)",
                              R"(,"result":{})",
                              R"(,"result":"")",
                              R"(,"result":"accepted")",
                              R"(,"result":true)",
                              R"(,"result":[])",
                              R"(,"result":NaN)",
                              R"(,"error":null)",
                              R"(,"result":{"success":true})",
                              R"(,"result":{"success":true,"outcome":null,"finalContent":"new"})",
                              R"(,"result":{"success":true,"outcome":"","finalContent":"new"})",
                              R"(,"result":{"success":true,"outcome":"Accepted","finalContent":"new"})",
                              R"(,"result":{"success":true,"outcome":"yes","finalContent":"new"})",
                              R"(,"result":{"success":true,"outcome":["accepted"],"finalContent":"new"})",
                              R"(,"result":{"success":true,"outcome":0,"finalContent":"new"})",
                              R"(,"result":{"success":true,"outcome":"accepted"})",
                              R"(,"result":{"success":true,"outcome":"accepted","finalContent":null})",
                              R"(,"result":{"success":true,"outcome":"rejected","finalContent":"new"})",
                              R"(,"result":{"success":false,"outcome":"accepted","finalContent":"new"})",
                              R"(,"result":{"success":"true","outcome":"accepted","finalContent":"new"})",
                              R"(,"result":{"outcome":"accepted","finalContent":"new"})"})
    EXPECT_FALSE(AskedEditor().accepts(members)) << members;
}

TEST(OddEditorAnswers, OnlyANamedOptionIsChosen) {
  EXPECT_EQ(AskedEditor().chooses(R"(,"result":{"success":true,"choice":"yes"})"), "yes");
  EXPECT_EQ(AskedEditor().chooses(R"(,"result":{"success":true,"choice":null})"), "dismissed");
  EXPECT_EQ(AskedEditor().chooses(R"(,"result":{"success":true})"), "dismissed");
  for (const char* members : {"", R"(,"result":null)", R"(,"result":{})", R"(,"result":"yes")", R"(,"result":{"choice":"yes"})",
                              R"(,"result":{"success":false,"choice":"yes"})", R"(,"result":{"success":true,"choice":["yes"]})",
                              R"(,"result":{"success":true,"choice":true})"})
    EXPECT_EQ(AskedEditor().chooses(members), "error") << members;
}

// Extensions of the first version answer unknown methods in ways that read as a refusal: the client sends no such method.
TEST(FirstVersionEditor, ReceivesOnlyTheEightMethodsUnlessItAnswersInitialize) {
  for (const char* greeting :
       {R"("error":{"code":-32601,"message":"Method not found"})", R"("error":{"code":-32603,"message":"Internal error"})",
        R"("result":{"success":false,"error":"Unknown method"})", R"("result":{})", R"("result":null)"}) {
    Loop loop{Loop::Time::virtual_};
    auto [near, far] = memory_pair(loop);
    EditorLink link{loop, std::move(near), {}};
    Scope scope{loop};
    scope.start([](EditorLink& editor_link) -> Task<void> { static_cast<void>(co_await editor_link.run()); }(link));
    bool second = true;
    scope.start([](EditorLink& editor_link, bool& done) -> Task<void> {
      done = (co_await editor_link.initialize({.name = "t"})).has_value();
    }(link, second));
    while (loop.run_ready()) {}
    const std::string answer = R"({"jsonrpc":"2.0","id":1,)" + std::string(greeting) + "}\n";
    EXPECT_EQ(far->try_write(answer), answer.size());
    while (loop.run_ready()) {}
    EXPECT_FALSE(second) << greeting;

    EXPECT_EQ(loop.block_on(link.editor().open_diff({.path = "/a"})).error().code, Errc::unknown_method) << greeting;
    EXPECT_EQ(loop.block_on(link.editor().confirm({})).error().code, Errc::unknown_method);
    EXPECT_EQ(loop.block_on(link.editor().latest_selection()).error().code, Errc::unknown_method);
    const auto sent = [&] {
      return loop.block_on([](ByteStream& stream) -> Task<std::string> {
        std::vector<char> piece(4096);
        const auto size = co_await read_some(stream, piece);
        co_return std::string(piece.data(), size.value_or(0));
      }(*far));
    };
    EXPECT_EQ(sent().find("openDiff"), std::string::npos);
    scope.start(
        [](hub::Editor& editor) -> Task<void> { static_cast<void>(co_await editor.show_diff({.path = "/a"})); }(link.editor()));
    while (loop.run_ready()) {}
    EXPECT_NE(sent().find(R"("method":"showDiff")"), std::string::npos);
    scope.cancel();
  }
}

}  // namespace
}  // namespace parlance::driver
