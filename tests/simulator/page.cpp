// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/page.h"

#include "tests/simulator/flaky_connection.h"

namespace parlance::simulator {

Page::Page(Setting& setting, hub::CallerPtr caller, std::function<Gateway*()> gateway)
    : setting_(setting),
      caller_(std::move(caller)),
      gateway_(std::move(gateway)),
      connections_(setting.loop),
      remote_(setting.loop, {.connection = {.connect = [this] { return connect(); }, .changed = [](const Error*) {}}}),
      tasks_(setting.loop) {
  tasks_.start(open());
}

Task<void> Page::open() {
  const Result<void> started = co_await remote_.start();
  state_ = started ? State::open : State::failed;
}

Task<Result<std::unique_ptr<Frames>>> Page::connect() {
  co_await sleep_for(setting_.loop, setting_.random.between(std::chrono::milliseconds(1), std::chrono::milliseconds(50)));
  Gateway* const gateway = gateway_();
  if (gateway == nullptr) co_return fail(Errc::disconnected, "no simulated gateway is up");
  auto [near, far] = page_connection(setting_, connections_);
  gateway->serve_page(std::move(far), caller_);
  co_return std::move(near);
}

}  // namespace parlance::simulator
