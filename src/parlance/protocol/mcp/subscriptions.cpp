// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/subscriptions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "parlance/protocol/mcp/limits.h"

namespace parlance::mcp {
namespace {

std::string id_text(const RequestId& id) { return id.raw.empty() ? std::to_string(id.number) : id.raw; }

Error too_many() {
  return {.code = Errc::overloaded,
          .message = "one client may subscribe to " + std::to_string(limits::mcp_subscriptions) + " resources"};
}

}  // namespace

bool Subscriptions::Listener::wants(std::string_view uri) const {
  return filter.resources && std::ranges::find(*filter.resources, uri) != filter.resources->end();
}

Raw Subscriptions::Listener::meta() const { return {R"({"io.modelcontextprotocol/subscriptionId":)" + id_text(id) + '}'}; }

bool Subscriptions::has_subscriber(std::string_view uri) {
  bool wanted = false;
  sessions_.each([&](Session& session) { wanted = wanted || session.subscriptions.contains(uri); });
  listeners_.each([&](Listener& listener) { wanted = wanted || listener.wants(uri); });
  return wanted;
}

Result<EmptyResult> Subscriptions::subscribe(Session& session, const SubscribeParams& parameters, bool wanted) {
  PARLANCE_TRY(meta, session.admit(parameters.meta, Session::Known::legacy_only));
  const bool before = has_subscriber(parameters.uri);
  if (wanted) {
    if (session.subscriptions.size() >= limits::mcp_subscriptions) return fail(too_many());
    session.subscriptions.insert(parameters.uri);
  } else {
    session.subscriptions.erase(parameters.uri);
  }
  if (const bool now = has_subscriber(parameters.uri); now != before && on_change_) on_change_(parameters.uri, now);
  return EmptyResult{};
}

void Subscriptions::left(Session& session) {
  session.unlink();
  for (const std::string& uri : std::exchange(session.subscriptions, {}))
    if (on_change_ && !has_subscriber(uri)) on_change_(uri, false);
}

Task<Result<EmptyResult>> Subscriptions::listen(Session& session, RequestId request, ListenParams parameters) {
  PARLANCE_CO_TRY(meta, session.admit(parameters.meta, Session::Known::modern_only));
  Listener listener(session, request);
  listener.filter = std::move(parameters.notifications);
  if (listener.filter.resources && listener.filter.resources->size() > limits::mcp_subscriptions) co_return fail(too_many());
  PARLANCE_CO_TRY_DO(
      session.notify_for(request, method::acknowledged, {.notifications = listener.filter, .meta = listener.meta()}));
  const std::vector<std::string> uris = listener.filter.resources.value_or(std::vector<std::string>{});
  for (const std::string& uri : uris)
    if (on_change_ && !has_subscriber(uri)) on_change_(uri, true);
  listeners_.push_back(listener);
  struct Leaving {
    Subscriptions& all;
    Listener& listener;
    const std::vector<std::string>& uris;
    ~Leaving() {
      listener.unlink();
      for (const std::string& uri : uris)
        if (all.on_change_ && !all.has_subscriber(uri)) all.on_change_(uri, false);
    }
  } leaving{*this, listener, uris};
  co_await session.input_ended().wait();  // or the client cancels it, or is gone: then this coroutine is destroyed
  co_return EmptyResult{.result_type = "complete"};
}

void Subscriptions::publish(const wire::Notice<Notification>& notice, std::optional<bool> SubscriptionFilter::* wanted) {
  sessions_.each([&](Session& session) {
    if (session.era() == Era::legacy && session.ready) static_cast<void>(session.notify_for({}, notice, {}));
  });
  listeners_.each([&](Listener& listener) {
    if ((listener.filter.*wanted).value_or(false))
      static_cast<void>(listener.session.notify_for(listener.id, notice, {.meta = listener.meta()}));
  });
}

void Subscriptions::resource_updated(const std::string& uri) {
  sessions_.each([&](Session& session) {
    if (session.subscriptions.contains(uri)) static_cast<void>(session.notify_for({}, method::resource_updated, {.uri = uri}));
  });
  listeners_.each([&](Listener& listener) {
    if (listener.wants(uri))
      static_cast<void>(
          listener.session.notify_for(listener.id, method::resource_updated, {.uri = uri, .meta = listener.meta()}));
  });
}

}  // namespace parlance::mcp
