#include "parlance/store/memory/memory_keywords.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>

#include "parlance/sqlite/double_quoted.h"
#include "parlance/store/memory/limits.h"

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
// All memories that have a common word, where they are so few: the ones that have several are then found without the index. Two
// megabytes.
constexpr int listed_at_most = 4096;
constexpr std::size_t kept_lists = 64;

template <class Text>
std::string fts_any(const std::vector<Text>& phrases) {
  std::string out;
  for (const std::string_view phrase : phrases) out += (out.empty() ? "(" : " OR ") + sqlite::double_quoted(phrase);
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

// What a memory has of the words that were looked for.
struct Named {
  std::int64_t number = 0;
  double weight = 0;  // of the query's own words; 0: it has none of them
  double rare = 0;    // of those whose texts are all known
  double other = 0;   // of words for the same
};

// Some hundreds of them, in the order in which they were named.
class NamedByNumber {
 public:
  Named& operator[](std::int64_t number) {
    if (2 * (all_.size() + 1) > places_.size()) grow();
    std::size_t at = home(number);
    for (; places_[at] != 0; at = (at + 1) & (places_.size() - 1))
      if (all_[places_[at] - 1].number == number) return all_[places_[at] - 1];
    all_.push_back({.number = number});
    places_[at] = static_cast<std::uint32_t>(all_.size());
    return all_.back();
  }
  const std::vector<Named>& all() const { return all_; }

 private:
  std::size_t home(std::int64_t number) const {
    return (static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ULL >> 32U) & (places_.size() - 1);
  }
  void grow() {
    places_.assign(std::max<std::size_t>(512, 2 * places_.size()), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      std::size_t at = home(all_[i].number);
      while (places_[at] != 0) at = (at + 1) & (places_.size() - 1);
      places_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<Named> all_;
  std::vector<std::uint32_t> places_;  // in all_, from 1 on; 0: free. A power of two
};

// The numbers of the `most` with the highest keys, of those that have one.
template <class Key>
void add_heaviest(const NamedByNumber& named, std::size_t most, Key key, std::vector<std::int64_t>& numbers) {
  std::vector<std::pair<double, std::int64_t>> order;
  for (const Named& one : named.all())
    if (const double weight = key(one); weight > 0) order.emplace_back(weight, one.number);
  const std::size_t kept = std::min(order.size(), most);
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept), std::greater{});
  for (std::size_t i = 0; i < kept; ++i) numbers.push_back(order[i].second);
}

}  // namespace

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
  return once(category.value_or("") + '\n' + expression,
              [&] { return look_up(expression, category, static_cast<int>(limits::memory_candidates) + 1); });
}

// The newest first. Empty: they are too many.
Result<std::span<const std::int64_t>> MemoryKeywords::all_having(const std::string& expression,
                                                                 const std::optional<std::string>& category) {
  std::string key = category.value_or("") + '\n' + expression;
  auto known = lists_.find(key);
  if (known == lists_.end()) {
    PARLANCE_TRY(numbers, look_up(expression, category, listed_at_most + 1));
    if (numbers.size() > listed_at_most) numbers = {};
    known = lists_.emplace(std::move(key), std::move(numbers)).first;
  }
  return std::span<const std::int64_t>(known->second);
}

// What the index says to all of them joined by AND. It walks through each list again for every new pair of words; kept lists are
// walked through in memory.
Result<std::vector<std::int64_t>> MemoryKeywords::having_all(std::span<const std::string> expressions,
                                                             const std::optional<std::string>& category) {
  if (lists_.size() + expressions.size() > kept_lists) lists_.clear();
  Numbers both;
  std::string joined;
  bool listed = true;
  for (const std::string& expression : expressions) {
    joined += (joined.empty() ? "" : " AND ") + expression;
    if (!listed) continue;
    PARLANCE_TRY(list, all_having(expression, category));
    listed = !list.empty();
    if (&expression == expressions.data()) {
      both.assign(list.begin(), list.end());
    } else {
      Numbers fewer;
      std::ranges::set_intersection(both, list, std::back_inserter(fewer), std::greater{});
      both = std::move(fewer);
    }
  }
  if (!listed) return matching(joined, category);
  both.resize(std::min(both.size(), limits::memory_candidates + 1));
  return both;
}

