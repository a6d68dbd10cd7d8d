// Searching: what the vectors and what the words propose is read once, and every text gets one score from both.
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/limits.h"
#include "memory/characters.h"
#include "memory/keyword.h"
#include "memory/ranking.h"
#include "store/memory_file.h"

namespace parlance::store {
namespace {

// The nearest that are read: importance and shared words may bring one of them before those that are a little nearer.
std::size_t nearest_wanted(std::size_t limit) { return std::max<std::size_t>(20, limit * 3); }

// What is so near that a person should see both ("the port is 5432", "the port is 5433").
constexpr double similar_score = 0.9;

// With a vector's support a text passes with so much of the minimum by its words.
constexpr double words_alone = 0.85;

// Whether enough of the query is in a text for it to be worth a look: what the index proposed for one rare word may have no other.
class QuickLook {
 public:
  QuickLook(std::string_view query, double min_score) : parts_(keyword_parts(query)) {
    for (KeywordPart& part : parts_) {
      needed_ += part.weight;
      for (std::string& phrase : part.phrases) phrase = memory::folded(phrase);
      part.begins = memory::folded(part.begins);
    }
    needed_ *= min_score;
  }
  // The share of the query's words; 0: not enough.
  double share(const std::string& padded) const {
    double found = 0;
    for (const KeywordPart& part : parts_)
      if (has(padded, part)) found += part.weight;
    return found >= needed_ * 0.999 ? found : 0;
  }

 private:
  static bool has(const std::string& text, const KeywordPart& part) {
    const auto stands = [&](const std::string& phrase) { return text.find(phrase) != std::string::npos; };
    if (std::ranges::any_of(part.others, stands)) return true;
    if (!part.begins.empty()) return text.find(part.begins) != std::string::npos;
    return std::ranges::any_of(part.phrases, stands);
  }
  std::vector<KeywordPart> parts_;
  double needed_ = 0;
};

}  // namespace

Result<std::vector<memory::Hit>> MemoryFile::search(const memory::Query& query, const Embedded& embedded) {
  PARLANCE_TRY(text, memory_query(query.text));
  PARLANCE_TRY_DO(open());
  memory::Query wanted = query;
  wanted.text = std::move(text);
  wanted.limit = std::min(query.limit == 0 ? std::size_t{5} : query.limit, limits::memory_hits);
  return search_now(wanted, vector_at(embedded, 0));
}

Result<void> MemoryFile::add_by_words(const memory::Query& query, std::map<std::int64_t, std::optional<double>>& rows) {
  const double enough_words = query.min_score * words_alone;
  PARLANCE_TRY(named, keywords_->candidates(query.text, enough_words, query.category));
  const QuickLook look(query.text, enough_words);
  std::vector<std::pair<double, std::int64_t>> order;
  for (const std::int64_t number : named) {
    if (rows.contains(number)) continue;
    PARLANCE_TRY(row, rows_->find(number));
    if (const double share = row != nullptr ? look.share(row->padded()) : 0; share > 0) order.emplace_back(share, number);
  }
  const std::size_t kept = std::min(order.size(), limits::memory_scored);
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept), std::greater{});
  for (std::size_t i = 0; i < kept; ++i) rows.try_emplace(order[i].second);
  return {};
}

// What was read before is good while nobody has written: other connections show in data_version, our own do not.
Result<void> MemoryFile::notice_changes() {
  PARLANCE_TRY(version, db_->query("PRAGMA data_version"));
  PARLANCE_TRY_DO(version.step());
  const std::int64_t now = version.integer(0);
  if (std::exchange(data_version_, now) == now && !std::exchange(wrote_, false)) return {};
  keywords_->forget_found();
  return rows_->sync();
}

Result<std::vector<memory::Hit>> MemoryFile::search_now(const memory::Query& query, const memory::Vector* vector) {
  const memory::KeywordQuery wanted(query.text);
  std::vector<memory::Hit> hits;
  PARLANCE_TRY_DO(db_->snapshot([&]() -> Result<void> {
    PARLANCE_TRY_DO(notice_changes());
    std::map<std::int64_t, std::optional<double>> wanted_rows;  // by number: the cosine, where it is known
    if (vector != nullptr) {
      PARLANCE_TRY_DO(vectors_->sync());
      for (const auto& found : vectors_->nearest(*vector, nearest_wanted(query.limit), query.category))
        wanted_rows[found.number] = static_cast<double>(found.cosine);
    }
    PARLANCE_TRY_DO(add_by_words(query, wanted_rows));

    for (auto& [number, cosine] : wanted_rows) {
      PARLANCE_TRY(row, rows_->find(number));
      if (row == nullptr) continue;
      if (!cosine && vector != nullptr) {
        PARLANCE_TRY(measured, vectors_->cosine(*vector, number));
        cosine = measured;
      }
      const memory::Match match = memory::match(wanted, row->features(), cosine, vectors_->embedder().calibration);
      if (match.score >= query.min_score && match.score > 0)
        hits.push_back({.entry = row->entry(), .score = match.score, .matched = std::string(match.by())});
    }
    return {};
  }));
  std::ranges::sort(hits, [](const memory::Hit& a, const memory::Hit& b) {
    const double left = memory::rank_of(a);
    const double right = memory::rank_of(b);
    return left != right ? left > right : a.entry.id > b.entry.id;
  });
  if (hits.size() > query.limit) hits.resize(query.limit);
  return hits;
}

Result<void> MemoryFile::add_similar(const std::string& text, const memory::Vector* vector, memory::Put& put) {
  if (vector == nullptr) return {};
  PARLANCE_TRY(wanted, memory_query(text));
  const memory::Query query{.text = std::move(wanted), .limit = limits::memory_similar_told + 1, .min_score = similar_score};
  PARLANCE_TRY(hits, search_now(query, vector));
  for (const memory::Hit& hit : hits)
    if (hit.entry.id != put.id && put.similar.size() < limits::memory_similar_told) put.similar.push_back(hit.entry.id);
  return {};
}

}  // namespace parlance::store
