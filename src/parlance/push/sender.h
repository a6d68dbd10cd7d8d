// SPDX-License-Identifier: Apache-2.0
// Sends messages to push services (RFC 8030): encrypted, signed, once each. Loop thread only; `subscriptions` outlives this
// object.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/push/subscriptions.h"
#include "parlance/push/vapid.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::push {

struct Message {
  std::string text{};
  std::string topic{};           // replaces a waiting message with the same topic; 32 characters
  std::string urgency = "high";  // very-low, low, normal, high
  std::chrono::seconds lives{};  // undelivered messages expire after this time
};

struct SenderSettings {
  int attempts = 5;
  std::chrono::milliseconds retry_first{2'000};
  std::chrono::milliseconds retry_most{60'000};
  std::chrono::milliseconds asked_most{300'000};  // a service that asks for a longer wait is given up
  std::chrono::milliseconds timeout{20'000};
  std::function<WallTime()> wall_clock = wall_now;
  std::function<double()> random{};  // in [0, 1), for back_off; empty: its own
};

class Sender {
 public:
  Sender(Loop& loop, Subscriptions& subscriptions, Vapid vapid, SenderSettings settings = {});

  std::string public_key() const { return vapid_.public_key(); }

  // Returns after the service has accepted the message. A service that no longer knows the subscription (404, 410) has the
  // subscription removed, without an error. Retries temporary failures at the service's requested times, while `wanted` returns
  // true. Errors: not_found (no such subscription), denied, and the service's errors.
  Task<Result<void>> send(std::string subscription, Message message, std::function<bool()> wanted);

 private:
  struct Attempt {
    bool taken = false;
    bool gone = false;
    std::optional<Duration> again{};  // the delay before a retry; none: no retry
    Error why{};
  };
  Task<Result<Attempt>> attempt(const Endpoint& endpoint, const Bytes& body, const Message& message, int number);
  Attempt judge(const Result<HttpResponse>& response, const Endpoint& endpoint, int number);

  Loop& loop_;
  Subscriptions& subscriptions_;
  Vapid vapid_;
  SenderSettings settings_;
  HttpClient http_;
};

}  // namespace parlance::push
