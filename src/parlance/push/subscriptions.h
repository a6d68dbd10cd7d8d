// SPDX-License-Identifier: Apache-2.0
// The browsers with notifications, stored in `push_subscriptions.json` of the state folder with mode 0600: the addresses,
// together with our key, permit sending. Loop thread only; a separate thread writes the file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/task.h"
#include "parlance/async/worker.h"
#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/push/encryption.h"
#include "parlance/push/push_services.h"
#include "parlance/wire/describe.h"

namespace parlance::push {

inline constexpr std::ptrdiff_t most_subscriptions = 20;  // browsers of one person

struct Subscription {
  std::string id{};  // the same for the same endpoint
  std::string endpoint{};
  std::string p256dh{};  // base64url, from the browser
  std::string auth{};
  std::string name{};        // for people
  std::string created_at{};  // RFC 3339
  std::optional<std::string> notified_at{};
  std::optional<std::string> user{};  // owner of the browser; absent: the person of this machine
  static constexpr auto wire =
      wire::fields(wire::field<&Subscription::id>("id", "Id of the subscription."),
                   wire::field<&Subscription::endpoint>("endpoint", "Address of the push service for this browser. Secret."),
                   wire::field<&Subscription::p256dh>("p256dh", "Public key of the browser, base64url."),
                   wire::field<&Subscription::auth>("auth", "Authentication secret of the browser, base64url."),
                   wire::field<&Subscription::name>("name", "Name of the browser for people."),
                   wire::field<&Subscription::created_at>("created_at", "Time of the subscription, RFC 3339 in UTC."),
                   wire::field<&Subscription::notified_at>(
                       "told_at", "Time of the last accepted message, RFC 3339 in UTC. Absent: no message yet."),
                   wire::field<&Subscription::user>("user", "Id of the user. Absent: the person of the machine."));
  friend bool operator==(const Subscription&, const Subscription&) = default;
};

// Errors: invalid_params.
Result<BrowserKeys> keys_of(const Subscription& subscription);

class Subscriptions {
 public:
  Subscriptions(Loop& loop, std::string state_folder, PushServices services);

  // Reads the stored subscriptions. Blocks; call once, before all other functions. Subscriptions of services no longer listed
  // stay without notifications. Errors: failed (an unreadable file; the text has a remedy).
  Result<void> load();

  const std::vector<Subscription>& all() const { return all_; }  // the oldest first
  const Subscription* find(std::string_view id) const;
  Result<Endpoint> endpoint_of(const Subscription& subscription) const { return services_.check(subscription.endpoint); }

  // Replaces an entry with the same endpoint. Errors: invalid_params, denied (PushServices), overloaded (too many).
  Task<Result<void>> add(Subscription wanted);
  Task<Result<void>> remove(std::string id);  // a missing subscription is not an error
  Task<Result<void>> notified(std::string id, WallTime when);

 private:
  using List = std::vector<Subscription>;
  static Result<List> read(const std::string& path);
  // Applies a change to the stored list: another gateway of this folder may have changed it meanwhile.
  Task<Result<void>> change(std::function<Result<void>(List&)> apply);

  std::string path_;
  PushServices services_;
  List all_;
  Worker worker_;
};

}  // namespace parlance::push
