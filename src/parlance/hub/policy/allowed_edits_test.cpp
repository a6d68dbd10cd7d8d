// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/allowed_edits.h"

#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;

ToolIntent change(std::string place, std::optional<std::string> before, std::string after) {
  return {.kind = ToolKind::edit,
          .path = place,
          .real_path = place,
          .diff = Diff{.path = place, .before = std::move(before), .after = std::move(after)}};
}
constexpr TimePoint now{};

TEST(AllowedEdits, TheVeryChangeOnceAndSoon) {
  AllowedEdits edits;
  EXPECT_FALSE(edits.take(change("/w/a", "one", "two"), now));
  edits.add(change("/w/a", "one", "two"), now);
  EXPECT_TRUE(edits.take(change("/w/a", "one", "two"), now));
  EXPECT_FALSE(edits.take(change("/w/a", "one", "two"), now)) << "once";
  edits.add(change("/w/a", "one", "two"), now);
  EXPECT_FALSE(edits.take(change("/w/a", "one", "two"), now + AllowedEdits::lasts + 1s)) << "soon";
}

TEST(AllowedEdits, NoOtherPlaceTextOrBeginning) {
  AllowedEdits edits;
  edits.add(change("/w/a", "one", "two"), now);
  EXPECT_FALSE(edits.take(change("/w/b", "one", "two"), now));
  EXPECT_FALSE(edits.take(change("/w/a", "one", "two!"), now));
  EXPECT_FALSE(edits.take(change("/w/a", "none", "two"), now));
  EXPECT_FALSE(edits.take(change("/w/a", std::nullopt, "two"), now)) << "the file has gone meanwhile";
  EXPECT_TRUE(edits.take(change("/w/a", "one", "two"), now));
}

TEST(AllowedEdits, NewFileHasNoBeforeOrAnEmptyBefore) {
  for (const std::optional<std::string>& before : {std::optional<std::string>(), std::optional<std::string>("")}) {
    AllowedEdits edits;
    edits.add(change("/w/new", before, "text"), now);
    EXPECT_FALSE(edits.take(change("/w/new", "there by now", "text"), now));
    EXPECT_TRUE(edits.take(change("/w/new", std::nullopt, "text"), now));
  }
}

TEST(AllowedEdits, PartMustOccurOnce) {
  AllowedEdits edits;
  edits.add(change("/w/a", "b", "B"), now);
  EXPECT_FALSE(edits.take(change("/w/a", "a b b", "a B b"), now)) << "which one was shown?";
  EXPECT_FALSE(edits.take(change("/w/a", "a b c", "a B c and more"), now));
  EXPECT_TRUE(edits.take(change("/w/a", "a b c", "a B c"), now));
}

TEST(AllowedEdits, OtherEditsAreNotAllowed) {
  AllowedEdits edits;
  ToolIntent bare = change("/w/a", "one", "two");
  bare.diff.reset();
  edits.add(bare, now);
  ToolIntent nowhere = change("/w/a", "one", "two");
  nowhere.real_path.reset();
  edits.add(nowhere, now);
  ToolIntent command = change("/w/a", "one", "two");
  command.kind = ToolKind::execute;
  edits.add(command, now);
  EXPECT_FALSE(edits.take(change("/w/a", "one", "two"), now));
  EXPECT_FALSE(edits.take(nowhere, now));
}

TEST(AllowedEdits, OnlySoManyAreKept) {
  AllowedEdits edits;
  for (std::size_t i = 0; i <= AllowedEdits::most; ++i) edits.add(change("/w/" + std::to_string(i), "", "x"), now);
  EXPECT_FALSE(edits.take(change("/w/0", "", "x"), now));
  EXPECT_TRUE(edits.take(change("/w/1", "", "x"), now));
}

}  // namespace
}  // namespace parlance::hub
