// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/page/gateway_connection.h"

#include <algorithm>
#include <utility>

#include "parlance/async/notified.h"

namespace parlance::driver {

GatewayConnection::GatewayConnection(Loop& loop, GatewayConnectionSettings settings, PageListener& listener)
    : loop_(loop),
      settings_(std::move(settings)),
      listener_(listener),
      lost_(Error{.code = Errc::disconnected, .message = "not connected yet"}),
      wanted_(loop),
      attempted_(loop),
      scope_(loop) {}

Task<Result<void>> GatewayConnection::begin() {
  PARLANCE_CO_TRY_DO(co_await connect());
  scope_.start(keep());
  co_return Result<void>{};
}

Task<Result<void>> GatewayConnection::connect() {
  auto frames = co_await settings_.connect();
  ++attempts_;
  if (frames) {
    link_ = std::make_shared<PageLink>(loop_, *std::move(frames), listener_);
    lost_.reset();
  } else {
    lost_ = frames.error();
  }
  attempted_.notify_all();
  if (!frames) co_return std::unexpected(std::move(frames).error());
  co_return Result<void>{};
}

Task<void> GatewayConnection::keep() {
  for (Duration pause = Duration::zero();;) {
    const std::shared_ptr<PageLink> link = link_;  // calls may hold the link longer
    const TimePoint begun = loop_.now();
    lost_ = co_await link->run();
    link_.reset();
    attempted_.notify_all();
    settings_.changed(&*lost_);
    // A gateway that closes each connection soon gets pauses as well.
    if (loop_.now() - begun >= limits::longest_reconnect_pause) pause = Duration::zero();
    do {
      const bool is_refused = lost_->code == Errc::denied || lost_->code == Errc::invalid_params;
      if (pause > Duration::zero() || is_refused) co_await notified(wanted_, is_refused ? never : loop_.now() + pause);
      pause = std::clamp<Duration>(pause * 2, limits::first_reconnect_pause, limits::longest_reconnect_pause);
    } while (!co_await connect());
    settings_.changed(nullptr);
  }
}

Task<Result<std::shared_ptr<PageLink>>> GatewayConnection::link_soon() {
  if (!link_) {
    const std::uint64_t before = attempts_;
    wanted_.notify_all();
    while (!link_ && attempts_ == before) co_await attempted_.wait();
  }
  if (link_) co_return link_;
  co_return std::unexpected(*lost_);
}

}  // namespace parlance::driver
