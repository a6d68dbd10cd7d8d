// SPDX-License-Identifier: Apache-2.0
// Keeps a connection to a gateway: reconnects after each end, at once and then at growing intervals. After a refusal (a revoked
// token), only a new call tries again. Loop thread only; the listener must outlive the object.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/driver/page/limits.h"
#include "parlance/driver/page/page_link.h"

namespace parlance::driver {

struct GatewayConnectionSettings {
  // A new connection to the gateway's page socket. Errors: denied and invalid_params are refusals.
  std::function<Task<Result<std::unique_ptr<Frames>>>()> connect{};
  // After the end of a connection (with the reason), and after the next connection (null).
  std::function<void(const Error* lost)> changed{};
};

class GatewayConnection {
 public:
  GatewayConnection(Loop& loop, GatewayConnectionSettings settings, PageListener& listener);
  ~GatewayConnection() { scope_.cancel(); }

  // The first connection; its snapshot reaches the listener later. Errors: those of `connect`.
  Task<Result<void>> begin();
  // Null: connected. The first attempt is not finished: disconnected.
  const Error* lost() const { return lost_ ? &*lost_ : nullptr; }
  void request_snapshot(std::vector<std::string> conversations) const {
    if (link_) link_->ready(std::move(conversations));
  }

  // Without a connection, waits for the next attempt to connect. Errors: those of the attempt.
  Task<Result<void>> connected() {
    PARLANCE_CO_TRY_DO(co_await link_soon());
    co_return Result<void>{};
  }
  // As `connected`, then PageLink::call. Errors: both; an end of the connection before the answer is `failed`, because the gateway
  // may have acted.
  template <class Message>
  Task<Result<typename Message::Value>> call(Message message) {
    PARLANCE_CO_TRY(link, co_await link_soon());
    auto answer = co_await link->call(std::move(message));
    if (ended_by(*link, answer))
      co_return fail(Errc::failed,
                     "the connection to the gateway ended before the answer, so the gateway may have acted; check "
                     "the conversation before you send this again (" +
                         answer.error().message + ")");
    co_return answer;
  }
  // For messages whose repetition changes nothing: sends the message again after an end of the connection. Errors: those of
  // `connected` and PageLink::call; after limits::repeats ends, disconnected.
  template <class Message>
  Task<Result<typename Message::Value>> repeat(Message message) {
    for (int left = limits::repeats;; --left) {
      PARLANCE_CO_TRY(link, co_await link_soon());
      auto answer = co_await link->call(message);
      if (!ended_by(*link, answer) || left == 0) co_return answer;
      while (link_ == link) co_await attempted_.wait();  // `keep` notices the end in this turn of the loop
    }
  }

 private:
  static bool ended_by(const PageLink& link, const auto& answer) {
    return !answer && answer.error().code == Errc::disconnected && link.ended();
  }
  Task<void> keep();
  Task<Result<void>> connect();
  Task<Result<std::shared_ptr<PageLink>>> link_soon();

  Loop& loop_;
  GatewayConnectionSettings settings_;
  PageListener& listener_;
  std::shared_ptr<PageLink> link_;  // null: not connected
  std::optional<Error> lost_;
  std::uint64_t attempts_ = 0;  // finished
  Signal wanted_;               // the next attempt begins now
  Signal attempted_;
  Scope scope_;  // destroyed first
};

}  // namespace parlance::driver
