// SPDX-License-Identifier: Apache-2.0
// Both ends of the bridge: a served editor, and the same editor through the bridge.
#include "parlance/face/editor/editor_over_bridge.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/driver/editor/editor_link.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/editor/dialect.h"
#include "parlance/protocol/editor/framing.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
namespace method = editor::method;

// Records its calls, and answers each method with unique values.
struct Desk final : hub::Editor {
  std::vector<std::string> asked;
  Task<Result<hub::editor::Selected>> latest_selection() override {
    co_return hub::editor::Selected{.path = "/w/a", .text = "é", .range = {.start = {1, 2}, .end = {3, 4}}};
  }
  Task<Result<std::vector<hub::editor::OpenEditor>>> open_editors() override {
    co_return std::vector<hub::editor::OpenEditor>{
        {.path = "/w/a", .uri = "file:///w/a", .label = "a", .language = "cpp", .active = true, .pinned = true, .group = 2}};
  }
  Task<Result<hub::editor::Folders>> workspace_folders() override {
    co_return hub::editor::Folders{.folders = {{.name = "w", .path = "/w", .uri = "file:///w"}}, .trusted = true};
  }
  Task<Result<hub::editor::Diagnostics>> diagnostics(std::optional<std::string> path,
                                                     std::optional<hub::editor::Severity> severity) override {
    hub::editor::Diagnostics found{.truncated = true};
    found.files.push_back({.path = path.value_or(""),
                           .diagnostics = {{.message = "m",
                                            .severity = severity.value_or(hub::editor::Severity::hint),
                                            .range = {.start = {1, 2}, .end = {3, 4}},
                                            .source = "s",
                                            .code = "c"}}});
    co_return found;
  }
  Task<Result<hub::editor::DocumentState>> document_state(std::string path) override {
    co_return fail(Errc::failed, "Document not open: " + path);
  }
  Task<Result<hub::editor::Document>> read_document(std::string, std::optional<std::uint32_t> first,
                                                    std::optional<std::uint32_t> last) override {
    co_return hub::editor::Document{
        .content = std::to_string(first.value_or(0)) + "-" + std::to_string(last.value_or(0)), .version = 9, .dirty = true};
  }
  Task<Result<void>> save_document(std::string path) override {
    asked.push_back("save " + path);
    co_return Result<void>{};
  }
  Task<Result<void>> open_file(hub::editor::OpenFile file) override {
    asked.push_back("open " + file.path + " " + std::to_string(file.line.value_or(0)) + ":" +
                    std::to_string(file.column.value_or(0)));
    co_return Result<void>{};
  }
  Task<Result<hub::editor::DiffOutcome>> open_diff(hub::editor::OpenDiff diff) override {
    if (diff.title == "no") co_return hub::editor::DiffOutcome{.reason = "closed"};
    co_return hub::editor::DiffOutcome{.accepted = true, .content = diff.new_content + "!", .edited = true};
  }
  Task<Result<void>> close_diff(std::optional<std::string> path) override {
    if (!path) co_return fail(Errc::failed, "No diff to close");
    co_return Result<void>{};
  }
  Task<Result<std::uint32_t>> close_all_diffs() override { co_return 3U; }
  Task<Result<void>> apply_changes(hub::editor::ApplyChanges change) override {
    if (change.old_text == "throw") throw std::runtime_error("a bug");
    if (change.old_text == "no") co_return fail(Errc::denied, "Rejected by user");
    asked.push_back(change.old_text + ">" + change.new_text + (change.replace_all ? " all" : ""));
    co_return Result<void>{};
  }
  Task<Result<hub::editor::Applied>> apply_edits(hub::editor::ApplyEdits edits) override {
    hub::editor::Applied applied{.applied = edits.label == "l" && edits.version == 4};
    for (const hub::editor::FileEdit& edit : edits.edits)
      applied.files.push_back(edit.path + (edit.create ? " new" : "") + (edit.remove ? " gone" : "") +
                              edit.rename_to.value_or("") + (edit.edits.empty() ? "" : edit.edits[0].new_text));
    co_return applied;
  }
  Task<Result<std::optional<std::string>>> confirm(hub::editor::ConfirmDialog dialog) override {
    using Choice = std::optional<std::string>;
    if (dialog.options.empty()) co_return Choice{};
    co_return Choice(dialog.options.back().id + (dialog.options.back().dangerous ? "!" : ""));
  }
  Task<Result<void>> show_message(hub::editor::Level level, std::string message) override {
    asked.push_back(std::to_string(static_cast<int>(level)) + message);
    co_return Result<void>{};
  }
  Task<Result<std::vector<hub::editor::AddedMethod>>> added_methods() override {
    co_return std::vector<hub::editor::AddedMethod>{
        {.name = "count", .description = "Counts.", .parameters_json = R"({"type":"object"})", .read_only = true},
        {.name = "bare"}};
  }
  Task<Result<std::string>> call_added(std::string method, std::string params_json) override {
    if (method == "busy") co_return fail(Errc::failed, "Not now");
    if (method != "count") co_return fail(Errc::unknown_method, "Method not found: " + method);
    co_return R"({"of":)" + params_json + "}";
  }
};

