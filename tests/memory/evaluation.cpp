// SPDX-License-Identifier: Apache-2.0
#include "tests/memory/evaluation.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>

#include "parlance/codec/json/typed.h"

namespace parlance::test {
namespace {

using wire::field;
using wire::fields;

struct PairLine {
  std::string query{};
  std::string text{};
  bool match = false;
  std::string kind{};
  std::string lang{};
  static constexpr auto wire =
      fields(field<&PairLine::query>("query", "What was searched for."), field<&PairLine::text>("text", "One memory."),
             field<&PairLine::match>("match", "Whether a person is content."), field<&PairLine::kind>("kind", "Of the pair."),
             field<&PairLine::lang>("lang", "en, zh or mixed."));
};

constexpr double default_minimum = 0.7;
constexpr std::array<std::string_view, 1> by_words = {"words"};
constexpr std::array<std::string_view, 1> by_meaning = {"paraphrase"};

std::string line(const char* format, auto... values) {
  char text[200];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

}  // namespace

Result<std::vector<LabelledPair>> read_pairs(const std::string& file) {
  std::ifstream in(file);
  if (!in) return fail(Errc::not_found, file + " is not there");
  std::vector<LabelledPair> pairs;
  for (std::string text; std::getline(in, text);) {
    if (text.empty()) continue;
    PARLANCE_TRY(one, json::from_text<PairLine>(text));
    pairs.push_back({.query = one.query, .text = one.text, .match = one.match, .kind = one.kind, .lang = one.lang});
  }
  return pairs;
}

Task<Result<std::vector<ScoredPair>>> score_pairs(memory::Embedder& embedder, std::vector<LabelledPair> pairs) {
  std::vector<std::string> texts;
  for (const LabelledPair& pair : pairs) {
    texts.push_back(pair.query);
    texts.push_back(pair.text);
  }
  PARLANCE_CO_TRY(info, co_await embedder.info());
  PARLANCE_CO_TRY(vectors, co_await embedder.embed(std::move(texts)));
  if (vectors.size() != pairs.size() * 2) co_return fail(Errc::failed, "not a vector for each text");
  std::vector<ScoredPair> scored;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double cosine = memory::cosine(vectors[2 * i], vectors[2 * i + 1]);
    const memory::Match match =
        memory::match(memory::KeywordQuery(pairs[i].query), memory::TextFeatures(pairs[i].text), cosine, info.calibration);
    scored.push_back({.pair = std::move(pairs[i]), .cosine = cosine, .match = match});
  }
  co_return scored;
}

double Figures::precision() const {
  return found + wrong == 0 ? 0 : static_cast<double>(found) / static_cast<double>(found + wrong);
}
double Figures::recall() const {
  return found + missed == 0 ? 0 : static_cast<double>(found) / static_cast<double>(found + missed);
}

Figures figures(std::span<const ScoredPair> pairs, std::span<const std::string_view> kinds, double min_score) {
  Figures sum;
  for (const ScoredPair& one : pairs) {
    const bool passes = one.match.score >= min_score;
    if (!one.pair.match) sum.wrong += passes ? 1 : 0;
    else if (std::ranges::find(kinds, one.pair.kind) != kinds.end()) ++(passes ? sum.found : sum.missed);
  }
  return sum;
}

std::string report(std::string_view title, std::span<const ScoredPair> pairs) {
  std::string out = line("%.*s: %zu pairs\n  minimum  precision  recall  wrong  recall of paraphrases\n",
                         static_cast<int>(title.size()), title.data(), pairs.size());
  for (int percent = 30; percent <= 95; percent += 5) {
    const double minimum = percent / 100.0;
    const Figures words = figures(pairs, by_words, minimum);
    out += line("  %.2f     %.3f      %.3f   %4zu   %.3f\n", minimum, words.precision(), words.recall(), words.wrong,
                figures(pairs, by_meaning, minimum).recall());
  }
  for (const std::string_view lang : {"en", "zh", "mixed"}) {
    std::vector<ScoredPair> some;
    std::ranges::copy_if(pairs, std::back_inserter(some), [&](const ScoredPair& one) { return one.pair.lang == lang; });
    const Figures words = figures(some, by_words, default_minimum);
    out += line("  %-5s at 0.70: precision %.3f, recall %.3f, paraphrases %.3f\n", lang.data(), words.precision(), words.recall(),
                figures(some, by_meaning, default_minimum).recall());
  }
  return out;
}

}  // namespace parlance::test
