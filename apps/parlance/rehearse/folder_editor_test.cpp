// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/rehearse/folder_editor.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"

namespace parlance::app {
namespace {

namespace fs = std::filesystem;

struct FolderEditorTest : ::testing::Test {
  fs::path folder = fs::temp_directory_path() / ("folder_editor_" + std::to_string(::getpid()));
  Loop loop;
  bool agree = true;
  bool agree_outside = false;
  std::vector<std::string> questions;
  std::vector<std::string> asked_outside;
  std::vector<std::string> reports;
  std::unique_ptr<FolderEditor> editor;

  void SetUp() override {
    fs::create_directories(folder);
    std::ofstream(folder / "main.cpp") << "int main() {\n  // 𝄞 é x\n  return 0; return 0;\n}\n";
    folder = fs::canonical(folder);
    editor = std::make_unique<FolderEditor>(
        FolderEditorSettings{.folder = folder.string(),
                             .active = "main.cpp",
                             .selection = "x\n  return",
                             .decide =
                                 [this](const std::string& question) {
                                   questions.push_back(question);
                                   return agree;
                                 },
                             .decide_outside =
                                 [this](const std::string& question) {
                                   asked_outside.push_back(question);
                                   return agree_outside;
                                 },
                             .report = [this](const std::string& text) { reports.push_back(text); }});
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string file() const {
    std::ifstream in(folder / "main.cpp");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string path() const { return (folder / "main.cpp").string(); }
  template <class T>
  auto run(Task<T> task) {
    return loop.block_on(std::move(task));
  }
};

TEST_F(FolderEditorTest, ReportsTheFileInFrontAndTheSelection) {
  const auto active = *run(editor->active_file());
  EXPECT_EQ(active.path, path());
  EXPECT_EQ(active.language, "cpp");
  EXPECT_EQ(active.lines, 5U);
  const auto selected = *run(editor->selection());
  EXPECT_EQ(selected.range, (hub::editor::Range{.start = {1, 10}, .end = {2, 8}})) << "characters in units of UTF-16";
  EXPECT_EQ(run(editor->latest_selection())->path, path());
  EXPECT_EQ(run(editor->read_document(path(), 2, 2))->content, "  // 𝄞 é x\n");
}

TEST_F(FolderEditorTest, ChangesOnlyWhatIsUniqueAndAgreedTo) {
  const auto change = [&](std::string from, std::string to, bool all = false) {
    return run(
        editor->apply_changes({.path = path(), .old_text = std::move(from), .new_text = std::move(to), .replace_all = all}));
  };
  EXPECT_EQ(change("zzz", "y").error().message, "Old string not found in file");
  EXPECT_EQ(change("return 0", "return 1").error().message, "Old string is not unique (2 matches)");
  agree = false;
  EXPECT_EQ(change("int", "long").error().message, "Rejected by user");
  EXPECT_TRUE(file().starts_with("int main"));
  agree = true;
  EXPECT_TRUE(change("int", "$&"));
  EXPECT_TRUE(change("return 0", "return 1", true));
  EXPECT_EQ(file(), "$& main() {\n  // 𝄞 é x\n  return 1; return 1;\n}\n");
}

TEST_F(FolderEditorTest, OutsideOfItsFolderThePersonIsAsked) {
  const fs::path outside = fs::temp_directory_path() / ("outside_" + std::to_string(::getpid()));
  std::ofstream(outside) << "secret";
  fs::create_symlink(outside, folder / "link");
  const std::string link = (folder / "link").string();
  const auto change = [&] { return run(editor->apply_changes({.path = link, .old_text = "secret", .new_text = "open"})); };
  const hub::editor::ApplyEdits edits{.edits = {{.path = path()}, {.path = link, .edits = {{.new_text = "an "}}}}};
  EXPECT_EQ(run(editor->read_document(outside.string(), {}, {})).error().message, "Rejected by user");
  EXPECT_EQ(run(editor->read_document(link, {}, {})).error().message, "Rejected by user");
  EXPECT_EQ(change().error().message, "Rejected by user");
  EXPECT_EQ(run(editor->open_diff({.path = outside.string(), .new_content = "x"})).error().message, "Rejected by user");
  EXPECT_EQ(run(editor->open_file({.path = outside.string()})).error().message, "Rejected by user");
  EXPECT_EQ(run(editor->apply_edits(edits)).error().message, "Rejected by user");
  EXPECT_EQ(asked_outside, (std::vector<std::string>{"read " + outside.string() + "?", "read " + outside.string() + "?",
                                                     "change " + outside.string() + "?", "change " + outside.string() + "?",
                                                     "read " + outside.string() + "?", "change " + outside.string() + "?"}));
  agree_outside = true;
  EXPECT_EQ(run(editor->read_document(link, {}, {}))->content, "secret");
  EXPECT_TRUE(run(editor->apply_edits(edits)));
  EXPECT_TRUE(change());
  agree = false;
  EXPECT_FALSE(run(editor->apply_changes({.path = link, .old_text = "open", .new_text = "x"}))) << "it is a change all the same";
  std::ifstream in(outside);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "an open");
  fs::remove(outside);
}

TEST_F(FolderEditorTest, AFolderWhoseNameBeginsAlikeIsOutside) {
  const fs::path sibling = folder.string() + "_too";
  fs::create_directories(sibling);
  std::ofstream(sibling / "f") << "x";
  EXPECT_FALSE(run(editor->read_document((sibling / "f").string(), {}, {})));
  EXPECT_FALSE(run(editor->read_document((folder / ".." / sibling.filename() / "f").string(), {}, {})));
  EXPECT_FALSE(run(editor->read_document("relative", {}, {})));
  fs::remove_all(sibling);
}

TEST_F(FolderEditorTest, AppliesEditsOfSeveralFilesAfterOneApproval) {
  const std::string other = (folder / "other.h").string();
  hub::editor::ApplyEdits edits{
      .label = "Rename it",
      .edits = {{.path = path(), .edits = {{.range = {.start = {0, 4}, .end = {0, 8}}, .new_text = "start"}}},
                {.path = other, .create = true, .edits = {{.new_text = "int start();\n"}}}},
      .version = run(editor->read_document(path(), {}, {}))->version};
  agree = false;
  EXPECT_EQ(run(editor->apply_edits(edits)).error().message, "Rejected by user");
  EXPECT_FALSE(fs::exists(other));
  agree = true;
  questions.clear();
  const auto applied = run(editor->apply_edits(edits));
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->files, (std::vector<std::string>{path(), other}));
  EXPECT_EQ(questions, (std::vector<std::string>{"Rename it: change " + path() + "\ncreate " + other}));
  EXPECT_TRUE(file().starts_with("int start() {"));
  edits.edits.pop_back();
  EXPECT_EQ(run(editor->apply_edits(edits)).error().message, "The document has changed since the request");
}

TEST_F(FolderEditorTest, ReportsACompilersDiagnostics) {
  EXPECT_TRUE(run(editor->diagnostics({}, {}))->files.empty());
  const std::string log = (folder / "log").string();
  editor = std::make_unique<FolderEditor>(FolderEditorSettings{.folder = folder.string(), .problems = log});
  EXPECT_EQ(run(editor->diagnostics({}, {})).error().message, "Cannot read " + log);
  std::ofstream(log) << "main.cpp:2:11: error: no such x\n/elsewhere.h:1:1: warning: w\n";
  const auto all = *run(editor->diagnostics({}, {}));
  ASSERT_EQ(all.files.size(), 2U);
  EXPECT_EQ(all.files[0].path, path());
  EXPECT_EQ(all.files[0].diagnostics[0].range.start, (hub::editor::Position{1, 8}));
  EXPECT_EQ(run(editor->diagnostics(path(), hub::editor::Severity::warning))->files.size(), 0U);
}

TEST_F(FolderEditorTest, DiffsAndDialogs) {
  EXPECT_EQ(run(editor->close_diff({})).error().message, "No diff to close");
  EXPECT_TRUE(run(editor->show_diff({.title = "T", .path = path(), .new_content = "x"})));
  EXPECT_TRUE(run(editor->show_diff({.title = "U", .path = path(), .new_content = "y"})));
  EXPECT_TRUE(run(editor->close_diff({})));
  EXPECT_EQ(*run(editor->close_all_diffs()), 1U);
  EXPECT_EQ(reports.size(), 2U);
  EXPECT_EQ(run(editor->open_diff({.path = path(), .new_content = "new"}))->content, "new");
  EXPECT_EQ(*run(editor->confirm({.options = {{.id = "a"}, {.id = "b", .label = "", .is_default = true}}})), "b");
  agree = false;
  EXPECT_EQ(run(editor->open_diff({.path = path(), .new_content = "new"}))->reason, "button");
  EXPECT_EQ(*run(editor->confirm({.options = {{.id = "a"}}})), std::nullopt);
}

}  // namespace
}  // namespace parlance::app
