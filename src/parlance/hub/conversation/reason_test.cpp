// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/reason.h"

#include <set>

#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

TEST(Reason, HasASentenceWithItsValues) {
  EXPECT_EQ(in_words(ReasonId::edits_asked), "changes need approval");
  EXPECT_EQ(in_words({ReasonId::word_outside, {"../a", "/b/a"}}), "`../a` lies outside the folder: /b/a");
  EXPECT_EQ(in_words({ReasonId::rule, {"{0} {1"}}), "rule: {0} {1") << "a value is no sentence";
  EXPECT_EQ(in_words({ReasonId::word_outside, {"a"}}), "`a` lies outside the folder: ");
  EXPECT_EQ(in_words({ReasonId::mcp_model, {"s", "t"}}),
            "The MCP server s requests an answer of the model while t runs, at the cost of an answer");
  Reason unknown;
  unknown.id = "of a newer version";
  EXPECT_EQ(in_words(unknown), "");
  EXPECT_EQ(in_words(Reason{}), "");
}

TEST(Reason, NoTwoHaveOneIdOrOneSentence) {
  std::set<std::string_view> ids;
  std::set<std::string_view> sentences;
  for (const ReasonText& text : reason_texts()) {
    EXPECT_TRUE(ids.insert(text.id).second) << text.id;
    EXPECT_TRUE(sentences.insert(text.sentence).second) << text.sentence;
  }
}

}  // namespace
}  // namespace parlance::hub
