// SPDX-License-Identifier: Apache-2.0
// Who of a server's clients hears of what: its sessions, what each has subscribed to (2025 era), and what each listens to (2026-07-28).
// Loop thread only; outlives its sessions.
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
  // Called when the first client wants to hear of a resource's changes, and when the last one no longer does.
  using Told = std::function<void(const std::string& uri, bool wanted)>;
  void on_change(Told told) { told_ = std::move(told); }

  void joined(Session& session) { sessions_.push_back(session); }
  void left(Session& session);
  Result<EmptyResult> subscribe(Session& session, const SubscribeParams& parameters, bool wanted);
  // Runs until the client ends it.
  Task<Result<EmptyResult>> listen(Session& session, RequestId request, ListenParams parameters);

  void tell(const wire::Notice<Notification>& notice, std::optional<bool> SubscriptionFilter::* wanted);
  void resource_updated(const std::string& uri);
  template <class P>
  void tell_all(const wire::Notice<P>& notice, const P& parameters) {
    sessions_.each([&](Session& session) {
      if (session.era() == Era::legacy && session.ready) static_cast<void>(session.notify_for({}, notice, parameters));
    });
  }

 private:
  struct Listener;
  bool anybody_wants(std::string_view uri);

  Told told_;
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
