// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/calibrate.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "parlance/memory/ranking.h"

namespace parlance::memory {
namespace {

// A subject: a question, a sentence with the answer, and a related sentence without the answer.
struct Subject {
  std::string_view question, answer, near;
};
constexpr Subject subjects[] = {
    {"When does the museum open?", "The museum opens at ten in the morning.", "The museum was built by an Italian architect."},
    {"favourite season", "Autumn is the season she likes best.", "The season ended with a defeat at home."},
    {"how to water the orchid", "Give the orchid a cup of water once a week.", "The orchid came from a market in Utrecht."},
    {"printer paper size", "The printer takes A4 paper only.", "The printer hums in the corridor."},
    {"grandmother's recipe for plum cake", "Plum cake as grandma made it: butter, flour, sugar, plums, cinnamon.",
     "Grandmother moved to the seaside last spring."},
    {"Which train goes to the harbour?", "Line 4 runs to the harbour every twelve minutes.", "The harbour is frozen in January."},
    {"rule for naming variables", "Variables are written in snake case, constants in capitals.", "This variable is never read."},
    {"retry policy of the payment client", "Failed payments are tried again three times with growing pauses.",
     "The payment client is written in Kotlin."},
    {"who repairs the elevator", "Mr. Olsen from Liftworks fixes the elevator.", "The elevator holds eight people."},
    {"piano lessons", "She learns to play the piano on Thursdays.", "The piano is too heavy for the third floor."},
    {"why is the cache disabled", "We turned the cache off because it served stale prices.",
     "The cache has room for a thousand rows."},
    {"allowed file types for upload", "Only PNG and JPEG pictures can be uploaded.", "The upload took four hours."},
    {"screen brightness", "He sets the display to half brightness in the evening.", "The screen has a scratch in one corner."},
    {"emergency contact", "In an emergency call his brother Anton.", "The contact form has five fields."},
    {"memory limit of the worker", "A worker may use at most two gigabytes of memory.", "The worker restarts at midnight."},
    {"how do they get to the cabin", "To reach the cabin, take the ferry and then walk for an hour.",
     "The cabin has a red roof."},
    {"退货期限", "商品可以在十四天之内退货。", "退货的包裹放在仓库门口。"},
    {"游泳池几点关门", "游泳池晚上九点关闭。", "游泳池的水是恒温的。"},
    {"他最喜欢的水果", "他最爱吃的水果是芒果。", "水果店在街角。"},
    {"订单接口的限流", "订单接口每秒最多处理两百个请求。", "订单接口由小林负责维护。"},
    {"谁来接孩子放学", "放学的时候由外婆去接孩子。", "孩子放学以后要写作业。"},
    {"相机的电池型号", "相机用的是 LP-E6 电池。", "相机是去年在大阪买的。"},
};

double share_at(std::span<const double> cosines, double border) {
  if (cosines.empty()) return 0;
  const auto above = std::ranges::count_if(cosines, [&](double cosine) { return cosine >= border; });
  return static_cast<double>(above) / static_cast<double>(cosines.size());
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

// The value of a threshold: finding a further match matters less than excluding a related sentence, and much less than excluding
// an unrelated sentence.
double worth(double together, double near, double apart) { return together - 2 * near - 4 * apart; }

// The middle of the best borders: a step aside would not change much.
double best_border(std::span<const double> together, std::span<const double> near, std::span<const double> apart) {
  static constexpr double step = 0.005;
  std::vector<double> best;
  double most = -10;
  for (double border = -1; border <= 1; border += step) {
    const double value = worth(share_at(together, border), share_at(near, border), share_at(apart, border));
    if (value > most + 1e-9) best.clear();
    if (value >= most - 1e-9) best.push_back(border);
    most = std::max(most, value);
  }
  return best[best.size() / 2];
}

}  // namespace

const std::vector<std::string>& calibration_texts() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (const Subject& subject : subjects)
      for (const std::string_view text : {subject.question, subject.answer, subject.near}) all.emplace_back(text);
    return all;
  }();
  return texts;
}

Calibrated calibration_from(std::span<const double> together, std::span<const double> near, std::span<const double> apart) {
  static const Calibration mute{.knots = {{0.995, 0}, {1, 1}}};
  const auto broken = [](double cosine) { return !std::isfinite(cosine); };
  if (together.empty() || near.empty() || apart.empty() || std::ranges::any_of(together, broken) ||
      std::ranges::any_of(near, broken) || std::ranges::any_of(apart, broken))
    return {.calibration = mute};
  const std::vector<double> matches(together.begin(), together.end());
  const double far = quantile({apart.begin(), apart.end()}, 0.5);
  const double border = best_border(together, near, apart);
  Calibrated found;
  found.recall = share_at(together, border);
  const double right = found.recall * static_cast<double>(together.size());
  const double wrong =
      share_at(near, border) * static_cast<double>(near.size()) + share_at(apart, border) * static_cast<double>(apart.size());
  found.precision = right + wrong > 0 ? right / (right + wrong) : 0;
  // The smallest gap for a curve; smaller gaps are noise.
  static constexpr double least_gap = 0.01;
  if (quantile(matches, 0.5) < far + 2 * least_gap || border < far + least_gap || border > 1 - least_gap)
    return {.calibration = mute};
  const double strong = std::clamp(quantile(matches, 0.9), border + (1 - border) * 0.3, border + (1 - border) * 0.8);
  found.calibration.knots = {{far, 0}, {far + (border - far) * 0.6, 0.4}, {border, 0.7}, {strong, 0.9}, {1, 1}};
  return found;
}

Result<Calibrated> calibration_of(std::span<const Vector> vectors) {
  static constexpr std::size_t each = 3;
  if (vectors.size() != calibration_texts().size())
    return fail(Errc::invalid_params, "calibration: " + std::to_string(calibration_texts().size()) + " texts, but " +
                                          std::to_string(vectors.size()) + " vectors");
  std::vector<double> together;
  std::vector<double> near;
  std::vector<double> apart;
  for (std::size_t question = 0; question < vectors.size(); question += each) {
    together.push_back(cosine(vectors[question], vectors[question + 1]));
    near.push_back(cosine(vectors[question], vectors[question + 2]));
    near.push_back(cosine(vectors[question + 1], vectors[question + 2]));
    for (std::size_t other = 1; other < vectors.size(); other += each)
      if (other != question + 1) apart.push_back(cosine(vectors[question], vectors[other]));
  }
  return calibration_from(together, near, apart);
}

Task<Result<Calibration>> calibrate(Embedder& embedder) {
  PARLANCE_CO_TRY(vectors, co_await embedder.embed(calibration_texts()));
  PARLANCE_CO_TRY(found, calibration_of(vectors));
  co_return found.calibration;
}

}  // namespace parlance::memory
