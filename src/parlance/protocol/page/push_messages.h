// SPDX-License-Identifier: Apache-2.0
// Browsers that are told, also while no page is open, that something waits for a person (Web Push); and whether a page is looked at. Any
// thread.
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
  std::optional<std::string> told_at{};
  static constexpr auto wire =
      fields(field<&PushBrowser::id>("id", "Names it; the same for the same endpoint."),
             field<&PushBrowser::name>("name", "For people: the browser, and what it runs on."),
             field<&PushBrowser::service>("service", "The host of its push service."),
             field<&PushBrowser::created_at>("created_at", "RFC 3339, UTC."),
             field<&PushBrowser::told_at>("told_at", "When its service took a message the last time; absent: not yet."));
};
struct PushValue {
  std::string public_key{};
  std::vector<PushBrowser> browsers{};
  static constexpr auto wire =
      fields(field<&PushValue::public_key>("public_key", "Of this host, for `subscribe` (RFC 8292): base64url of 65 bytes."),
             field<&PushValue::browsers>("browsers", "Those that are told, the oldest first."));
};

// The host has these requests when its capabilities name "push".
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
             field<&PushSubscribe::endpoint>("endpoint", "Of a push service that is on the host's list."),
             field<&PushSubscribe::p256dh>("p256dh", "The browser's key: base64url of 65 bytes."),
             field<&PushSubscribe::auth>("auth", "Its secret: base64url of 16 bytes."),
             field<&PushSubscribe::name>("name", "For people; may be empty."));
};
struct PushRemove {
  static constexpr std::string_view tag = "push_remove";
  using Value = PushValue;
  std::string request{};
  std::string id{};
  static constexpr auto wire = fields(field<&PushRemove::request>("request", request_doc::request),
                                      field<&PushRemove::id>("id", "Of the browser; one that is gone is no error."));
};

struct Looking {
  static constexpr std::string_view tag = "looking";
  using Value = Nothing;
  std::string request{};
  bool looking = false;
  static constexpr auto wire =
      fields(field<&Looking::request>("request", request_doc::request),
             field<&Looking::looking>("looking", "The page is seen and has the keyboard: nobody need be told elsewhere."));
};

}  // namespace parlance::page
