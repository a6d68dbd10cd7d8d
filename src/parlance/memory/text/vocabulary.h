// SPDX-License-Identifier: Apache-2.0
// What is known about a word: how much it says about what a text is about, what else says the same, and what it is a kind of.
// Built once from vocabulary_tables.cpp; afterwards read only, from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace parlance::memory {

// FNV-1a of 64 bits, for words; written down because stored vectors depend on it.
inline constexpr std::uint64_t hash_seed = 0xcbf29ce484222325ULL;
constexpr std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = hash_seed) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

// An English word without its ending: deploys, deploying, deployed. Folded text in, a prefix of it out. Other languages: unchanged
// but for an s.
std::string_view stem_of(std::string_view word);

enum class Band : std::uint8_t {
  filler,   // who, the, 的: in every sentence
  faint,    // use, day, 项目: in many
  known,    // an everyday word
  unknown,  // a name, a rare word, another language
};

// A number for all words that say the same; 0: none.
using Concept = std::uint16_t;

struct WordInfo {
  Band band = Band::unknown;
  bool particle = false;              // stands alone among ideographs, never for a part of a longer word
  std::array<Concept, 3> concepts{};  // what it may mean
  std::array<Concept, 3> kinds{};     // of what it is a kind: red of color
};

class Vocabulary {
 public:
  static const Vocabulary& builtin();

  // `word` is folded. Null: not known.
  const WordInfo* find(std::string_view word) const { return find_hash(hash_bytes(word)); }
  const WordInfo* find_stem(std::string_view stem) const { return find_hash(hash_bytes(stem, stem_seed)); }
  // Two words beside each other that say one thing: time zone.
  const WordInfo* find_pair(std::string_view first_stem, std::string_view second_stem) const;

  // Other words for what `info` may mean, and for what is of its kind, as they stand in texts but for endings and accents: what an
  // index is asked for beside the word itself. Those of three characters and more, the nearest in meaning first, none a beginning
  // of another.
  std::vector<std::string_view> other_words(const WordInfo& info, std::size_t most) const;

  static constexpr std::size_t longest_word = 6;  // characters, of those without blanks between

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
  std::vector<std::vector<std::string_view>> words_{{}};  // by meaning; they lie in the tables
  std::multimap<Concept, Concept> of_kind_;               // the meanings that are of a kind
};

}  // namespace parlance::memory
