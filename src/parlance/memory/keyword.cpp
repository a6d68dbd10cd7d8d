// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/keyword.h"

#include <algorithm>

#include "parlance/base/text.h"
#include "parlance/memory/text/likeness.h"

namespace parlance::memory {
namespace {

// The weight of a word of the query.
namespace weight {
constexpr double faint = 0.2;
constexpr double number = 0.35;  // "other numbers": port 5433 should find that the port is 5432
constexpr double known = 1;
constexpr double unknown = 1.15;
constexpr double short_word = 0.8;  // of fewer than three letters
constexpr double one_ideograph = 0.7;
constexpr double kana = 0.3;  // the rest of a sentence's hiragana is mostly endings
}  // namespace weight

// The quality of a text's word as a match for a query's word.
namespace quality {
constexpr double same_stem = 0.98;
constexpr double same_meaning = 0.9;
constexpr double an_instance = 0.8;
constexpr double in_pieces = 0.95;  // front end, frontend
constexpr double whole_phrase = 0.97;
}  // namespace quality

bool have_common_concept(const std::array<Concept, 3>& a, const std::array<Concept, 3>& b) {
  return std::ranges::any_of(a, [&](Concept meaning) { return meaning != 0 && std::ranges::find(b, meaning) != b.end(); });
}

double weight_of(const Token& token) {
  if (token.info.band == Band::faint) return weight::faint;
  if (token.script == Script::digit) return weight::number;
  const bool known = token.info.band == Band::known;
  if (!token.ideographic()) return known ? weight::known : token.characters < 3 ? weight::short_word : weight::unknown;
  if (token.script == Script::hiragana && !known) return weight::kana;
  if (token.characters == 1) return weight::one_ideograph;
  // Characters without a known word may form several words.
  return known ? weight::known : std::max(weight::known, 0.5 * std::min(token.characters, 6U));
}

bool is_word_byte(char c) { return script_of(static_cast<unsigned char>(c) & 0x7fU) != Script::separator && (c & 0x80) == 0; }

// `phrase` as a whole, and not inside a longer word: "concatenate" does not contain the word cat.
bool has_phrase(std::string_view text, std::string_view phrase) {
  if (phrase.empty()) return false;
  for (std::size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    const std::size_t end = at + phrase.size();
    const bool begins = at == 0 || !is_word_byte(text[at - 1]) || !is_word_byte(phrase.front());
    const bool ends = end == text.size() || !is_word_byte(text[end]) || !is_word_byte(phrase.back());
    if (begins && ends) return true;
  }
  return false;
}

// Two words written as a single word: front end, frontend.
bool is_both(std::string_view whole, std::string_view first, std::string_view second) {
  return !first.empty() && !second.empty() && whole.size() == first.size() + second.size() && whole.starts_with(first) &&
         whole.ends_with(second);
}

// The share of a compound covered by words of the text: Datenbankpasswort by Datenbank and Passwort.
double covered_by_words(std::string_view compound, const TextFeatures& text) {
  static constexpr std::size_t least_compound = 9;
  static constexpr std::size_t least_part = 4;
  if (compound.size() < least_compound) return 0;
  std::string rest(compound);
  std::size_t covered = 0;
  for (const Token& token : text.tokens()) {
    const std::string_view word = text.text(token);
    if (word.size() < least_part || word.size() >= compound.size()) continue;
    const std::size_t at = rest.find(word);
    if (at == std::string::npos) continue;
    rest.replace(at, word.size(), word.size(), ' ');
    covered += word.size();
  }
  const double share = static_cast<double>(covered) / static_cast<double>(compound.size());
  return share > 0.45 ? 0.95 * share : 0;
}

}  // namespace

KeywordQuery::KeywordQuery(std::string_view text) {
  const TextFeatures features(text);
  const std::vector<Token>& tokens = features.tokens();
  if (tokens.empty()) return;
  only_fillers_ = std::ranges::all_of(tokens, [](const Token& token) { return token.filler(); });
  for (const Token& token : tokens) {
    if (token.filler() && !only_fillers_) continue;
    if (std::ranges::any_of(terms_, [&](const Term& term) { return term.token.stem == token.stem; })) continue;
    words_.push_back({.text = to_lower(text.substr(token.written_begin, token.written_end - token.written_begin)),
                      .weight = weight_of(token)});
    terms_.push_back({.token = token, .text = std::string(features.text(token))});
  }
  const std::size_t end = tokens.back().begin + tokens.back().size;
  phrase_ = features.folded().substr(tokens.front().begin, end - tokens.front().begin);
}

// The quality of the best word of the text for a query's word: by the vocabulary, then by letters.
double KeywordQuery::best_match(std::size_t number, const TextFeatures& text) const {
  const Term& term = terms_[number];
  double best = 0;
  for (const Token& token : text.tokens()) {
    if (token.filler() && !only_fillers_) continue;
    if (token.stem == term.token.stem) return text.text(token) == term.text ? 1 : quality::same_stem;
    if (best < quality::same_meaning && have_common_concept(term.token.info.concepts, token.info.concepts))
      best = quality::same_meaning;
    if (best < quality::an_instance && have_common_concept(term.token.info.concepts, token.info.kinds))
      best = quality::an_instance;
  }
  if (best == 0 && has_version(number, text)) best = quality::an_instance;
  if (term.token.ideographic()) return std::max(best, covered_share(term.text, text.folded()));
  if (best >= quality::same_meaning || term.token.script == Script::digit) return best;
  return std::max(best, related_match(number, text));
}

// "node version" and "needs Node 20": a number behind another word of the query.
bool KeywordQuery::has_version(std::size_t number, const TextFeatures& text) const {
  static const Concept version = Vocabulary::builtin().find("version")->concepts[0];
  const std::vector<Token>& tokens = text.tokens();
  if (std::ranges::find(terms_[number].token.info.concepts, version) == terms_[number].token.info.concepts.end()) return false;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].script != Script::digit) continue;
    for (const Term& term : terms_)
      if (term.token.stem == tokens[i - 1].stem || have_common_concept(term.token.info.concepts, tokens[i - 1].info.kinds))
        return true;
  }
  return false;
}

