// SPDX-License-Identifier: Apache-2.0
// Facts about words: how much a word says about the topic of a text, its synonyms, and its kind. Built once from
// vocabulary_tables.cpp; afterwards read-only, from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace parlance::memory {

// FNV-1a of 64 bits, for words; fixed, because stored vectors depend on it.
inline constexpr std::uint64_t hash_seed = 0xcbf29ce484222325ULL;
constexpr std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = hash_seed) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

// An English word without its ending: deploys, deploying, deployed. Folded text in, a prefix of it out. Other languages lose at
// most an s.
std::string_view stem_of(std::string_view word);

enum class Band : std::uint8_t {
  filler,   // who, the, 的: in every sentence.
  faint,    // use, day, 项目: in many sentences.
  known,    // An everyday word.
  unknown,  // A name, a rare word, another language.
};

// A number for all synonyms; 0: none.
using Concept = std::uint16_t;

struct WordInfo {
  Band band = Band::unknown;
  bool particle = false;              // Counts alone among ideographs, never as a part of a longer word.
  std::array<Concept, 3> concepts{};  // Possible meanings.
  std::array<Concept, 3> kinds{};     // Its kinds: red of color.
};

class Vocabulary {
 public:
  static const Vocabulary& builtin();

  // `word` is folded. Null: unknown.
  const WordInfo* find(std::string_view word) const { return find_hash(hash_bytes(word)); }
  const WordInfo* find_stem(std::string_view stem) const { return find_hash(hash_bytes(stem, stem_seed)); }
  // Two neighbouring words with one meaning: time zone.
  const WordInfo* find_pair(std::string_view first_stem, std::string_view second_stem) const;

  // Words with the same meanings or of the same kind as `info`, in the forms of texts except endings and accents: an index
  // searches them too. Only words of three characters and more, nearest in meaning first, none a prefix of another.
  std::vector<std::string_view> other_words(const WordInfo& info, std::size_t most) const;

  static constexpr std::size_t longest_word = 6;  // Characters, of words in scripts without blanks.

 private:
  static constexpr std::uint64_t stem_seed = hash_seed + 1;
  static constexpr std::size_t slots = 1 << 14;
  struct Slot {
    std::uint64_t key = 0;
    WordInfo info{};
  };

  Vocabulary();
  const WordInfo* find_hash(std::uint64_t key) const {
    for (std::size_t at = key % slots;; at = (at + 1) % slots) {
      if (table_[at].key == key) return &table_[at].info;
      if (table_[at].key == 0) return nullptr;
    }
  }
  WordInfo& at(std::uint64_t key);
  WordInfo& add(std::string_view folded_word);
  void add_band(std::string_view words, Band band);

  std::array<Slot, slots> table_{};
  std::vector<std::vector<std::string_view>> words_{{}};  // By meaning; stored in the tables.
  std::multimap<Concept, Concept> of_kind_;               // Meanings of the same kind.
};

}  // namespace parlance::memory
