// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/clock.h"

#include <cstdint>

namespace parlance {

// Digit by digit: every event has its time, and printf took a fifteenth of the time of a turn.
std::string to_rfc3339(WallClock::time_point time) {
  using namespace std::chrono;
  const auto ms = floor<milliseconds>(time);
  const auto day = floor<days>(ms);
  const year_month_day date(day);
  const hh_mm_ss clock(ms - day);
  std::string text = "0000-00-00T00:00:00.000Z";
  const auto put = [&text](std::size_t end, std::int64_t value) {
    for (; value > 0; value /= 10) text[--end] = static_cast<char>('0' + value % 10);
  };
  put(4, static_cast<int>(date.year()));  // the wall clock holds those from 1677 to 2262
  put(7, static_cast<unsigned>(date.month()));
  put(10, static_cast<unsigned>(date.day()));
  put(13, clock.hours().count());
  put(16, clock.minutes().count());
  put(19, clock.seconds().count());
  put(23, clock.subseconds().count());
  return text;
}

std::optional<WallTime> from_rfc3339(std::string_view text) {
  using namespace std::chrono;
  std::size_t at = 0;
  bool good = true;
  const auto number = [&](std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at) {
      if (at >= text.size() || text[at] < '0' || text[at] > '9') {
        good = false;
        return 0;
      }
      value = value * 10 + (text[at] - '0');
    }
    return value;
  };
  const auto expect = [&](char c) {
    good = good && at < text.size() && text[at] == c;
    ++at;
  };
  const int y = number(4);
  expect('-');
  const int mo = number(2);
  expect('-');
  const int d = number(2);
  if (!good || at >= text.size() || (text[at] != 'T' && text[at] != 't' && text[at] != ' ')) return std::nullopt;
  ++at;
  const int h = number(2);
  expect(':');
  const int mi = number(2);
  expect(':');
  const int s = number(2);
  int ms = 0;
  if (good && at < text.size() && text[at] == '.') {
    int scale = 100;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, scale /= 10) ms += (text[at] - '0') * scale;
    good = text[at - 1] != '.';
  }
  if (!good || at >= text.size()) return std::nullopt;
  minutes offset{0};
  if (text[at] == 'Z' || text[at] == 'z') {
    ++at;
  } else if (text[at] == '+' || text[at] == '-') {
    const int sign = text[at] == '-' ? -1 : 1;
    ++at;
    const int oh = number(2);
    expect(':');
    const int om = number(2);
    good = good && oh <= 23 && om <= 59;
    offset = sign * (hours(oh) + minutes(om));
  } else {
    return std::nullopt;
  }
  const year_month_day date{year(y), month(static_cast<unsigned>(mo)), day(static_cast<unsigned>(d))};
  if (!good || at != text.size() || !date.ok() || h > 23 || mi > 59 || s > 60) return std::nullopt;
  const WallTime time = sys_days(date) + hours(h) + minutes(mi) + seconds(s) + milliseconds(ms) - offset;
  // The wall clock counts nanoseconds in 64 bits: a time out of range would wrap to another year.
  if (time < ceil<milliseconds>(WallClock::time_point::min()) || time > floor<milliseconds>(WallClock::time_point::max()))
    return std::nullopt;
  return time;
}

}  // namespace parlance
