// SPDX-License-Identifier: Apache-2.0
// The vocabulary of memory: everyday and programming words, mostly English and Chinese, with their synonyms. General by intent:
// no entry belongs to a single project or person. Read by vocabulary.cpp and characters.cpp.
#pragma once

#include <string_view>

namespace parlance::memory {

// Words in lower case, separated by blanks or line ends. `_` is the blank of an expression of two words.
struct VocabularyTables {
  std::string_view fillers;                  // In every sentence: who, the, is, 什么.
  std::string_view particles;                // Fillers that are never a part of a longer Chinese word: 的, 了.
  std::string_view faint;                    // In many sentences, and rarely their topic: use, user, thing, 情况.
  std::string_view chinese;                  // Words without synonyms, used to cut runs of characters into words.
  std::string_view same[2];                  // Each line: synonyms in any language.
  std::string_view kinds;                    // Each line: a word, and words of its kind ("color red blue 红色").
  std::string_view traditional, simplified;  // Chinese characters; those at equal positions are equal.
};
const VocabularyTables& vocabulary_tables();

std::string_view same_in_life();
std::string_view same_in_programs();
std::string_view kinds_of_things();

}  // namespace parlance::memory
