// SPDX-License-Identifier: Apache-2.0
// Browsers with push messages about waiting requests (Web Push), also without an open page; and whether a person looks at a
// page. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

struct PushBrowser {
  std::string id{};
  std::string name{};
  std::string service{};
  std::string created_at{};
  std::optional<std::string> notified_at{};
  static constexpr auto wire = fields(
      field<&PushBrowser::id>("id", "Id of the browser, equal for equal endpoints."),
      field<&PushBrowser::name>("name", "Browser and operating system, for people."),
      field<&PushBrowser::service>("service", "Host name of the push service."),
      field<&PushBrowser::created_at>("created_at", "Time of the subscription, RFC 3339 in UTC."),
      field<&PushBrowser::notified_at>("told_at", "Time of the last accepted message, RFC 3339 in UTC. Absent: no message yet."));
};
struct PushValue {
  std::string public_key{};
  std::vector<PushBrowser> browsers{};
  static constexpr auto wire = fields(
      field<&PushValue::public_key>("public_key", "Public key of the gateway for `subscribe` (RFC 8292): base64url of 65 bytes."),
      field<&PushValue::browsers>("browsers", "Subscribed browsers, oldest first."));
};

// The gateway has these requests if its capabilities contain "push".
struct GetPush {
  static constexpr std::string_view tag = "push";
  using Value = PushValue;
  std::string request{};
  static constexpr auto wire = fields(field<&GetPush::request>("request", request_doc::request));
};
struct PushSubscribe {
  static constexpr std::string_view tag = "push_subscribe";
  using Value = PushValue;
  std::string request{};
  std::string endpoint{};
  std::string p256dh{};
  std::string auth{};
  std::string name{};
  static constexpr auto wire =
      fields(field<&PushSubscribe::request>("request", request_doc::request),
             field<&PushSubscribe::endpoint>("endpoint", "Address of a push service from the gateway's list."),
             field<&PushSubscribe::p256dh>("p256dh", "Public key of the browser: base64url of 65 bytes."),
             field<&PushSubscribe::auth>("auth", "Authentication secret of the browser: base64url of 16 bytes."),
             field<&PushSubscribe::name>("name", "Name of the browser for people. May be empty."));
};
struct PushRemove {
  static constexpr std::string_view tag = "push_remove";
  using Value = PushValue;
  std::string request{};
  std::string id{};
  static constexpr auto wire = fields(field<&PushRemove::request>("request", request_doc::request),
                                      field<&PushRemove::id>("id", "Id of the browser. An unknown id is not an error."));
};

struct Looking {
  static constexpr std::string_view tag = "looking";
  using Value = Nothing;
  std::string request{};
  bool looking = false;
  static constexpr auto wire =
      fields(field<&Looking::request>("request", request_doc::request),
             field<&Looking::looking>(
                 "looking", "True: the page is visible and has the keyboard focus, so that no push message is necessary."));
};

}  // namespace parlance::page
