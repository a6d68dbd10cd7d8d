// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/text/text_features.h"

#include <algorithm>

namespace parlance::memory {
namespace {

bool is_letter(Script script) { return script == Script::letter || script == Script::digit; }

void note(std::array<Concept, 3>& all, const std::array<Concept, 3>& more) {
  for (const Concept meaning : more) {
    if (meaning == 0 || std::ranges::find(all, meaning) != all.end()) continue;
    const auto room = std::ranges::find(all, Concept{0});
    if (room != all.end()) *room = meaning;
  }
}

}  // namespace

TextFeatures::TextFeatures(std::string_view text) {
  read_characters(text);
  bool hyphen = false;  // the characters between the last token and this position
  for (std::size_t at = 0; at + 1 < characters_.size();) {
    if (characters_[at].script == Script::separator) {
      const std::string_view separator = between(at, at + 1);
      hyphen = separator == "-" || separator == "_" || separator == "'";
      joined_ = hyphen && joined_;
      ++at;
      continue;
    }
    const std::size_t end = end_of(at);
    if (is_letter(characters_[at].script)) cut_letters(at, end);
    else cut_ideographs(at, end);
    joined_ = true;
    at = end;
  }
  join_pairs();
  tokens_.shrink_to_fit();
  std::vector<Character>().swap(characters_);  // of use until here only, and the largest part
}

void TextFeatures::read_characters(std::string_view text) {
  folded_.reserve(text.size());
  characters_.reserve(text.size() + 1);
  for (std::size_t at = 0; at < text.size();) {
    const auto written = static_cast<std::uint32_t>(at);
    const char32_t character = next_character(text, at);
    const Script script = script_of(character);
    if (script == Script::mark) continue;  // neither a word nor a separator
    const bool upper = (character >= 'A' && character <= 'Z') || (character >= 0xff21 && character <= 0xff3a);
    characters_.push_back(
        {.begin = static_cast<std::uint32_t>(folded_.size()), .written = written, .script = script, .upper = upper});
    if (script == Script::separator && character < 0x80) folded_ += static_cast<char>(character);
    else if (script == Script::separator) folded_ += ' ';
    else append_folded(folded_, character);
  }
  characters_.push_back(
      {.begin = static_cast<std::uint32_t>(folded_.size()), .written = static_cast<std::uint32_t>(text.size())});
}

std::string_view TextFeatures::between(std::size_t first, std::size_t end) const {
  return std::string_view(folded_).substr(characters_[first].begin, characters_[end].begin - characters_[first].begin);
}

std::size_t TextFeatures::end_of(std::size_t first) const {
  std::size_t end = first + 1;
  const Script script = characters_[first].script;
  while (end + 1 < characters_.size() &&
         (characters_[end].script == script || (is_letter(script) && is_letter(characters_[end].script))))
    ++end;
  return end;
}

void TextFeatures::add(std::size_t first, std::size_t end, const WordInfo* info) {
  const std::string_view word = between(first, end);
  if (word.empty()) return;
  Token token{.begin = characters_[first].begin,
              .size = static_cast<std::uint32_t>(word.size()),
              .characters = static_cast<std::uint32_t>(end - first),
              .written_begin = characters_[first].written,
              .written_end = characters_[end].written,
              .script = characters_[first].script,
              .joined = joined_};
  const std::string_view stem = stem_of(word);
  token.stem = hash_bytes(stem);
  if (info == nullptr && token.script == Script::letter) info = Vocabulary::builtin().find_stem(stem);
  if (info != nullptr) token.info = *info;
  // A filler matches only in its own form: "theme" does not match "them".
  if (token.filler()) token.stem = hash_bytes(word, ~hash_seed);
  tokens_.push_back(token);
  joined_ = true;
}

void TextFeatures::cut_letters(std::size_t first, std::size_t end) {
  const Vocabulary& vocabulary = Vocabulary::builtin();
  if (const WordInfo* whole = vocabulary.find(between(first, end))) return add(first, end, whole);
  // A hump or a digit begins a part, when the parts are long enough to be words.
  static constexpr std::size_t least = 3;
  std::size_t begin = first;
  for (std::size_t at = first + 1; at < end; ++at) {
    const Character& before = characters_[at - 1];
    const Character& here = characters_[at];
    const bool hump = here.upper && !before.upper && before.script == Script::letter;
    const bool digits = here.script != before.script;
    const bool room = at - begin >= least || before.script == Script::digit;
    const bool rest = end - at >= least || here.script == Script::digit || before.script == Script::digit;
    if ((hump || digits) && room && rest) {
      add(begin, at, vocabulary.find(between(begin, at)));
      begin = at;
    }
  }
  add(begin, end, vocabulary.find(between(begin, end)));
}

void TextFeatures::cut_ideographs(std::size_t first, std::size_t end) {
  const Vocabulary& vocabulary = Vocabulary::builtin();
  std::size_t unknown = first;  // start of the part without known words
  for (std::size_t at = first; at < end;) {
    const WordInfo* found = nullptr;
    std::size_t found_end = at + 1;
    const std::size_t last = std::min(end, at + Vocabulary::longest_word);
    for (std::size_t stop = last; stop > at && found == nullptr; --stop) {
      // A single kana or syllable is a particle only at a particle's position; elsewhere the character is part of a word.
      const Script script = characters_[at].script;
      if (stop == at + 1 && script == Script::hiragana && at != first && stop != end) continue;
      if (stop == at + 1 && script == Script::hangul && (at < first + 2 || stop != end)) continue;
      found = vocabulary.find(between(at, stop));
      if (found != nullptr) found_end = stop;
    }
    // 时 in 缓存时间: a common word is more likely part of an unknown word.
    const bool weak = found != nullptr && found_end == at + 1 && found->band <= Band::faint && !found->particle;
    if (weak && characters_[at].script == Script::han && stands_in_a_word(at, unknown, end)) found = nullptr;
    if (found != nullptr) {
      if (unknown < at) add(unknown, at, nullptr);
      add(at, found_end, found);
      unknown = found_end;
    }
    at = found_end;
  }
  if (unknown < end) add(unknown, end, nullptr);
}

// A single character next to an unknown word: the two form a word.
bool TextFeatures::stands_in_a_word(std::size_t at, std::size_t unknown, std::size_t end) const {
  if (at == unknown + 1) return true;
  const auto is_known = [&](std::size_t first) {
    for (std::size_t stop = first + 1; stop <= std::min(end, first + Vocabulary::longest_word); ++stop)
      if (Vocabulary::builtin().find(between(first, stop)) != nullptr) return true;
    return false;
  };
  return at == unknown && at + 1 < end && !is_known(at + 1) && (at + 2 == end || is_known(at + 2));
}

// "time zone", "front end", "e-mail": the vocabulary knows both words as a unit, so both get the meaning of the unit.
void TextFeatures::join_pairs() {
  const Vocabulary& vocabulary = Vocabulary::builtin();
  std::string whole;
  for (std::size_t i = 1; i < tokens_.size(); ++i) {
    Token& first = tokens_[i - 1];
    Token& second = tokens_[i];
    if (first.script != Script::letter || second.script != Script::letter) continue;
    const WordInfo* info = vocabulary.find_pair(stem_of(text(first)), stem_of(text(second)));
    if (info == nullptr && first.size + second.size <= 20) {
      whole.assign(text(first)).append(text(second));
      info = vocabulary.find(whole);
    }
    if (info == nullptr || info->concepts[0] == 0) continue;
    for (Token* token : {&first, &second}) {
      if (token->info.band == Band::filler) continue;
      note(token->info.concepts, info->concepts);
      note(token->info.kinds, info->kinds);
    }
  }
}

}  // namespace parlance::memory
