// SPDX-License-Identifier: Apache-2.0
// Equality of texts as memories.
#include "parlance/store/memory/memory_key.h"

#include <gtest/gtest.h>

namespace parlance::store {
namespace {

TEST(MemoryKey, CaseBlanksPunctuationAndWidthDoNotCount) {
  const std::string key = memory_key("The user prefers tabs");
  for (const char* same :
       {"the user prefers tabs", "The  user\tprefers\n tabs", "The user prefers tabs.", "\"The user\" prefers tabs!",
        "THE USER: PREFERS TABS…", "Ｔｈｅ ｕｓｅｒ　ｐｒｅｆｅｒｓ ｔａｂｓ！", "- The user prefers (tabs)"})
    EXPECT_EQ(memory_key(same), key) << same;
  EXPECT_EQ(memory_key("数据库使用 PostgreSQL。"), memory_key("数据库使用postgresql"));
  EXPECT_EQ(memory_key("喜欢，深色主题"), memory_key("喜欢 深色主题！"));
  EXPECT_EQ(memory_key("ПРИВЕТ, ЁЖ"), memory_key("привет ёж"));
  EXPECT_EQ(memory_key("Größe ÄÖÜ Ž Ő"), memory_key("größe äöü ž ő"));
  EXPECT_EQ(memory_key("ΑΒΓ"), memory_key("αβγ"));
}

TEST(MemoryKey, WhatCarriesMeaningDoes) {
  const auto differ = [](const char* a, const char* b) { EXPECT_NE(memory_key(a), memory_key(b)) << a << " and " << b; };
  differ("The user prefers tabs", "The user prefers spaces");
  differ("use C", "use C++");
  differ("use C#", "use C++");
  differ("at 10:30", "at 1030");
  differ("factor 1.5", "factor 15");
  differ("minus -5 degrees", "minus 5 degrees");
  differ("a/b", "a b");
  differ("50%", "50");
  differ("now here", "nowhere");
  differ("!!!", "???");
  differ("深色", "浅色");
}

TEST(MemoryKey, ShowsWhatIsLeft) {
  EXPECT_EQ(normalised_text("  Don't use \"tabs\" -- at 10:30, OK?  "), "don't use tabs at 10:30 ok");
  EXPECT_EQ(normalised_text("用 Go（1.19）写的。"), "用go 1.19写的");
  EXPECT_EQ(normalised_text("…"), "…");
}

}  // namespace
}  // namespace parlance::store
