// SPDX-License-Identifier: Apache-2.0
// All sums are of integers. The only floating-point operations are a conversion, a square root and one division for each
// component, which IEEE 754 rounds in a single way. Thus the result is independent of library and compiler (CMakeLists.txt
// forbids contraction and fast math here).
#include "parlance/memory/builtin_embedder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "parlance/memory/text/text_features.h"

namespace parlance::memory {
namespace {

// Weights are in 1/256 of an everyday word.
namespace weight {
constexpr std::int32_t filler = 12;
constexpr std::int32_t faint = 80;
constexpr std::int32_t known = 256;
constexpr std::int32_t unknown = 280;  // names and rare words distinguish texts best
constexpr std::int32_t short_word = 200;
constexpr std::int32_t number = 140;
constexpr std::int32_t one_ideograph = 180;
constexpr std::int32_t kana = 60;
// Parts of these weights, in 1/16.
constexpr std::int32_t own_form = 16;
constexpr std::int32_t form_beside_meaning = 8;  // the word itself next to its meaning
constexpr std::int32_t meaning = 18;
constexpr std::int32_t kind = 9;
constexpr std::int32_t letters = 8;      // all n-grams of a word together
constexpr std::int32_t ideographs = 10;  // all pairs of a word together
constexpr std::int32_t one_of_ideographs = 5;
}  // namespace weight

// Separate families: a word differs from the n-gram with the same text.
enum class Family : std::uint64_t { word = 1, meaning, kind, letters, ideographs, ideograph };

struct Feature {
  std::uint64_t hash = 0;
  std::int32_t weight = 0;
};

// 256 / sqrt(n): n parts together weigh as much as a whole.
constexpr std::array<std::int32_t, 33> share_of = {256, 256, 181, 148, 128, 114, 105, 97, 91, 85, 81, 77, 74, 71, 68, 66, 64,
                                                   62,  60,  59,  57,  56,  55,  53,  52, 51, 50, 49, 48, 48, 47, 46, 45};
// 16 * sqrt(n): the tenth time says less than the first.
constexpr std::array<std::int32_t, 17> times = {0, 16, 23, 28, 32, 36, 39, 42, 45, 48, 51, 53, 55, 58, 60, 62, 64};

// The finalizer of MurmurHash3: every bit of the result depends on every bit of the argument.
constexpr std::uint64_t mix(std::uint64_t h) {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdULL;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ h >> 33;
}

std::int32_t weight_of(const Token& token) {
  if (token.filler()) return weight::filler;
  if (token.info.band == Band::faint) return weight::faint;
  if (token.script == Script::digit) return weight::number;
  const bool known = token.info.band == Band::known;
  if (token.ideographic()) {
    if (token.script == Script::hiragana && !known) return weight::kana;
    if (token.characters == 1) return weight::one_ideograph;
    return known ? weight::known : weight::known + 44 * static_cast<std::int32_t>(std::min(token.characters - 2, 4U));
  }
  return known ? weight::known : token.characters < 3 ? weight::short_word : weight::unknown;
}

class Features {
 public:
  explicit Features(const TextFeatures& text) {
    all_.reserve(text.tokens().size() * 16);
    for (const Token& token : text.tokens()) add_token(text, token);
    std::ranges::sort(all_, {}, &Feature::hash);
  }

  // Each feature once, with the weight of its repetitions.
  template <class Each>
  void each(const Each& each) const {
    for (std::size_t i = 0; i < all_.size();) {
      std::int32_t most = 0;
      std::size_t count = 0;
      const std::uint64_t hash = all_[i].hash;
      for (; i < all_.size() && all_[i].hash == hash; ++i, ++count) most = std::max(most, all_[i].weight);
      each(hash, most * times[std::min(count, times.size() - 1)] / 16);
    }
  }

 private:
  void add(Family family, std::uint64_t hash, std::int32_t weight) {
    if (weight > 0)
      all_.push_back({.hash = mix(hash + static_cast<std::uint64_t>(family) * 0x9e3779b97f4a7c15ULL), .weight = weight});
  }

