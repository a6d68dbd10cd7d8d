// SPDX-License-Identifier: Apache-2.0
// A scripted editor, and an MCP client that collects notifications.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/mcp/methods.h"
#include "parlance/protocol/mcp/routing.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/http/websocket_client.h"

namespace parlance::face::test {

namespace fs = std::filesystem;

class SimulatedEditor final : public hub::Editor {
 public:
  explicit SimulatedEditor(Loop& loop) : loop_(loop) {}

  Task<Result<hub::editor::File>> active_file() override {
    if (active.empty()) co_return fail(Errc::failed, "No active file");
    co_return hub::editor::File{.path = active, .content = content, .language = "cpp", .lines = 3};
  }
  Task<Result<hub::editor::Selected>> selection() override {
    ++asked_for_selection;
    if (active.empty()) co_return fail(Errc::failed, "No active editor");
    co_return selected;
  }
  Task<Result<hub::editor::Selected>> latest_selection() override {
    auto found = selected;
    found.path = "/w/latest.cpp";
    co_return found;
  }
  Task<Result<std::vector<hub::editor::OpenEditor>>> open_editors() override {
    co_return std::vector{
        hub::editor::OpenEditor{.path = "/w/a b.cpp", .label = "a b.cpp", .active = true, .dirty = true, .group = 1}};
  }
  Task<Result<hub::editor::Folders>> workspace_folders() override {
    co_return hub::editor::Folders{.folders = {{.name = "w", .path = "/w"}}, .trusted = true};
  }
  Task<Result<hub::editor::Diagnostics>> diagnostics(std::optional<std::string> path,
                                                     std::optional<hub::editor::Severity>) override {
    hub::editor::Diagnostics found;
    if (!path || *path == "/w/a b.cpp")
      found.files.push_back({.path = "/w/a b.cpp",
                             .diagnostics = {{.message = "no such name",
                                              .severity = hub::editor::Severity::information,
                                              .range = {.start = {2, 4}, .end = {2, 6}},
                                              .source = "cc"}}});
    co_return found;
  }
  Task<Result<hub::editor::DocumentState>> document_state(std::string path) override {
    if (path != active) co_return fail(Errc::failed, "Document not open: " + path);
    co_return hub::editor::DocumentState{.dirty = true};
  }
  Task<Result<hub::editor::Document>> read_document(std::string, std::optional<std::uint32_t>,
                                                    std::optional<std::uint32_t>) override {
    co_return hub::editor::Document{.content = content};
  }
  Task<Result<void>> save_document(std::string path) override {
    if (path != active) co_return fail(Errc::failed, "Document not open: " + path);
    saved.push_back(path);
    co_return Result<void>{};
  }
  Task<Result<void>> open_file(hub::editor::OpenFile request) override {
    opened.push_back(std::move(request));
    co_return Result<void>{};
  }
  Task<Result<hub::editor::DiffOutcome>> open_diff(hub::editor::OpenDiff request) override {
    struct Shown {
      int& count;
      explicit Shown(int& of) : count(of) { ++count; }
      ~Shown() { --count; }
    } shown{diffs};
    proposed = request;
    OneShot<hub::editor::DiffOutcome> answer(loop_);
    decide = [&answer](hub::editor::DiffOutcome outcome) { answer.set(std::move(outcome)); };
    co_return co_await answer.get();
  }
  Task<Result<std::uint32_t>> close_all_diffs() override { co_return 2U; }
  Task<Result<void>> apply_changes(hub::editor::ApplyChanges request) override {
    if (request.old_text != "old") co_return fail(Errc::denied, "Rejected by user");
    applied.push_back(std::move(request));
    co_return Result<void>{};
  }

  Task<Result<std::vector<hub::editor::AddedMethod>>> added_methods() override {
    co_return std::vector{hub::editor::AddedMethod{
        .name = "count", .description = "Counts.", .parameters_json = R"({"type":"object"})", .read_only = true}};
  }
  Task<Result<std::string>> call_added(std::string method, std::string params_json) override {
    if (method != "count") co_return fail(Errc::unknown_method, "Method not found: " + method);
    co_return params_json;
  }

