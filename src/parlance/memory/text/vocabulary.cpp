// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/text/vocabulary.h"

#include <algorithm>
#include <map>
#include <string>

#include "parlance/base/check.h"
#include "parlance/memory/text/characters.h"
#include "parlance/memory/text/vocabulary_tables.h"

namespace parlance::memory {
namespace {

template <class Each>
void each_part(std::string_view text, std::string_view separators, const Each& each) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end != 0) each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

template <class Each>
void each_word(std::string_view words, const Each& each) {
  each_part(words, " \n", each);
}

template <class Each>
void each_line(std::string_view lines, const Each& each) {
  each_part(lines, "\n", each);
}

void note(std::array<Concept, 3>& all, Concept meaning) {
  for (Concept& have : all) {
    if (have == meaning) return;
    if (have == 0) {
      have = meaning;
      return;
    }
  }
}

bool is_ascii_word(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

bool has_vowel(std::string_view word) { return word.find_first_of("aeiouy") != std::string_view::npos; }

std::string_view without_participle(std::string_view word) {
  std::string_view base = word;
  if (word.ends_with("ing") && word.size() >= 6) base.remove_suffix(3);
  else if (word.ends_with("ed") && !word.ends_with("eed") && word.size() >= 5) base.remove_suffix(2);
  else if (word.ends_with("ly") && !word.ends_with("ily") && word.size() >= 6) base.remove_suffix(2);
  else return word;
  if (!has_vowel(base)) return word;
  const char last = base.back();
  if (last == base[base.size() - 2] && std::string_view("bdgmnprt").find(last) != std::string_view::npos) base.remove_suffix(1);
  return base;
}

}  // namespace

std::string_view stem_of(std::string_view word) {
  if (word.size() < 4) return word;
  if (!is_ascii_word(word)) return word;
  if (word.ends_with("ies") || word.ends_with("ied"))
    return word.size() >= 6 ? word.substr(0, word.size() - 3) : word.substr(0, 4);
  if (word.ends_with("sses") || word.ends_with("xes") || word.ends_with("ches") || word.ends_with("shes")) word.remove_suffix(2);
  else if (word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is")) word.remove_suffix(1);
  word = without_participle(word);
  const bool silent = word.back() == 'e' || (word.back() == 'y' && !has_vowel(word.substr(word.size() - 2, 1)));
  if (word.size() >= 4 && silent) word.remove_suffix(1);
  return word;
}

const Vocabulary& Vocabulary::builtin() {
  static const Vocabulary vocabulary;
  return vocabulary;
}

WordInfo& Vocabulary::at(std::uint64_t key) {
  std::size_t slot = key % slots;
  while (table_[slot].key != 0 && table_[slot].key != key) slot = (slot + 1) % slots;
  table_[slot].key = key;
  return table_[slot].info;
}

// `a_b` is the pair of the stems a and b. A word of letters is known by its stem as well.
WordInfo& Vocabulary::add(std::string_view word) {
  const std::size_t gap = word.find('_');
  if (gap != std::string_view::npos) {
    const std::string_view second = word.substr(gap + 1, word.find('_', gap + 1) - gap - 1);
    return at(hash_bytes(stem_of(second), hash_bytes(" ", hash_bytes(stem_of(word.substr(0, gap)), stem_seed))));
  }
  return at(hash_bytes(word));
}

void Vocabulary::add_band(std::string_view words, Band band) {
  each_word(words, [&](std::string_view word) {
    WordInfo& info = add(folded(word));
    info.band = std::min(info.band, band);
  });
}

Vocabulary::Vocabulary() {
  const VocabularyTables& tables = vocabulary_tables();
  add_band(tables.fillers, Band::filler);
  add_band(tables.particles, Band::filler);
  each_word(tables.particles, [&](std::string_view word) { add(word).particle = true; });
  add_band(tables.faint, Band::faint);
  add_band(tables.chinese, Band::known);
  Concept last = 0;
  const auto learn = [&](WordInfo& info, Concept meaning) {
    note(info.concepts, meaning);
    info.band = std::min(info.band, Band::known);
  };
  const auto learn_word = [&](std::string_view word, Concept meaning) {
    const std::string plain = folded(word);
    if (words_.size() <= meaning) words_.resize(meaning + std::size_t{1});
    words_[meaning].push_back(word);
    learn(add(plain), meaning);
    if (is_ascii_word(plain)) learn(at(hash_bytes(stem_of(plain), stem_seed)), meaning);
  };
  for (const std::string_view lines : tables.same)
    each_line(lines, [&](std::string_view line) {
      ++last;
      each_word(line, [&](std::string_view word) { learn_word(word, last); });
    });
  std::multimap<Concept, Concept> kinds;  // of a meaning
  each_line(tables.kinds, [&](std::string_view line) {
    // Every word of the line stands for its first meaning; one that has none gets one.
    Concept kind = 0;
    each_word(line, [&](std::string_view word) {
      const std::string plain = folded(word);
      if (add(plain).concepts[0] == 0) learn_word(word, ++last);
      const Concept meaning = add(plain).concepts[0];
      if (kind == 0) {
        kind = meaning;
        return;
      }
      kinds.emplace(meaning, kind);
      of_kind_.emplace(kind, meaning);
    });
  });
  for (Slot& slot : table_)
    for (const Concept meaning : slot.info.concepts)
      for (auto [kind, end] = kinds.equal_range(meaning); kind != end; ++kind) note(slot.info.kinds, kind->second);
  const auto used = std::ranges::count_if(table_, [](const Slot& slot) { return slot.key != 0; });
  PARLANCE_CHECK(static_cast<std::size_t>(used) < slots * 3 / 4, "a table with room: looking up stays short");
}

std::vector<std::string_view> Vocabulary::other_words(const WordInfo& info, std::size_t most) const {
  std::vector<std::string_view> words;
  const auto take = [&](Concept meaning) {
    for (const std::string_view word : words_[meaning]) {
      const std::string_view stem = stem_of(word);
      const bool latin = is_ascii_word(stem);
      if (words.size() >= most || stem.size() < (latin ? 3 : 9) || word.find('_') != std::string_view::npos) continue;
      if (std::ranges::any_of(words, [&](std::string_view known) { return stem.starts_with(known); })) continue;
      words.push_back(stem);
    }
  };
  for (const Concept meaning : info.concepts)
    if (meaning != 0) take(meaning);
  for (const Concept kind : info.concepts)
    if (kind != 0)
      for (auto [entry, end] = of_kind_.equal_range(kind); entry != end; ++entry) take(entry->second);
  return words;
}

const WordInfo* Vocabulary::find_pair(std::string_view first_stem, std::string_view second_stem) const {
  return find_hash(hash_bytes(second_stem, hash_bytes(" ", hash_bytes(first_stem, stem_seed))));
}

}  // namespace parlance::memory
