// SPDX-License-Identifier: Apache-2.0
// The words that memory knows something about: everyday and programming words, most of them English and Chinese, and which of them
// say the same. General by intent: nothing here is about one project or one person. Read by vocabulary.cpp and characters.cpp.
#pragma once

#include <string_view>

namespace parlance::memory {

// Words in lower case, apart by blanks or line ends. `_` stands for the blank of an expression of two words.
struct VocabularyTables {
  std::string_view fillers;    // in every sentence: who, the, is, 什么
  std::string_view particles;  // fillers that are never a part of a longer Chinese word: 的, 了
  std::string_view faint;      // in many sentences, and seldom what one is about: use, user, thing, 情况
  std::string_view chinese;    // words with no synonym here; known, so that a run of characters can be cut into words
  std::string_view same[2];    // each line: words that say the same, in any language
  std::string_view kinds;      // each line: a word, and what is of its kind ("color red blue 红色")
  std::string_view traditional, simplified;  // Chinese characters, those at one place are the same
};
const VocabularyTables& vocabulary_tables();

std::string_view same_in_life();
std::string_view same_in_programs();
std::string_view kinds_of_things();

}  // namespace parlance::memory
