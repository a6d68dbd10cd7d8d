// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/retry.h"

#include <algorithm>
#include <array>

#include "parlance/base/text.h"

namespace parlance {

bool may_retry(int status) { return status == 408 || status == 409 || status == 429 || (status >= 500 && status <= 599); }

std::optional<WallClock::time_point> parse_http_date(std::string_view text) {
  // "Sun, 06 Nov 1994 08:49:37 GMT": fixed columns.
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  text = trim(text);
  if (text.size() != 29 || text[3] != ',' || text[19] != ':' || text[22] != ':' || !text.ends_with(" GMT")) return std::nullopt;
  const auto month = std::ranges::find(months, text.substr(8, 3));
  const auto day = parse_number<unsigned>(text.substr(5, 2));
  const auto year = parse_number<int>(text.substr(12, 4));
  const auto hour = parse_number<int>(text.substr(17, 2));
  const auto minute = parse_number<int>(text.substr(20, 2));
  const auto second = parse_number<int>(text.substr(23, 2));
  if (month == months.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{
      std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(month - months.begin()) + 1), std::chrono::day(*day)};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second);
}

std::optional<Duration> retry_after(const std::vector<HttpHeader>& headers, WallClock::time_point now) {
  constexpr double longest_seconds = 365.0 * 86'400;  // keeps the sum inside the clock's range
  const auto seconds = [longest_seconds](double count) {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::clamp(count, 0.0, longest_seconds)));
  };
  if (const std::string* ms = find_header(headers, "retry-after-ms"))
    if (const auto count = parse_number<double>(trim(*ms)); count && *count == *count) return seconds(*count / 1000);
  const std::string* header = find_header(headers, "retry-after");
  if (header == nullptr) return std::nullopt;
  if (const auto count = parse_number<double>(trim(*header)); count && *count == *count) return seconds(*count);
  const auto date = parse_http_date(*header);
  if (!date) return std::nullopt;
  return seconds(std::chrono::duration<double>(*date - now).count());
}

Duration back_off(int failed_attempts, std::chrono::milliseconds first, std::chrono::milliseconds most, double random) {
  auto wait = first;
  for (int i = 1; i < failed_attempts && wait < most; ++i) wait *= 2;
  wait = std::min(wait, most);
  return std::chrono::duration_cast<Duration>(wait * (0.5 + 0.5 * random));
}

}  // namespace parlance
