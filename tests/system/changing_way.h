// SPDX-License-Identifier: Apache-2.0
// Forwards connections to several gateways, like a load balancer: each new connection goes to the current target.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/transport/sockets.h"
#include "tests/system/relay.h"

namespace parlance::test {

class ChangingWay {
 public:
  explicit ChangingWay(Loop& loop) : loop_(loop), scope_(loop) {
    auto listening = listen_tcp(loop, {.host = "127.0.0.1", .port = 0},
                                [this](std::unique_ptr<ByteStream> stream) { scope_.start(pass(std::move(stream))); });
    if (!listening) throw std::runtime_error(listening.error().message);
    listener_ = *std::move(listening);
  }
  ~ChangingWay() { scope_.cancel(); }

  // `base`: http://127.0.0.1:PORT/
  void lead_to(const std::string& base) { port_ = static_cast<std::uint16_t>(std::stoi(base.substr(base.rfind(':') + 1))); }
  std::string address() const { return "ws://127.0.0.1:" + std::to_string(listener_->port()); }

 private:
  Task<void> pass(std::unique_ptr<ByteStream> outside) {
    auto inside = co_await connect_tcp(loop_, {.host = "127.0.0.1", .port = port_});
    if (!inside) co_return;
    const std::shared_ptr<ByteStream> near = std::move(outside);
    const std::shared_ptr<ByteStream> far = *std::move(inside);
    scope_.start(relay(near, far));
    co_await relay(far, near);
  }

  Loop& loop_;
  std::uint16_t port_ = 0;
  std::unique_ptr<Listener> listener_;
  Scope scope_;  // goes first
};

}  // namespace parlance::test
