// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/sender.h"

#include <algorithm>
#include <random>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/push/encryption.h"
#include "parlance/transport/http/retry.h"

namespace parlance::push {
namespace {

constexpr std::size_t same_length = 96;              // of each notification, so that the length reveals nothing
constexpr std::size_t most_answer_bytes = 16 << 10;  // a sentence for the log, if anything

std::function<double()> own_random() {
  return [engine = std::minstd_rand(std::random_device{}())]() mutable {
    return std::uniform_real_distribution<double>(0, 1)(engine);
  };
}

// The path of an endpoint is a secret that permits sending, so errors and logs omit the path.
Error without_address(Error error, const Endpoint& endpoint) {
  const std::string shown = endpoint.url.substr(0, endpoint.url.find('?'));
  if (const std::size_t at = error.message.find(shown); at != std::string::npos)
    error.message.replace(at, shown.size(), endpoint.origin);
  return error;
}

}  // namespace

Sender::Sender(Loop& loop, Subscriptions& subscriptions, Vapid vapid, SenderSettings settings)
    : loop_(loop), subscriptions_(subscriptions), vapid_(std::move(vapid)), settings_(std::move(settings)), http_(loop) {
  if (!settings_.random) settings_.random = own_random();
}

Task<Result<void>> Sender::send(std::string id, Message message, std::function<bool()> wanted) {
  const Subscription* const known = subscriptions_.find(id);
  if (known == nullptr) co_return fail(Errc::not_found, "no such browser: " + id);
  PARLANCE_CO_TRY(endpoint, subscriptions_.endpoint_of(*known));
  PARLANCE_CO_TRY(keys, keys_of(*known));
  PARLANCE_CO_TRY(body, encrypt(message.text, same_length, keys));
  for (int number = 1; wanted(); ++number) {
    PARLANCE_CO_TRY(outcome, co_await attempt(endpoint, body, message, number));
    if (outcome.taken) co_return co_await subscriptions_.notified(id, settings_.wall_clock());
    if (outcome.gone) {
      log(LogLevel::info, "a browser is removed: its push service does not know the subscription", {{"service", endpoint.host}});
      co_return co_await subscriptions_.remove(id);
    }
    if (!outcome.again) co_return std::unexpected(std::move(outcome.why));
    co_await sleep_for(loop_, *outcome.again);
  }
  co_return Result<void>{};
}

Task<Result<Sender::Attempt>> Sender::attempt(const Endpoint& endpoint, const Bytes& body, const Message& message, int number) {
  PARLANCE_CO_TRY(authorization, vapid_.authorization(endpoint.origin, settings_.wall_clock()));
  HttpRequest request{.method = "POST",
                      .url = endpoint.url,
                      .body = body,
                      .total_timeout = settings_.timeout,
                      .body_limit = most_answer_bytes,
                      .follow_redirects = false,
                      .public_addresses = !endpoint.named};
  request.headers = {{.name = "Authorization", .value = std::move(authorization)},
                     {.name = "Content-Encoding", .value = "aes128gcm"},
                     {.name = "Content-Type", .value = "application/octet-stream"},
                     {.name = "TTL", .value = std::to_string(message.lives.count())},
                     {.name = "Urgency", .value = message.urgency},
                     {.name = "Topic", .value = message.topic}};
  co_return judge(co_await http_.fetch(std::move(request)), endpoint, number);
}

Sender::Attempt Sender::judge(const Result<HttpResponse>& response, const Endpoint& endpoint, int number) {
  const auto later = [&](std::optional<Duration> asked) -> std::optional<Duration> {
    if (number >= settings_.attempts) return std::nullopt;
    if (asked) return *asked <= settings_.asked_most ? asked : std::nullopt;
    return back_off(number, settings_.retry_first, settings_.retry_most, settings_.random());
  };
  if (!response) {
    const bool worth_it = response.error().code == Errc::disconnected || response.error().code == Errc::deadline_exceeded;
    return {.again = worth_it ? later(std::nullopt) : std::nullopt, .why = without_address(response.error(), endpoint)};
  }
  const int status = response->status;
  if (status / 100 == 2) return {.taken = true};
  if (status == 404 || status == 410) return {.gone = true};
  Attempt refused{.why = {.code = status == 401 || status == 403 ? Errc::denied : Errc::failed,
                          .message = endpoint.host + " answers " + std::to_string(status)}};
  if (may_retry(status)) refused.again = later(retry_after(response->headers, WallClock::now()));
  return refused;
}

}  // namespace parlance::push
