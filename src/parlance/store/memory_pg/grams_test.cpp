// SPDX-License-Identifier: Apache-2.0
// The grams of a text, and the grams that a phrase requires.
#include "parlance/store/memory_pg/grams.h"

#include <algorithm>

#include <gmock/gmock.h>

namespace parlance::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

bool proposes(std::string_view text, std::string_view phrase) {
  const auto all = grams_of_text(text);
  const auto wanted = grams_of_phrase(phrase);
  return !wanted.empty() && std::ranges::includes(all, wanted);
}

TEST(Grams, AreThreeCharactersOfWordsAndPairsOfIdeographs) {
  EXPECT_THAT(grams_of_text("Go 主题"), UnorderedElementsAre(" go", "go ", "主题", "主", "题"));
  EXPECT_THAT(grams_of_text("aaaa"), UnorderedElementsAre(" aa", "aaa", "aa ", "a  ")) << "each once";
}

TEST(Grams, EveryPartOfATextIsFound) {
  const std::string text = "The user's libsqlite3-dev, 深色主题改成 (go) Préférence";
  for (const char* phrase :
       {"user", "sqlite", "lib", "3-dev", "深色主", "题改成", "主题改成", "(go)", "prefe", "PRÉF", "préférence", "色主题"})
    EXPECT_TRUE(proposes(text, phrase)) << phrase;
  for (const char* phrase : {"users", "mysql", "主色题", "深主题", "改题成"}) EXPECT_FALSE(proposes(text, phrase)) << phrase;
}

TEST(Grams, ShortTextIsNoPhrase) {
  EXPECT_THAT(grams_of_phrase("go"), IsEmpty());
  EXPECT_THAT(grams_of_phrase("主题"), IsEmpty());
  EXPECT_EQ(gram_of_beginning("主题"), "主题");
  EXPECT_EQ(gram_of_beginning("資"), "资") << "as the text's own";
}

TEST(Grams, AnyBytesAreTaken) {
  EXPECT_THAT(grams_of_phrase("abc"), ElementsAre("abc"));
  for (const char* text : {"\xff\xfe", "a\xc3", "\xe4\xb8", "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80"})
    static_cast<void>(grams_of_text(text));
}

}  // namespace
}  // namespace parlance::store