// The agent's link, and an editor at its other end.
struct Bridge {
  Loop loop{Loop::Time::virtual_};
  std::vector<std::string> typed;
  std::vector<std::string> printed;
  Router router;
  std::unique_ptr<driver::EditorLink> link;
  std::unique_ptr<Peer> editor;
  std::optional<Error> end;
  Scope scope{loop};

  explicit Bridge(hub::Editor& served, bool one_byte = false, driver::EditorHandlers handlers = {}) {
    serve_editor(router, served, {.name = "desk", .version = "1"});
    router.on(method::status, [this](const editor::Status& status, Context&) { printed.push_back(status.text.value_or("")); });
    auto [near, far] = memory_pair(loop, {.one_byte_reads = one_byte, .capacity = 1 << 20});
    handlers.typed = [this](std::string line) { typed.push_back(std::move(line)); };
    link = std::make_unique<driver::EditorLink>(loop, std::move(near), std::move(handlers));
    editor =
        std::make_unique<Peer>(loop, framed_stream(loop, std::move(far), std::make_unique<editor::SharedLineFraming>()),
                               editor::dialect({.text = [this](std::string_view line) { printed.emplace_back(line); }}), router);
    scope.start([](Bridge& self) -> Task<void> { self.end = co_await self.link->run(); }(*this));
    scope.start([](Peer& peer) -> Task<void> { co_await peer.run(); }(*editor));
  }
  ~Bridge() {
    scope.cancel();
    link.reset();
    editor.reset();
  }
  hub::Editor& through() {
    EXPECT_TRUE(loop.block_on(link->initialize({.name = "t", .version = "0"})));
    return link->editor();
  }
};

TEST(EditorOverBridge, EveryMethodRoundTrips) {
  for (const bool one_byte : {false, true}) {
    Desk desk;
    Bridge bridge(desk, one_byte);
    Loop& loop = bridge.loop;
    hub::Editor& there = bridge.through();
    EXPECT_TRUE(loop.block_on(there.ping()));
    const auto latest = *loop.block_on(there.latest_selection());
    EXPECT_EQ(latest.path, "/w/a");
    EXPECT_EQ(latest.text, "é");
    EXPECT_EQ(latest.range, (hub::editor::Range{.start = {1, 2}, .end = {3, 4}}));
    const auto open = *loop.block_on(there.open_editors());
    ASSERT_EQ(open.size(), 1U);
    EXPECT_TRUE(open[0].active && !open[0].dirty && open[0].pinned && open[0].group == 2);
    const auto folders = *loop.block_on(there.workspace_folders());
    EXPECT_TRUE(folders.trusted && folders.folders.at(0).path == "/w");
    const auto wrong = *loop.block_on(there.diagnostics("/w/a", hub::editor::Severity::information));
    EXPECT_TRUE(wrong.truncated);
    EXPECT_EQ(wrong.files.at(0).diagnostics.at(0).severity, hub::editor::Severity::information);
    EXPECT_EQ(wrong.files[0].diagnostics[0].code, "c");
    const auto document = *loop.block_on(there.read_document("/w/a", 2, 5));
    EXPECT_EQ(document.content, "2-5");
    EXPECT_TRUE(document.version == 9 && document.dirty);
    EXPECT_TRUE(loop.block_on(there.save_document("/w/a")));
    EXPECT_TRUE(loop.block_on(there.open_file({.path = "/w/a", .line = 42, .column = 10})));
    EXPECT_EQ(*loop.block_on(there.close_all_diffs()), 3U);
    EXPECT_TRUE(loop.block_on(there.apply_changes({.path = "/w/a", .old_text = "$&", .new_text = "$$", .replace_all = true})));
    EXPECT_TRUE(loop.block_on(there.show_message(hub::editor::Level::warning, "hm")));
    EXPECT_EQ(desk.asked, (std::vector<std::string>{"save /w/a", "open /w/a 42:10", "$&>$$ all", "1hm"}));
  }
}

TEST(EditorOverBridge, ChangesDialogsAndDiffsComeThrough) {
  Desk desk;
  Bridge bridge(desk);
  Loop& loop = bridge.loop;
  hub::Editor& there = bridge.through();
  const auto accepted = *loop.block_on(there.open_diff({.path = "/w/a", .new_content = "x", .title = "yes"}));
  EXPECT_TRUE(accepted.accepted && accepted.edited && accepted.content == "x!");
  const auto rejected = *loop.block_on(there.open_diff({.path = "/w/a", .new_content = "x", .title = "no"}));
  EXPECT_TRUE(!rejected.accepted && rejected.reason == "closed");
  const auto applied = *loop.block_on(there.apply_edits(
      {.label = "l",
       .edits = {{.path = "a", .create = true}, {.path = "b", .remove = true}, {.path = "c", .edits = {{.new_text = "t"}}}},
       .version = 4}));
  EXPECT_TRUE(applied.applied);
  EXPECT_EQ(applied.files, (std::vector<std::string>{"a new", "b gone", "ct"}));
  EXPECT_EQ(*loop.block_on(there.confirm({.options = {{.id = "a"}, {.id = "b", .dangerous = true}}})), "b!");
  EXPECT_EQ(*loop.block_on(there.confirm({})), std::nullopt);
  EXPECT_EQ(loop.block_on(there.close_diff({})).error().message, "No diff to close");
}