  std::string active = "/w/a b.cpp";
  std::string content = "é\n  𝄞x = 1;\n";
  hub::editor::Selected selected{.text = "x", .range = {.start = {1, 4}, .end = {1, 5}}};
  std::vector<hub::editor::OpenFile> opened{};
  std::vector<hub::editor::ApplyChanges> applied{};
  std::vector<std::string> saved{};
  hub::editor::OpenDiff proposed{};
  std::function<void(hub::editor::DiffOutcome)> decide{};  // while diffs is not 0
  int diffs = 0;
  int asked_for_selection = 0;

 private:
  Loop& loop_;
};

// An agent at the other end of frames.
class TestAgent {
 public:
  TestAgent(Loop& loop, std::unique_ptr<Frames> frames, const Router& notices, std::shared_ptr<mcp::Route> route = nullptr)
      : loop_(loop), peer_(loop, std::move(frames), mcp::dialect(std::move(route)), notices), scope_(loop) {
    scope_.start([](Peer& peer, bool& over) -> Task<void> {
      static_cast<void>(co_await peer.run());
      over = true;
    }(peer_, ended));
  }
  ~TestAgent() { scope_.cancel(); }

  mcp::InitializeResult initialize() {
    auto begun =
        answer(mcp::method::initialize, {.protocol_version = "2025-06-18", .client_info = {.name = "t", .version = "1"}});
    EXPECT_TRUE(begun) << begun.error().message;
    static_cast<void>(peer_.notify(mcp::method::initialized, {}));
    return begun ? *begun : mcp::InitializeResult{};
  }
  Task<Result<mcp::CallToolResult>> calling(std::string tool, std::string arguments) {
    co_return co_await peer_.call(mcp::method::call_tool, {.name = std::move(tool), .arguments = {std::move(arguments)}});
  }
  // The texts of the answer's blocks.
  static std::vector<std::string> texts(const Result<mcp::CallToolResult>& result) {
    std::vector<std::string> all;
    EXPECT_TRUE(result) << result.error().message;
    if (!result) return all;
    if (result->is_error.value_or(false)) all.emplace_back("error");
    for (const auto& block : *result->content)
      if (const auto* text = std::get_if<mcp::TextContent>(&block.value)) all.push_back(text->text);
    return all;
  }
  std::vector<std::string> call(std::string tool, std::string arguments = "{}") {
    return texts(loop_.block_on(calling(std::move(tool), std::move(arguments))));
  }
  std::vector<mcp::Tool> tools() {
    auto all = answer(mcp::method::list_tools, {});
    EXPECT_TRUE(all) << all.error().message;
    return all ? all->tools : std::vector<mcp::Tool>{};
  }
  template <class P>
  void notify(const wire::Notice<P>& notice, const std::type_identity_t<P>& parameters) {
    EXPECT_TRUE(peer_.notify(notice, parameters));
  }
  bool ended = false;

 private:
  template <class P, class R>
  Result<R> answer(const wire::Call<P, R>& method, P parameters) {
    return loop_.block_on([](Peer& from, const wire::Call<P, R>& call, P with) -> Task<Result<R>> {
      co_return co_await from.call(call, std::move(with));
    }(peer_, method, std::move(parameters)));
  }

  Loop& loop_;
  Peer peer_;
  Scope scope_;
};

inline unsigned mode_of(const fs::path& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 0777 : 0;
}

// A folder of the test, and a loop.
class IdeTest : public ::testing::Test {
 protected:
  IdeTest() {
    std::string made = (fs::temp_directory_path() / "parlance-ide-XXXXXX").string();
    EXPECT_NE(::mkdtemp(made.data()), nullptr);
    folder = made;
  }
  ~IdeTest() override { fs::remove_all(folder); }

  void until(const std::function<bool()>& holds) { EXPECT_TRUE(loop.run_until(holds, std::chrono::seconds(10))); }

  fs::path folder;
  Loop loop;
  SimulatedEditor editor{loop};
};

}  // namespace parlance::face::test
