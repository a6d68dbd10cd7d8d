// SPDX-License-Identifier: Apache-2.0
// Answers of an editor to diffs and dialogs, from the bytes to the outcome. Only the exact answer accepts a change or chooses a button.
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/driver/editor/editor_link.h"
#include "parlance/transport/memory.h"

namespace parlance::driver {
namespace {

// An editor with hand-written bytes.
struct AskedEditor {
  AskedEditor() {
    scope.start([](EditorLink& one) -> Task<void> { static_cast<void>(co_await one.run()); }(link));
  }
  ~AskedEditor() { scope.cancel(); }
  void settle() {
    while (loop.run_ready()) {}
  }
  bool accepts(const std::string& members) {
    std::optional<Result<hub::editor::DiffOutcome>> outcome;
    scope.start([](hub::Editor& one, auto& into) -> Task<void> {
      into = co_await one.open_diff({.path = "/a", .new_content = "new"});
    }(link.editor(), outcome));
    reply(members);
    scope.cancel();
    return outcome && *outcome && (*outcome)->accepted;
  }
  std::string chooses(const std::string& members) {
    std::optional<Result<std::optional<std::string>>> choice;
    scope.start([](hub::Editor& one, auto& into) -> Task<void> {
      into = co_await one.confirm({.title = "rm x", .options = {{.id = "yes", .label = "Yes"}, {.id = "no", .label = "No"}}});
    }(link.editor(), choice));
    reply(members);
    scope.cancel();
    return choice && *choice ? (*choice)->value_or("dismissed") : "error";
  }
  void reply(const std::string& members) {
    settle();
    const std::string line = R"({"jsonrpc":"2.0","id":1)" + members + "}\n";
    EXPECT_EQ(ends.second->try_write(line), line.size());
    settle();
  }

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

}  // namespace
}  // namespace parlance::driver
