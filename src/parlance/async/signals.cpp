// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/signals.h"

#include <csignal>

#include <boost/asio/basic_signal_set.hpp>

#include "parlance/async/loop_asio.h"

namespace parlance {

struct SignalWatch::Implementation : std::enable_shared_from_this<Implementation> {
  explicit Implementation(Loop& owner) : loop(owner), set(io_of(owner)), arrived(owner, 64) {}
  void listen() {
    set.async_wait([self = shared_from_this()](const boost::system::error_code& error, int number) {
      if (error) return;
      Loop::Turn turn(self->loop);
      self->arrived.try_push(number);
      self->listen();
    });
  }
  Loop& loop;
  boost::asio::basic_signal_set<AsioExecutor> set;
  Channel<int> arrived;
};

SignalWatch::SignalWatch(Loop& loop, std::initializer_list<int> signals)
    : implementation_(std::make_shared<Implementation>(loop)) {
  for (const int number : signals) implementation_->set.add(number);
  implementation_->listen();
}

SignalWatch::~SignalWatch() {
  boost::system::error_code ignored;
  implementation_->set.cancel(ignored);
}

Task<int> SignalWatch::next() {
  const auto number = co_await implementation_->arrived.pop();
  co_return number.value_or(0);
}

void ignore_sigpipe() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace parlance
