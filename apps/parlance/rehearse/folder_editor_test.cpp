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
  std::vector<std::string> told;
  std::unique_ptr<FolderEditor> editor;

  void SetUp() override {
    fs::create_directories(folder);
    std::ofstream(folder / "main.cpp") << "int main() {\n  // 𝄞 é x\n  return 0; return 0;\n}\n";
    folder = fs::canonical(folder);
    editor =
        std::make_unique<FolderEditor>(FolderEditorSettings{.folder = folder.string(),
                                                            .active = "main.cpp",
                                                            .selection = "x\n  return",
                                                            .decide = [this](const std::string&) { return agree; },
                                                            .tell = [this](const std::string& what) { told.push_back(what); }});
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

TEST_F(FolderEditorTest, TellsTheFileInFrontAndWhatIsSelected) {
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

TEST_F(FolderEditorTest, StaysInItsFolder) {
  const fs::path outside = fs::temp_directory_path() / ("outside_" + std::to_string(::getpid()));
  std::ofstream(outside) << "secret";
  fs::create_symlink(outside, folder / "link");
  EXPECT_FALSE(run(editor->read_document(outside.string(), {}, {})));
  EXPECT_FALSE(run(editor->read_document((folder / "link").string(), {}, {})));
  EXPECT_FALSE(run(editor->apply_changes({.path = (folder / "link").string(), .old_text = "secret", .new_text = "x"})));
  EXPECT_FALSE(run(editor->open_diff({.path = outside.string(), .new_content = "x"})));
  fs::remove(outside);
}

TEST_F(FolderEditorTest, DiffsAndDialogs) {
  EXPECT_EQ(run(editor->close_diff({})).error().message, "No diff to close");
  EXPECT_TRUE(run(editor->show_diff({.title = "T", .path = path(), .new_content = "x"})));
  EXPECT_TRUE(run(editor->show_diff({.title = "U", .path = path(), .new_content = "y"})));
  EXPECT_TRUE(run(editor->close_diff({})));
  EXPECT_EQ(*run(editor->close_all_diffs()), 1U);
  EXPECT_EQ(told.size(), 2U);
  EXPECT_EQ(run(editor->open_diff({.path = path(), .new_content = "new"}))->content, "new");
  EXPECT_EQ(*run(editor->confirm({.options = {{.id = "a"}, {.id = "b", .label = "", .is_default = true}}})), "b");
  agree = false;
  EXPECT_EQ(run(editor->open_diff({.path = path(), .new_content = "new"}))->reason, "button");
  EXPECT_EQ(*run(editor->confirm({.options = {{.id = "a"}}})), std::nullopt);
}

}  // namespace
}  // namespace parlance::app
