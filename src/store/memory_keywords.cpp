#include "store/memory_keywords.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "memory/text_features.h"
#include "sqlite/double_quoted.h"

namespace parlance::store {
namespace {

// What a text with another word for the same counts, beside one with the word itself.
constexpr double other_words_share = 0.8;
constexpr std::ptrdiff_t enough_named = 5;  // what a search returns unless it is asked for more

// Words that many texts have, looked for together: each costs a walk through a long list.
constexpr std::size_t common_parts = 4;
constexpr double decisive = 1000;

// Of the index, at most 65 numbers each: half a megabyte.
constexpr std::size_t kept_answers = 1000;

std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> all;
  for (const char c : text) {
    if (all.empty() || (static_cast<unsigned char>(c) & 0xc0U) != 0x80U) all.emplace_back();
    all.back() += c;
  }
  return all;
}

// The beginning that related forms share: prefer, prefers, preference. Three to five characters; more would cost a list each.
std::string stem_of(const std::vector<std::string>& characters) {
  const std::size_t share = (characters.size() * 6 + 9) / 10;
  const std::size_t size = std::min(std::clamp<std::size_t>(share, 3, 5), characters.size());
  std::string stem;
  for (std::size_t i = 0; i < size; ++i) stem += characters[i];
  return stem;
}

// What stands in the index: letters with their accents. And what it counts as: a text may be written without them.
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

// A word of one or two letters, with what may stand around it.
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

std::string fts_any(const std::vector<std::string>& phrases) {
  std::string out;
  for (const std::string& phrase : phrases) out += (out.empty() ? "(" : " OR ") + sqlite::double_quoted(phrase);
  return out + ')';
}

Result<std::vector<std::int64_t>> numbers_of(sqlite::Query& rows) {
  std::vector<std::int64_t> numbers;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return numbers;
    numbers.push_back(rows.integer(0));
  }
}

std::vector<std::int64_t> heaviest(const std::unordered_map<std::int64_t, double>& weights, std::size_t most) {
  std::vector<std::pair<double, std::int64_t>> order;
  for (const auto& [number, weight] : weights) order.emplace_back(weight, number);
  const std::size_t kept = std::min(order.size(), most);
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept), std::greater{});
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < kept; ++i) numbers.push_back(order[i].second);
  return numbers;
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
    // For one part of the word: it has the word's other names as a whole. Its own beginning is none of them.
    const std::string own = memory::folded(written);
    for (const std::string_view other : memory::Vocabulary::builtin().other_words(token->info, limits::memory_other_words))
      if (!own.starts_with(other)) parts[first].others.emplace_back(other);
  }
  if (parts.size() > limits::memory_query_parts) parts.resize(limits::memory_query_parts);
  return parts;
}

Result<void> MemoryKeywords::prepare(sqlite::Database& db) {
  return db.execute("CREATE VIRTUAL TABLE temp.memory_terms USING fts5vocab(main, memory_text, instance)");
}

// Of all that the index is asked the most is asked again, while nothing is written: words of what a conversation is about.
template <class F>
Result<MemoryKeywords::Numbers> MemoryKeywords::once(std::string key, F look) {
  if (const auto known = found_.find(key); known != found_.end()) return known->second;
  PARLANCE_TRY(numbers, look());
  if (found_.size() >= kept_answers) found_.clear();
  found_.emplace(std::move(key), numbers);
  return numbers;
}

Result<std::vector<std::int64_t>> MemoryKeywords::matching(const std::string& expression,
                                                           const std::optional<std::string>& category) {
  return once(category.value_or("") + '\n' + expression, [&] { return look_up(expression, category); });
}

Result<std::vector<std::int64_t>> MemoryKeywords::having(const KeywordPart& part, const std::optional<std::string>& category) {
  if (part.begins.empty()) return matching(fts_any(part.phrases), category);
  return once(category.value_or("") + "\n^" + part.begins, [&] { return look_up_beginning(part.begins, category); });
}