Result<std::vector<std::int64_t>> MemoryKeywords::having(const KeywordPart& part, const std::optional<std::string>& category) {
  if (part.begins.empty()) return matching(fts_any(part.phrases), category);
  return once(category.value_or("") + "\n^" + part.begins, [&] { return look_up_beginning(part.begins, category); });
}

Result<std::vector<std::int64_t>> MemoryKeywords::look_up(const std::string& expression,
                                                          const std::optional<std::string>& category, int limit) {
  // The newest first; with a category the filter comes before the limit.
  PARLANCE_TRY(rows, category
                         ? db_.query("SELECT memory_text.rowid FROM memory_text JOIN memories m ON m.number=memory_text.rowid "
                                     "WHERE memory_text MATCH ?1 AND m.category=?3 ORDER BY memory_text.rowid DESC LIMIT ?2")
                         : db_.query("SELECT rowid FROM memory_text WHERE memory_text MATCH ?1 ORDER BY rowid DESC LIMIT ?2"));
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

Result<std::vector<std::int64_t>> MemoryKeywords::candidates(std::span<const KeywordPart> parts, double min_score,
                                                             std::optional<memory::Category> category) {
  const std::optional<std::string> name = category ? std::optional(std::string(to_string(*category))) : std::nullopt;
  double open = 0;  // weight of the words that a hit may consist of without being found yet
  for (const KeywordPart& part : parts) open += part.weight;
  const double enough = std::max(min_score, 0.01) * open;

  NamedByNumber named;
  std::vector<std::string> common;
  const auto add = [&](const std::vector<std::int64_t>& numbers, double Named::* kind, double weight) {
    for (const std::int64_t number : numbers) named[number].*kind += weight;
  };
  for (const KeywordPart& part : parts) {
    if (open < enough) break;
    PARLANCE_TRY(numbers, having(part, name));
    add(numbers, &Named::weight, part.weight);
    if (numbers.size() <= limits::memory_candidates) {
      open -= part.weight;
      add(numbers, &Named::rare, part.weight);
    } else if (!part.phrases.empty() && common.size() < common_parts) {
      common.push_back(fts_any(part.phrases));
    }
  }
  if (open >= enough && common.size() > 1) {
    PARLANCE_TRY(numbers, having_all(common, name));
    add(numbers, &Named::weight, static_cast<double>(common.size()));
  }

  // Texts that say the same in other words: the vectors find them where texts are short, the index finds them in long ones. Not
  // looked for where the words themselves find enough; words that many texts have name nobody; what has none of the query's own
  // words comes after what has.
  const auto enough_have = std::ranges::count_if(named.all(), [&](const Named& one) { return one.weight >= enough; });
  for (const KeywordPart& part : parts) {
    if (part.others.empty() || enough_have >= enough_named) continue;
    PARLANCE_TRY(numbers, matching(fts_any(part.others), name));
    if (numbers.size() > limits::memory_candidates) continue;
    for (const std::int64_t number : numbers) {
      Named& one = named[number];
      (one.weight > 0 ? one.weight : one.other) += part.weight * other_words_share;
    }
  }

  std::vector<std::int64_t> numbers;
  // Who has a common word besides the newest is not known, so a rare word weighs more than all common ones.
  add_heaviest(named, limits::memory_candidates, [](const Named& one) { return one.weight + one.rare * decisive; }, numbers);
  add_heaviest(named, limits::memory_candidates - numbers.size(), [](const Named& one) { return one.other; }, numbers);
  return numbers;
}

}  // namespace parlance::store
