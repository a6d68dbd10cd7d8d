// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/ask.h"

#include <set>

#include <gtest/gtest.h>

#include "parlance/hub/conversation/limits.h"

namespace parlance::hub {
namespace {

Ask shown() {
  return {.id = "ask1",
          .conversation = "c",
          .questions = {{{.header = "h", .question = "q", .options = {{.label = "l", .description = "d"}}}}},
          .options = {{.id = "yes", .label = "Yes", .kind = OptionKind::allow_once}}};
}

// ---- digest of the approved content -------------------------------------------------------------------------------------------

TEST(AskDigest, IsEqualForEqualAsks) { EXPECT_EQ(digest_of(shown(), "/f"), digest_of(shown(), "/f")); }

TEST(AskDigest, DiffersForEachPartOfTheContent) {
  std::set<std::string> digests{digest_of(shown(), "/f")};
  const auto another = [&](auto change) {
    Ask ask = shown();
    change(ask);
    return digests.insert(digest_of(ask, "/f")).second;
  };
  EXPECT_TRUE(another([](Ask& a) { a.kind = AskKind::question; }));
  EXPECT_TRUE(another([](Ask& a) { a.kind = AskKind::plan; }));
  EXPECT_TRUE(another([](Ask& a) { a.conversation = "d"; }));
  EXPECT_TRUE(another([](Ask& a) { a.tool = ""; })) << "an empty name is not no name";
  EXPECT_TRUE(another([](Ask& a) { a.why = "w"; }));
  EXPECT_TRUE(another([](Ask& a) { a.reason = Reason(ReasonId::edits_asked); }));
  EXPECT_TRUE(another([](Ask& a) { a.reason = Reason(ReasonId::rule); }));
  EXPECT_TRUE(another([](Ask& a) { a.reason = Reason(ReasonId::rule, {""}); }));
  EXPECT_TRUE(another([](Ask& a) { a.options[0].id = "no"; }));
  EXPECT_TRUE(another([](Ask& a) { a.options[0].kind = OptionKind::allow_always; })) << "once is not always";
  EXPECT_TRUE(another([](Ask& a) { a.options.push_back({}); }));
  EXPECT_TRUE(another([](Ask& a) { a.options.clear(); }));
  EXPECT_TRUE(another([](Ask& a) { (*a.questions)[0].header = "x"; }));
  EXPECT_TRUE(another([](Ask& a) { (*a.questions)[0].question = "x"; }));
  EXPECT_TRUE(another([](Ask& a) { (*a.questions)[0].multiple = true; }));
  EXPECT_TRUE(another([](Ask& a) { (*a.questions)[0].options[0].description = "x"; }));
  EXPECT_TRUE(another([](Ask& a) { (*a.questions)[0].options.clear(); }));
  EXPECT_TRUE(another([](Ask& a) { a.questions->clear(); })) << "no questions";
  EXPECT_TRUE(another([](Ask& a) { a.questions.reset(); })) << "is not none of that kind";
  EXPECT_TRUE(another([](Ask& a) { a.diff = Diff{}; }));
  EXPECT_TRUE(another([](Ask& a) { a.diff = Diff{.before = ""}; })) << "an empty file is not a new one";
  EXPECT_TRUE(another([](Ask& a) { a.diff = Diff{.after = ""}; })) << "nor one that is deleted";
}

// A request of version 0.2 is compared with the digest that version 0.2 made.
TEST(AskDigest, WithoutAReasonEqualsVersion02) {
  EXPECT_EQ(digest_of({.conversation = "c", .title = "t", .why = "w"}, "/f"),
            "731a4691be5fbdaa15c6e93f9f040b7f1f077325bd9ee507ccfda75e5324444b");
}

// Without the lengths of the parts these would be the same bytes.
TEST(AskDigest, EqualConcatenationsAreDifferentAsks) {
  EXPECT_NE(digest_of({.title = "rm a", .why = "b"}, "/f"), digest_of({.title = "rm ab"}, "/f"));
  EXPECT_NE(digest_of({.title = "ab", .why = "c"}, "/f"), digest_of({.title = "a", .why = "bc"}, "/f"));
  EXPECT_NE(digest_of({.conversation = "c/"}, "f"), digest_of({.conversation = "c"}, "/f"));
  EXPECT_NE(digest_of({.options = {{.id = "a"}, {.id = "b"}}}, "/f"), digest_of({.options = {{.id = "ab"}, {.id = ""}}}, "/f"));
}

TEST(AskDigest, IgnoresTheResult) {
  const std::string digest = digest_of(shown(), "/f");
  Ask later = shown();
  later.id = "ask2";
  later.state = AskState::answered;
  later.chosen = "yes";
  later.by = "person";
  later.text = "fine";
  later.expires_at = "2030-01-01T00:00:00Z";
  later.digest = digest;
  EXPECT_EQ(digest_of(later, "/f"), digest);
}

// ---- a person's edit before the approval --------------------------------------------------------------------------------------

TEST(AskEdit, ChangesOnlyTheNewText) {
  const Ask ask{.title = "t", .diff = Diff{.path = "p", .before = "old", .after = "theirs"}, .editable = EditablePart::diff};
  const auto edited = with_edit(ask, "mine");
  ASSERT_TRUE(edited.has_value());
  Ask wanted = ask;
  wanted.diff->after = "mine";
  wanted.edited = "mine";
  EXPECT_EQ(*edited, wanted);
}

TEST(AskEdit, AFileMayBeMadeEmptyACommandMayNot) {
  EXPECT_EQ(with_edit({.diff = Diff{.after = "x"}, .editable = EditablePart::diff}, "")->diff->after, "");
  for (const char* empty : {"", " ", "\t\n"})
    EXPECT_EQ(with_edit({.detail = "make", .editable = EditablePart::command}, empty).error().message,
              "the changed command is empty");
}

TEST(AskEdit, CommandKeepsItsBlanks) {
  EXPECT_EQ(with_edit({.detail = "make", .editable = EditablePart::command}, " make  test ")->detail, " make  test ");
}

TEST(AskEdit, FixedPartsRefuseAnEdit) {
  EXPECT_EQ(with_edit({.detail = "make"}, "x").error().message, "nothing of this can be changed before it is allowed");
  const auto none = with_edit({.editable = EditablePart::diff}, "x");
  EXPECT_EQ(none.error().code, Errc::invalid_params);
  EXPECT_EQ(none.error().message, "this proposes no change of a file");
}

TEST(AskEdit, EditedTextIsLimitedToTheSizeOfAFile) {
  const Ask ask{.diff = Diff{.after = ""}, .editable = EditablePart::diff};
  EXPECT_TRUE(with_edit(ask, std::string(limits::file_edit_bytes, 'x')).has_value());
  EXPECT_EQ(with_edit(ask, std::string(limits::file_edit_bytes + 1, 'x')).error().message,
            "the changed text has 8388609 bytes; at most 8388608");
}

// ---- the answer ---------------------------------------------------------------------------------------------------------------------

TEST(AskAnswers, OnlyAnAllowingAnswerIsAPermission) {
  for (const auto kind : {OptionKind::allow_once, OptionKind::allow_always}) {
    EXPECT_TRUE((AskAnswer{.state = AskState::answered, .kind = kind}.allowed()));
    for (const auto state : {AskState::open, AskState::expired, AskState::cancelled, AskState::orphaned})
      EXPECT_FALSE((AskAnswer{.state = state, .kind = kind}.allowed())) << to_string(state);
  }
  for (const auto kind : {OptionKind::reject_once, OptionKind::reject_always, OptionKind::choice, OptionKind::feedback,
                          OptionKind::reject_and_stop})
    EXPECT_FALSE((AskAnswer{.kind = kind}.allowed())) << static_cast<int>(kind);
  EXPECT_FALSE(AskAnswer{}.allowed()) << "by default, not allowed";
}

TEST(AskAnswers, AnswersAsTextFollowTheirQuestions) {
  EXPECT_EQ(in_words(std::vector<std::vector<std::string>>{}), "");
  EXPECT_EQ(in_words(std::vector<std::vector<std::string>>{{"a"}}), "a");
  EXPECT_EQ(in_words({{"a", "b"}, {"c"}}), "a, b; c");
  EXPECT_EQ(in_words({{"a"}, {}, {"b"}}), "a; ; b") << "one without an answer keeps its place";
}

TEST(AskStates, HaveNames) {
  std::set<std::string_view> names;
  for (const auto state : {AskState::open, AskState::answered, AskState::expired, AskState::cancelled, AskState::orphaned})
    EXPECT_TRUE(names.insert(to_string(state)).second) << to_string(state);
  EXPECT_EQ(to_string(AskState::orphaned), "orphaned");
}

}  // namespace
}  // namespace parlance::hub
