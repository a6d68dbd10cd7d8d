// SPDX-License-Identifier: Apache-2.0
// Editors that are none: absent, and the fixed data of the bridge's mock mode.
#include "parlance/hub/editor/editor.h"

#include <gtest/gtest.h>

#include "parlance/async/loop.h"

namespace parlance::hub {
namespace {

TEST(MockEditor, DescribesTheProjectOfTheBridge) {
  Loop loop;
  const auto mock = mock_editor();
  EXPECT_TRUE(loop.block_on(mock->ping()));
  const auto file = loop.block_on(mock->active_file());
  ASSERT_TRUE(file);
  EXPECT_EQ(file->path, "/path/to/project/src/main.cpp");
  EXPECT_EQ(file->content,
            "#include <iostream>\n\nint main() {\n    std::cout << \"Hello World\" << std::endl;\n    return 0;\n}\n");
  EXPECT_EQ(file->language, "cpp");
  EXPECT_EQ(file->lines, 7U);
  const auto selection = loop.block_on(mock->selection());
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->text, "std::cout << \"Hello World\" << std::endl;");
  EXPECT_EQ(selection->range, (editor::Range{.start = {.line = 3, .character = 4}, .end = {.line = 3, .character = 49}}));
  EXPECT_EQ(*loop.block_on(mock->workspace_folder()), "/path/to/project");
  EXPECT_TRUE(loop.block_on(mock->show_diff({.title = "T", .path = "/p", .new_content = "x"})));
  EXPECT_TRUE(loop.block_on(mock->apply_changes({.path = "/p"})));
  EXPECT_TRUE(loop.block_on(mock->open_file({.path = "/p", .line = 42, .column = 10})));
}

TEST(MockEditor, KnowsNothingElse) {
  Loop loop;
  const auto mock = mock_editor();
  const auto check = [&](auto task, std::string_view method) {
    const auto outcome = loop.block_on(std::move(task));
    ASSERT_FALSE(outcome) << method;
    EXPECT_EQ(outcome.error().code, Errc::unknown_method);
    EXPECT_EQ(outcome.error().message, "Unknown method: " + std::string(method));
  };
  check(mock->latest_selection(), "getLatestSelection");
  check(mock->open_editors(), "getOpenEditors");
  check(mock->workspace_folders(), "getWorkspaceFolders");
  check(mock->diagnostics({}, {}), "getDiagnostics");
  check(mock->document_state("/p"), "checkDocumentDirty");
  check(mock->read_document("/p", {}, {}), "readDocument");
  check(mock->save_document("/p"), "saveDocument");
  check(mock->open_diff({}), "openDiff");
  check(mock->close_diff({}), "closeDiff");
  check(mock->close_all_diffs(), "closeAllDiffs");
  check(mock->apply_edits({}), "applyEdits");
  check(mock->confirm({}), "confirmDialog");
  check(mock->show_message(editor::Level::info, "m"), "showMessage");
  check(mock->added_methods(), "getAddedMethods");
  check(mock->call_added("m", "{}"), "callAddedMethod");
}

TEST(AbsentEditor, ReportsItsAbsence) {
  Loop loop;
  const auto none = absent_editor();
  EXPECT_EQ(loop.block_on(none->ping()).error().message, "No editor is connected");
  EXPECT_EQ(loop.block_on(none->selection()).error().code, Errc::not_found);
  EXPECT_EQ(loop.block_on(none->open_diff({})).error().code, Errc::not_found);
}

}  // namespace
}  // namespace parlance::hub
