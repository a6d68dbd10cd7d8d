// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/rehearse/planned_edits.h"

#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

namespace parlance::app {
namespace {

using namespace hub::editor;
namespace fs = std::filesystem;

struct Planned : ::testing::Test {
  fs::path folder = fs::temp_directory_path() / ("planned_edits_" + std::to_string(::getpid()));

  void SetUp() override {
    fs::create_directories(folder);
    EXPECT_TRUE(write_whole(path("a"), "one\ntwo\n") && write_whole(path("b"), "b"));
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string text(const std::string& name) const { return read_whole(path(name)).value_or("(none)"); }
  static TextEdit put(Position at, std::string text) { return {.range = {.start = at, .end = at}, .new_text = std::move(text)}; }
  static std::string refused(const std::vector<FileEdit>& edits) {
    const auto plan = PlannedEdits::of(edits);
    return plan ? "(planned)" : plan.error().message;
  }
};
using PlannedEditsTest = Planned;

TEST_F(PlannedEditsTest, CreateChangeRenameAndDelete) {
  const auto plan = PlannedEdits::of({{.path = path("a"), .edits = {put({1, 0}, "and ")}},
                                      {.path = path("deep/new"), .create = true, .edits = {put({0, 0}, "fresh")}},
                                      {.path = path("b"), .rename_to = path("c"), .edits = {put({0, 1}, "!")}}});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->words(),
            "change " + path("a") + "\ndelete " + path("b") + "\ncreate " + path("c") + "\ncreate " + path("deep/new"));
  EXPECT_EQ(text("a"), "one\ntwo\n") << "nothing is made yet";
  ASSERT_TRUE(plan->carry_out());
  EXPECT_EQ(text("a"), "one\nand two\n");
  EXPECT_EQ(text("deep/new"), "fresh");
  EXPECT_EQ(text("b"), "(none)");
  EXPECT_EQ(text("c"), "b!");
  ASSERT_TRUE(PlannedEdits::of({{.path = path("c"), .remove = true}})->carry_out());
  EXPECT_EQ(text("c"), "(none)");
}

TEST_F(PlannedEditsTest, AnObstacleIsReportedBeforeAnyWrite) {
  const FileEdit good{.path = path("a"), .edits = {put({0, 0}, "x")}};
  EXPECT_EQ(refused({good, {.path = path("b"), .create = true}}), "There is a file already: " + path("b"));
  EXPECT_EQ(refused({good, {.path = path("no")}}), "No such file: " + path("no"));
  EXPECT_EQ(refused({good, {.path = path("b"), .rename_to = path("a")}}), "There is a file already: " + path("a"));
  EXPECT_EQ(refused({{.path = path("b"), .edits = {put({5, 0}, "x")}}}), path("b") + ": There is no line 5, character 0");
  EXPECT_EQ(text("a"), "one\ntwo\n");
}

TEST_F(PlannedEditsTest, WhenOneCannotBeWrittenAllAreAsBefore) {
  const auto plan = PlannedEdits::of(
      {{.path = path("a"), .edits = {put({0, 0}, "x")}}, {.path = path("b/inside"), .create = true}});  // b is a file
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->carry_out().error().message, "Cannot write " + path("b/inside"));
  EXPECT_EQ(text("a"), "one\ntwo\n");
  EXPECT_EQ(text("b"), "b");
}

}  // namespace
}  // namespace parlance::app
