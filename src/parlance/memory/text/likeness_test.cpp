// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/text/likeness.h"

#include <gtest/gtest.h>

namespace parlance::memory {
namespace {

TEST(Likeness, FormsOfOneWord) {
  for (const auto& [a, b] : std::initializer_list<std::pair<const char*, const char*>>{{"deploy", "deployment"},
                                                                                       {"configure", "configuration"},
                                                                                       {"decide", "deciding"},
                                                                                       {"teach", "teacher"},
                                                                                       {"allergy", "allergies"},
                                                                                       {"sprache", "sprachen"},
                                                                                       {"настройки", "настройкой"}}) {
    EXPECT_GT(related_form(a, b), 0.8) << a << ' ' << b;
    EXPECT_EQ(related_form(a, b), related_form(b, a));
  }
  for (const auto& [a, b] : std::initializer_list<std::pair<const char*, const char*>>{{"contract", "contrast"},
                                                                                       {"commit", "community"},
                                                                                       {"password", "passport"},
                                                                                       {"car", "carpet"},
                                                                                       {"cat", "dog"},
                                                                                       {"staging", "stage-coach"}})
    EXPECT_EQ(related_form(a, b), 0) << a << ' ' << b;
}

TEST(Likeness, OneSlipOfTheFinger) {
  EXPECT_GT(misspelling("kuberntes", "kubernetes"), 0.7);
  EXPECT_GT(misspelling("kubernetse", "kubernetes"), 0.7);
  EXPECT_GT(misspelling("kubernatas", "kubernatus"), 0.7);
  EXPECT_EQ(misspelling("kuberntse", "kubernetes"), 0) << "two slips";
  EXPECT_EQ(misspelling("horse", "house"), 0) << "short words are too near to others";
  EXPECT_EQ(misspelling("cart", "car"), 0);
  EXPECT_EQ(misspelling("", "a"), 0);
}

TEST(Likeness, APartOfAWordIsLong) {
  EXPECT_GT(part_of_word("sqlite", "libsqlite"), 0.7);
  EXPECT_EQ(part_of_word("cat", "concatenate"), 0);
  EXPECT_EQ(part_of_word("port", "support"), 0);
  EXPECT_EQ(part_of_word("sqlite", "sqlite"), 0) << "that is no part";
}

TEST(Likeness, ScriptsWithoutBlanksAreCoveredByPairs) {
  EXPECT_EQ(covered_share("数据库", "我们的数据库很大"), 1);
  EXPECT_NEAR(covered_share("数据库", "数据很大"), 2.0 / 3, 1e-9);
  EXPECT_EQ(covered_share("数据库", "据数库"), 0);
  EXPECT_EQ(covered_share("猫", "一只猫"), 1);
  EXPECT_EQ(covered_share("猫", "一只狗"), 0);
  EXPECT_EQ(covered_share("编辑设置", "编辑和设置"), 1) << "two words beside each other, apart in the text";
}

}  // namespace
}  // namespace parlance::memory