double KeywordQuery::related_match(std::size_t number, const TextFeatures& text) const {
  const Term& term = terms_[number];
  const bool unknown = term.token.info.band == Band::unknown;
  const std::string_view before = number > 0 ? std::string_view(terms_[number - 1].text) : "";
  const std::string_view behind = number + 1 < terms_.size() ? std::string_view(terms_[number + 1].text) : "";
  double best = 0;
  std::string_view last;
  for (const Token& token : text.tokens()) {
    if (token.ideographic()) continue;
    const std::string_view word = text.text(token);
    if (is_both(word, before, term.text) || is_both(word, term.text, behind) || is_both(term.text, last, word))
      return quality::in_pieces;
    last = word;
    if (token.script == Script::digit || (token.filler() && !only_fillers_)) continue;
    double here = related_form(term.text, word);
    if (here == 0 && unknown) here = misspelling(term.text, word);
    // An everyday word inside another word is mostly unrelated: table, tablet.
    if (here == 0 && (unknown || term.text.size() > 5)) here = part_of_word(term.text, word);
    best = std::max(best, here);
  }
  return best == 0 && unknown ? covered_by_words(term.text, text) : best;
}

double KeywordQuery::score(const TextFeatures& text) const {
  if (terms_.empty()) return 0;
  const bool whole = has_phrase(text.folded(), phrase_);
  if (only_fillers_) return whole ? quality::whole_phrase : 0;  // every text contains some fillers
  double wanted = 0;
  double found = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    wanted += words_[i].weight;
    found += words_[i].weight * best_match(i, text);
  }
  const double share = quality::whole_phrase * found / wanted;
  return std::min(1.0, whole ? std::max(share, quality::whole_phrase) : share);
}

}  // namespace parlance::memory
