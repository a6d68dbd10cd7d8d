// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/keyword_parts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/memory/text/text_features.h"
#include "parlance/store/memory/limits.h"

namespace parlance::store {
namespace {

std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> all;
  for (const char c : text) {
    if (all.empty() || (static_cast<unsigned char>(c) & 0xc0U) != 0x80U) all.emplace_back();
    all.back() += c;
  }
  return all;
}

// The common prefix of related forms: prefer, prefers, preference. Three to five characters; longer prefixes cost a list each.
std::string stem_of(const std::vector<std::string>& characters) {
  const std::size_t share = (characters.size() * 6 + 9) / 10;
  const std::size_t size = std::min(std::clamp<std::size_t>(share, 3, 5), characters.size());
  std::string stem;
  for (std::size_t i = 0; i < size; ++i) stem += characters[i];
  return stem;
}

// The phrases in the index: text with its accents, and the folded form for texts without accents.
void add_forms(KeywordPart& part, const std::string& written) {
  part.phrases.push_back(written);
  if (std::string plain = memory::folded(written); plain != written) part.phrases.push_back(std::move(plain));
}

void add_ideographs(const std::vector<std::string>& characters, std::vector<KeywordPart>& parts) {
  if (characters.size() == 1) {
    parts.push_back({.begins = characters.front(), .weight = 0.7});
    return;
  }
  const double weight = std::max(1.0, static_cast<double>(characters.size()) / 2) / static_cast<double>(characters.size() - 1);
  for (std::size_t i = 0; i + 1 < characters.size(); ++i)
    parts.push_back({.begins = characters[i] + characters[i + 1], .weight = weight});
}

// A word of one or two letters, with each possible neighbour.
KeywordPart short_word(const std::string& word, double weight) {
  KeywordPart part{.weight = weight};
  for (const char behind : {' ', '.', ',', ':', '?', '!', ')'}) part.phrases.push_back(' ' + word + behind);
  part.phrases.push_back('(' + word + ' ');
  return part;
}

double weight_of(const memory::Token& token) {
  if (token.info.band == memory::Band::faint) return 0.2;
  if (token.script == memory::Script::digit) return 0.4;
  return token.characters < 3 ? 0.8 : 1;
}

bool has(const std::string& text, const KeywordPart& part) {
  const auto stands = [&](std::string_view phrase) { return text.find(phrase) != std::string::npos; };
  if (!part.begins.empty() && stands(part.begins)) return true;
  return std::ranges::any_of(part.phrases, stands) || std::ranges::any_of(part.others, stands);
}

}  // namespace

std::vector<KeywordPart> keyword_parts(std::string_view query) {
  const memory::TextFeatures features(query);
  const bool only_fillers = std::ranges::all_of(features.tokens(), [](const memory::Token& token) { return token.filler(); });
  std::vector<const memory::Token*> tokens;
  for (const memory::Token& token : features.tokens())
    if (!token.filler() || only_fillers) tokens.push_back(&token);
  std::ranges::sort(tokens, [](const memory::Token* a, const memory::Token* b) {
    return a->characters != b->characters ? a->characters > b->characters : a->begin < b->begin;
  });
  std::vector<KeywordPart> parts;
  std::set<std::string> seen;
  for (const memory::Token* token : tokens) {
    if (parts.size() >= limits::memory_query_parts) break;
    const std::string written = to_lower(query.substr(token->written_begin, token->written_end - token->written_begin));
    if (!seen.insert(written).second) continue;
    const auto characters = characters_of(written);
    const std::size_t first = parts.size();
    if (token->ideographic()) add_ideographs(characters, parts);
    else if (characters.size() < 3) parts.push_back(short_word(written, weight_of(*token)));
    else add_forms(parts.emplace_back(KeywordPart{.weight = weight_of(*token)}), stem_of(characters));
    // For the first part of a word: its synonyms. A synonym with the same beginning is redundant.
    const std::string own = memory::folded(written);
    for (const std::string_view word : memory::Vocabulary::builtin().other_words(token->info, limits::memory_other_words))
      if (!own.starts_with(word)) parts[first].others.push_back(word);
  }
  if (parts.size() > limits::memory_query_parts) parts.resize(limits::memory_query_parts);
  return parts;
}

QuickLook::QuickLook(std::span<const KeywordPart> parts, double min_score) : parts_(parts.begin(), parts.end()) {
  for (KeywordPart& part : parts_) {
    all_ += part.weight;
    for (std::string& phrase : part.phrases) phrase = memory::folded(phrase);
    // Folding makes variants with and without accents equal.
    const auto twice = std::ranges::unique(part.phrases);
    part.phrases.erase(twice.begin(), twice.end());
    part.begins = memory::folded(part.begins);
  }
  needed_ = all_ * min_score;
}

double QuickLook::share(const std::string& padded) const {
  const double enough = needed_ * 0.999;
  double found = 0;
  double open = all_;
  for (const KeywordPart& part : parts_) {
    open -= part.weight;
    if (has(padded, part)) found += part.weight;
    else if (found + open < enough * 0.999) return 0;  // the remaining parts cannot reach the minimum
  }
  return found >= enough ? found : 0;
}

}  // namespace parlance::store
