// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/push.h"

#include <optional>

#include "parlance/base/clock.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {
namespace {

constexpr std::string_view no_push = "this host sends no notifications to browsers";

page::PushBrowser to_browser(const push::Subscription& subscription, std::string service) {
  return {.id = subscription.id,
          .name = subscription.name,
          .service = std::move(service),
          .created_at = subscription.created_at,
          .notified_at = subscription.notified_at};
}

std::optional<std::string> user_of(const hub::Caller& caller) {
  return caller.user.empty() ? std::nullopt : std::optional(caller.user);
}

}  // namespace

// A browser of a removed push service stays visible in the list.
Result<page::PushValue> PagePush::browsers(const hub::UserHub& hub) const {
  if (settings_.subscriptions == nullptr) return fail(Errc::unknown_method, std::string(no_push));
  page::PushValue value{.public_key = settings_.public_key};
  for (const push::Subscription& subscription : settings_.subscriptions->all()) {
    if (subscription.user.value_or("") != hub.caller()->user) continue;
    auto endpoint = settings_.subscriptions->endpoint_of(subscription);
    value.browsers.push_back(to_browser(subscription, endpoint ? std::move(endpoint->host) : std::string()));
  }
  return value;
}

auto PagePush::perform(page::GetPush&, hub::UserHub& hub) -> Answered<page::GetPush> { co_return browsers(hub); }

auto PagePush::perform(page::PushSubscribe& m, hub::UserHub& hub) -> Answered<page::PushSubscribe> {
  if (settings_.subscriptions == nullptr) co_return fail(Errc::unknown_method, std::string(no_push));
  PARLANCE_CO_TRY_DO(co_await settings_.subscriptions->add({.endpoint = std::move(m.endpoint),
                                                            .p256dh = std::move(m.p256dh),
                                                            .auth = std::move(m.auth),
                                                            .name = std::move(m.name),
                                                            .created_at = to_rfc3339(wall_now()),
                                                            .user = user_of(*hub.caller())}));
  co_return browsers(hub);
}

auto PagePush::perform(page::PushRemove& m, hub::UserHub& hub) -> Answered<page::PushRemove> {
  if (settings_.subscriptions == nullptr) co_return fail(Errc::unknown_method, std::string(no_push));
  const push::Subscription* const known = settings_.subscriptions->find(m.id);
  if (known != nullptr && known->user == user_of(*hub.caller()))
    PARLANCE_CO_TRY_DO(co_await settings_.subscriptions->remove(std::move(m.id)));
  co_return browsers(hub);
}

}  // namespace parlance::face