  void add_token(const TextFeatures& text, const Token& token) {
    const std::int32_t weight = weight_of(token);
    const auto meanings = std::ranges::count_if(token.info.concepts, [](Concept meaning) { return meaning != 0; });
    const bool has_meaning = meanings != 0;
    add(Family::word, token.stem, weight * (has_meaning ? weight::form_beside_meaning : weight::own_form) / 16);
    const std::int32_t shared = weight * weight::meaning / 16 * share_of[static_cast<std::size_t>(meanings)] / 256;
    for (const Concept meaning : token.info.concepts)
      if (meaning != 0) {
        add(Family::meaning, meaning, shared);
        // Places members of this kind near the word for the kind.
        add(Family::kind, meaning, shared * weight::kind / 16);
      }
    for (const Concept kind : token.info.kinds)
      if (kind != 0) add(Family::kind, kind, weight * weight::kind / 16);
    if (token.filler()) return;
    if (token.ideographic()) add_ideographs(text.text(token), weight);
    else add_letters(text.text(token), weight);
  }

  // Three and four bytes in a row of "<word>".
  void add_letters(std::string_view word, std::int32_t weight) {
    static constexpr std::size_t most_bytes = 18;  // of a word; the rest of a longer word adds nothing
    char marked[most_bytes + 2];
    const std::size_t size = std::min(word.size(), most_bytes);
    marked[0] = '<';
    std::copy_n(word.data(), size, marked + 1);
    marked[size + 1] = '>';
    const std::string_view whole(marked, size + 2);
    if (whole.size() < 4) return;
    const std::size_t count = whole.size() - 2 + whole.size() - 3;
    const std::int32_t each = weight * weight::letters / 16 * share_of[std::min(count, share_of.size() - 1)] / 256;
    for (const std::size_t length : {std::size_t{3}, std::size_t{4}})
      for (std::size_t at = 0; at + length <= whole.size(); ++at)
        add(Family::letters, hash_bytes(whole.substr(at, length)), each);
  }

  void add_ideographs(std::string_view word, std::int32_t weight) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < word.size(); next_character(word, at)) ++count;
    const std::int32_t part = share_of[std::min(count, share_of.size() - 1)];
    std::size_t before = 0;
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t begin = at;
      next_character(word, at);
      add(Family::ideograph, hash_bytes(word.substr(begin, at - begin)), weight * weight::one_of_ideographs / 16 * part / 256);
      if (begin != 0)
        add(Family::ideographs, hash_bytes(word.substr(before, at - before)), weight * weight::ideographs / 16 * part / 256);
      before = begin;
    }
  }

  std::vector<Feature> all_;
};

using Sums = std::array<std::int64_t, builtin_dimension>;

// Two places for every feature, each with a sign: two features with a common place mostly differ at the other.
void scatter(Sums& sums, std::uint64_t hash, std::int32_t weight) {
  for (int place = 0; place < 2; ++place) {
    const std::size_t at = (hash & 0xffffffffULL) * builtin_dimension >> 32;
    sums[at] += (hash >> 63) != 0 ? weight : -weight;
    hash = mix(hash + 0x9e3779b97f4a7c15ULL);
  }
}

}  // namespace

Vector embed_text(std::string_view text) {
  Sums sums{};
  Features(TextFeatures(text)).each([&](std::uint64_t hash, std::int32_t weight) { scatter(sums, hash, weight); });
  // 384 squares of 25 bits fit into 64 bits; only texts of many megabytes get so far.
  std::int64_t largest = 0;
  for (const std::int64_t sum : sums) largest = std::max(largest, sum < 0 ? -sum : sum);
  while (largest >= std::int64_t{1} << 25) {
    largest /= 2;
    for (std::int64_t& sum : sums) sum /= 2;
  }
  std::int64_t squares = 0;
  for (const std::int64_t sum : sums) squares += sum * sum;
  Vector vector(builtin_dimension);
  if (squares == 0) return vector;
  const double length = std::sqrt(static_cast<double>(squares));  // IEEE 754: the nearest double, everywhere
  for (std::size_t i = 0; i < sums.size(); ++i) vector[i] = static_cast<float>(static_cast<double>(sums[i]) / length);
  return vector;
}

const Calibration& builtin_calibration() {
  static const Calibration calibration{.knots = {{0.10, 0}, {0.50, 0.5}, {0.62, 0.7}, {0.80, 0.9}, {1, 1}}};
  return calibration;
}

Task<Result<EmbedderInfo>> BuiltinEmbedder::info() {
  co_return EmbedderInfo{
      .id = std::string(builtin_embedder_id), .dimension = builtin_dimension, .calibration = builtin_calibration()};
}

Task<Result<std::vector<Vector>>> BuiltinEmbedder::embed(std::vector<std::string> texts) {
  std::vector<Vector> vectors;
  vectors.reserve(texts.size());
  for (const std::string& text : texts) vectors.push_back(embed_text(text));
  co_return vectors;
}

}  // namespace parlance::memory
