// SPDX-License-Identifier: Apache-2.0
// Publishes changes to the clients of a server. Holds its sessions, the subscriptions of each session (2025 era), and the running
// `subscriptions/listen` requests (2026-07-28). Loop thread only; outlives its sessions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/protocol/mcp/methods.h"
#include "parlance/protocol/mcp/session.h"

namespace parlance::mcp {

class Subscriptions {
 public:
  // Called with true at the first subscription to a resource, and with false at the end of the last.
  using OnChange = std::function<void(const std::string& uri, bool wanted)>;
  void on_change(OnChange handler) { on_change_ = std::move(handler); }

  void joined(Session& session) { sessions_.push_back(session); }
  void left(Session& session);
  Result<EmptyResult> subscribe(Session& session, const SubscribeParams& parameters, bool wanted);
  // Runs until the client ends it.
  Task<Result<EmptyResult>> listen(Session& session, RequestId request, ListenParams parameters);

  // To sessions of the 2025 era, and to listeners with `wanted` in the filter.
  void publish(const wire::Notice<Notification>& notice, std::optional<bool> SubscriptionFilter::* wanted);
  void resource_updated(const std::string& uri);
  template <class P>
  void notify_all(const wire::Notice<P>& notice, const P& parameters) {
    sessions_.each([&](Session& session) {
      if (session.era() == Era::legacy && session.ready) static_cast<void>(session.notify_for({}, notice, parameters));
    });
  }

 private:
  struct Listener;
  bool has_subscriber(std::string_view uri);

  OnChange on_change_;
  IntrusiveList<Session> sessions_;
  IntrusiveList<Listener> listeners_;
};

// Of `subscriptions/listen`, while it runs.
struct Subscriptions::Listener : ListHook {
  Listener(Session& to, RequestId request) : session(to), id(std::move(request)) {}
  bool wants(std::string_view uri) const;
  Raw meta() const;

  Session& session;
  RequestId id;
  SubscriptionFilter filter{};
};

}  // namespace parlance::mcp
