// SPDX-License-Identifier: Apache-2.0
// Requests of pages about push subscriptions.
#include <utility>

#include "parlance/face/page/answers.h"

namespace parlance::face {
namespace {

constexpr std::string_view no_push = "this host tells no browsers";

page::PushBrowser to_browser(const push::Subscription& one, std::string service) {
  return {.id = one.id, .name = one.name, .service = std::move(service), .created_at = one.created_at, .told_at = one.told_at};
}

std::optional<std::string> user_of(const hub::Caller& caller) {
  return caller.user.empty() ? std::nullopt : std::optional(caller.user);
}

}  // namespace

// A browser of a removed push service stays visible in the list.
Result<page::PushValue> PageAnswers::browsers(const hub::UserHub& hub) const {
  if (push_.subscriptions == nullptr) return fail(Errc::unknown_method, std::string(no_push));
  page::PushValue value{.public_key = push_.public_key};
  for (const push::Subscription& one : push_.subscriptions->all()) {
    if (one.user.value_or("") != hub.caller()->user) continue;
    auto endpoint = push_.subscriptions->endpoint_of(one);
    value.browsers.push_back(to_browser(one, endpoint ? std::move(endpoint->host) : std::string()));
  }
  return value;
}

auto PageAnswers::perform(page::GetPush&, hub::UserHub& hub) -> Answered<page::GetPush> { co_return browsers(hub); }

auto PageAnswers::perform(page::PushSubscribe& m, hub::UserHub& hub) -> Answered<page::PushSubscribe> {
  if (push_.subscriptions == nullptr) co_return fail(Errc::unknown_method, std::string(no_push));
  PARLANCE_CO_TRY_DO(co_await push_.subscriptions->add({.endpoint = std::move(m.endpoint),
                                                        .p256dh = std::move(m.p256dh),
                                                        .auth = std::move(m.auth),
                                                        .name = std::move(m.name),
                                                        .created_at = to_rfc3339(wall_now()),
                                                        .user = user_of(*hub.caller())}));
  co_return browsers(hub);
}

auto PageAnswers::perform(page::PushRemove& m, hub::UserHub& hub) -> Answered<page::PushRemove> {
  if (push_.subscriptions == nullptr) co_return fail(Errc::unknown_method, std::string(no_push));
  const push::Subscription* const known = push_.subscriptions->find(m.id);
  if (known != nullptr && known->user == user_of(*hub.caller()))
    PARLANCE_CO_TRY_DO(co_await push_.subscriptions->remove(std::move(m.id)));
  co_return browsers(hub);
}

}  // namespace parlance::face