Result<std::vector<std::int64_t>> MemoryKeywords::look_up(const std::string& expression,
                                                          const std::optional<std::string>& category) {
  // The newest first; with a category the filter comes before the limit.
  PARLANCE_TRY(rows, category
                         ? db_.query("SELECT memory_text.rowid FROM memory_text JOIN memories m ON m.number=memory_text.rowid "
                                     "WHERE memory_text MATCH ?1 AND m.category=?3 ORDER BY memory_text.rowid DESC LIMIT ?2")
                         : db_.query("SELECT rowid FROM memory_text WHERE memory_text MATCH ?1 ORDER BY rowid DESC LIMIT ?2"));
  const int limit = static_cast<int>(limits::memory_candidates) + 1;
  if (category) rows.bind(expression, limit, *category);
  else rows.bind(expression, limit);
  return numbers_of(rows);
}

Result<std::vector<std::int64_t>> MemoryKeywords::look_up_beginning(const std::string& begins,
                                                                    const std::optional<std::string>& category) {
  // The terms of the index in their order: all trigrams that begin so lie together.
  PARLANCE_TRY(rows, category ? db_.query("SELECT DISTINCT t.doc FROM temp.memory_terms t JOIN memories m ON m.number=t.doc "
                                          "WHERE t.term>=?1 AND t.term<?2 AND m.category=?4 LIMIT ?3")
                              : db_.query("SELECT DISTINCT doc FROM temp.memory_terms WHERE term>=?1 AND term<?2 LIMIT ?3"));
  const int limit = static_cast<int>(limits::memory_candidates) + 1;
  const std::string behind = begins + "\xf4\x8f\xbf\xbf";
  if (category) rows.bind(begins, behind, limit, *category);
  else rows.bind(begins, behind, limit);
  return numbers_of(rows);
}

Result<std::vector<std::int64_t>> MemoryKeywords::candidates(std::string_view query, double min_score,
                                                             std::optional<memory::Category> category) {
  const std::optional<std::string> name = category ? std::optional(std::string(to_string(*category))) : std::nullopt;
  const std::vector<KeywordPart> parts = keyword_parts(query);
  double open = 0;  // weight of the words that a hit may consist of without being found yet
  for (const KeywordPart& part : parts) open += part.weight;
  const double enough = std::max(min_score, 0.01) * open;

  std::unordered_map<std::int64_t, double> found;
  std::unordered_map<std::int64_t, double> rare;  // weight of the words whose texts are all known
  std::string common;
  std::size_t commons = 0;
  const auto add = [&](const std::vector<std::int64_t>& numbers, double weight) {
    for (const std::int64_t number : numbers) found[number] += weight;
  };
  for (const KeywordPart& part : parts) {
    if (open < enough) break;
    PARLANCE_TRY(numbers, having(part, name));
    add(numbers, part.weight);
    if (numbers.size() <= limits::memory_candidates) {
      open -= part.weight;
      for (const std::int64_t number : numbers) rare[number] += part.weight;
    } else if (!part.phrases.empty() && commons < common_parts) {
      common += (common.empty() ? "" : " AND ") + fts_any(part.phrases);
      ++commons;
    }
  }
  if (open >= enough && commons > 1) {
    PARLANCE_TRY(numbers, matching(common, name));
    add(numbers, static_cast<double>(commons));
  }

  // Texts that say the same in other words: the vectors find them where texts are short, the index finds them in long ones. Not
  // looked for where the words themselves find enough; words that many texts have name nobody; what has none of the query's own
  // words comes after what has.
  const auto named = std::ranges::count_if(found, [&](const auto& one) { return one.second >= enough; });
  std::unordered_map<std::int64_t, double> others;
  for (const KeywordPart& part : parts) {
    if (part.others.empty() || named >= enough_named) continue;
    PARLANCE_TRY(numbers, matching(fts_any(part.others), name));
    if (numbers.size() > limits::memory_candidates) continue;
    for (const std::int64_t number : numbers) {
      const auto own = found.find(number);
      (own != found.end() ? own->second : others[number]) += part.weight * other_words_share;
    }
  }

  // Who has a common word besides the newest is not known, so a rare word weighs more than all common ones.
  for (const auto& [number, weight] : rare) found[number] += weight * decisive;
  std::vector<std::int64_t> numbers = heaviest(found, limits::memory_candidates);
  std::ranges::copy(heaviest(others, limits::memory_candidates - numbers.size()), std::back_inserter(numbers));
  return numbers;
}

}  // namespace parlance::store
