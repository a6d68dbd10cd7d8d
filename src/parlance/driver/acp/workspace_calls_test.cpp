// SPDX-License-Identifier: Apache-2.0
// An agent's access to the files of its conversation.
#include "parlance/driver/acp/workspace_calls.h"

#include <gtest/gtest.h>

#include "parlance/async/loop.h"

namespace parlance::driver {
namespace {

struct OneFile final : hub::Workspace {
  Task<Result<std::string>> read_text_file(std::string path, std::optional<std::uint64_t>,
                                           std::optional<std::uint64_t>) override {
    if (path == "/project/there.txt") co_return "text";
    if (path == "/project/secret") co_return fail(Errc::denied, "Access denied: /project/secret");
    co_return fail(Errc::not_found, "File not found: " + path);
  }
  Task<Result<void>> write_text_file(std::string, std::string) override { co_return Result<void>{}; }
  Task<Result<std::string>> create_terminal(hub::TerminalRequest) override { co_return "t"; }
  Result<hub::TerminalOutput> terminal_output(const std::string&) const override { return hub::TerminalOutput{}; }
  Task<Result<hub::TerminalExit>> wait_for_terminal(std::string) override { co_return hub::TerminalExit{}; }
  Result<void> kill_terminal(const std::string&) override { return {}; }
  Result<void> release_terminal(const std::string&) override { return {}; }
};

struct Calls final : WorkspaceCalls {
  using WorkspaceCalls::WorkspaceCalls;
  void on_update(acp::SessionUpdate) override {}
  const acp::InitializeResult& asker() override { return agent; }
  acp::InitializeResult agent;
};

struct WorkspaceCallsTest : ::testing::Test {
  Result<acp::FileText> read(std::string path, const std::string& agent) {
    calls.agent.agent = acp::Implementation{.name = agent};
    return loop.block_on(calls.read_text_file({.path = std::move(path)}));
  }
  Loop loop;
  OneFile files;
  Calls calls{files, {}};
};

TEST_F(WorkspaceCallsTest, AMissingFileIsAnErrorForAgentsThatUnderstandIt) {
  EXPECT_EQ(read("/project/new.txt", "qwen-code").error().code, Errc::not_found);
  EXPECT_EQ(read("/project/there.txt", "qwen-code")->content, "text");
}

TEST_F(WorkspaceCallsTest, GeminiReadsAMissingFileAsEmptyAndCanCreateIt) {
  EXPECT_EQ(read("/project/new.txt", "gemini-cli")->content, "");
  EXPECT_EQ(read("/project/there.txt", "gemini-cli")->content, "text");
  EXPECT_EQ(read("/project/secret", "gemini-cli").error().code, Errc::denied);
}

TEST_F(WorkspaceCallsTest, FilesAndTerminalsThatAreNotOfferedAreUnknownMethods) {
  Calls none(files, {.files = false, .terminals = false});
  EXPECT_EQ(loop.block_on(none.read_text_file({.path = "/project/there.txt"})).error().code, Errc::unknown_method);
  EXPECT_EQ(loop.block_on(none.write_text_file({.path = "/project/there.txt"})).error().code, Errc::unknown_method);
  EXPECT_EQ(loop.block_on(none.create_terminal({.command = "true"})).error().code, Errc::unknown_method);
}

}  // namespace
}  // namespace parlance::driver