TEST(EditorOverBridge, ImpossibleAndMalformedCallsDiffer) {
  Desk desk;
  Bridge bridge(desk);
  Loop& loop = bridge.loop;
  hub::Editor& there = bridge.through();
  EXPECT_EQ(loop.block_on(there.document_state("/x")).error(), (Error{.code = Errc::failed, .message = "Document not open: /x"}));
  EXPECT_EQ(loop.block_on(there.apply_changes({.old_text = "no"})).error().message, "Rejected by user");
  const auto unknown = loop.block_on(there.active_file());
  EXPECT_EQ(unknown.error().code, Errc::unknown_method);
  EXPECT_EQ(loop.block_on(there.apply_changes({.old_text = "throw"})).error().code, Errc::internal);
  EXPECT_TRUE(loop.block_on(there.ping())) << "a failure disturbs nothing behind it";
}

TEST(EditorOverBridge, AddedMethodsAreListedAndCalled) {
  for (const bool one_byte : {false, true}) {
    Desk desk;
    Bridge bridge(desk, one_byte);
    Loop& loop = bridge.loop;
    hub::Editor& there = bridge.through();
    const auto added = *loop.block_on(there.added_methods());
    ASSERT_EQ(added.size(), 2U);
    EXPECT_TRUE(added[0].name == "count" && added[0].description == "Counts." && added[0].read_only);
    EXPECT_EQ(added[0].parameters_json, R"({"type":"object"})");
    EXPECT_EQ(added[1].parameters_json, "");
    EXPECT_EQ(*loop.block_on(there.call_added("count", R"({"a":[1]})")), R"({"of":{"a":[1]}})");
    EXPECT_EQ(loop.block_on(there.call_added("busy", "{}")).error(), (Error{.code = Errc::failed, .message = "Not now"}));
    EXPECT_EQ(loop.block_on(there.call_added("unknown", "{}")).error().code, Errc::unknown_method);
  }
}

TEST(EditorOverBridge, InitializeReportsTheMethods) {
  Desk desk;
  Bridge bridge(desk);
  const auto there = *bridge.loop.block_on(bridge.link->initialize({.name = "t", .version = "0"}));
  EXPECT_EQ(there.editor.name, "desk");
  EXPECT_EQ(there.methods.size(), 23U);
  EXPECT_EQ(there.notifications.size(), 7U);
}

TEST(EditorLink, TextAndMessagesShareBothDirections) {
  Desk desk;
  Bridge bridge(desk);
  bridge.link->print("> ");
  bridge.link->send_status({.state = editor::State::idle, .text = "ready"});
  EXPECT_TRUE(bridge.editor->notify(method::user_input, {.text = "{\"a\":1}\nb"}));
  while (bridge.loop.run_ready()) {}
  EXPECT_EQ(bridge.printed, (std::vector<std::string>{"> ", "ready"}));
  EXPECT_EQ(bridge.typed, (std::vector<std::string>{"{\"a\":1}\nb"}));
}

TEST(EditorLink, NotificationsArriveInOrder) {
  Desk desk;
  std::vector<std::string> received;
  Bridge bridge(desk, false,
                {.context =
                     [&](const editor::ContextChanged& context) {
                       received.push_back(
                           context.active_file.state == editor::Nullable<editor::ContextFile>::State::null ? "null" : "file");
                     },
                 .diff_closed = [&](const editor::DiffClosed& diff) { received.push_back(diff.path); },
                 .mentioned = [&](const editor::AtMentioned& lines) { received.push_back(lines.file_path); },
                 .saved = [&](const std::string& path) { received.push_back(path); },
                 .shutdown = [&] { received.emplace_back("shutdown"); }});
  editor::ContextChanged context;
  context.active_file.state = editor::Nullable<editor::ContextFile>::State::null;
  EXPECT_TRUE(bridge.editor->notify(method::context_changed, context));
  EXPECT_TRUE(bridge.editor->notify(method::diff_closed, {.path = "/d"}));
  EXPECT_TRUE(bridge.editor->notify(method::at_mentioned, {.file_path = "/m"}));
  EXPECT_TRUE(bridge.editor->notify(method::document_saved, {.path = "/s"}));
  EXPECT_TRUE(bridge.editor->notify(method::shutdown, {}));
  while (bridge.loop.run_ready()) {}
  EXPECT_EQ(received, (std::vector<std::string>{"null", "/d", "/m", "/s", "shutdown"}));
}

}  // namespace
}  // namespace parlance::face
