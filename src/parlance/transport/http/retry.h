// SPDX-License-Identifier: Apache-2.0
// When a request goes out again, and how long it waits before. Values; any thread.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/transport/http/http_message.h"

namespace parlance {

// 408 and 409 are "try again" for the vendors' APIs (time-out, lock), 429 and 529 are "too much", 5xx are their own trouble.
bool may_retry(int status);

// The delay requested by the server: `retry-after-ms`, or `Retry-After` in seconds or as a date. Never negative.
std::optional<Duration> retry_after(const std::vector<HttpHeader>& headers, WallClock::time_point now);
// RFC 9110: "Sun, 06 Nov 1994 08:49:37 GMT". Its two obsolete forms are not read.
std::optional<WallClock::time_point> parse_http_date(std::string_view text);

// Doubles from `first` to `most` with each failed attempt (1, 2, …); between a half and the whole of it, as `random` in [0, 1) says.
Duration back_off(int failed_attempts, std::chrono::milliseconds first, std::chrono::milliseconds most, double random);

}  // namespace parlance
