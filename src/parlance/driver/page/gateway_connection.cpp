// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/page/gateway_connection.h"

#include <algorithm>
#include <utility>

#include "parlance/async/cancel.h"
#include "parlance/driver/page/limits.h"

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
  for (;;) {
    const std::shared_ptr<PageLink> link = link_;  // calls may hold the link longer
    lost_ = co_await link->run();
    link_.reset();
    settings_.changed(&*lost_);
    for (Duration pause = limits::first_reconnect_pause; !co_await connect();) {
      const bool is_refused = lost_->code == Errc::denied || lost_->code == Errc::invalid_params;
      const auto until_wanted = [](Signal& wanted) -> Task<Result<void>> {
        co_await wanted.wait();
        co_return Result<void>{};
      };
      static_cast<void>(co_await with_deadline(loop_, is_refused ? never : loop_.now() + pause, until_wanted(wanted_)));
      pause = std::min<Duration>(pause * 2, limits::longest_reconnect_pause);
    }
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
