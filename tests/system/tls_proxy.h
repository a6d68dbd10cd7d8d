// SPDX-License-Identifier: Apache-2.0
// A reverse proxy with TLS before a gateway, as one stands there in earnest; it can cut what goes through.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/transport/sockets.h"
#include "parlance/transport/tls/tls_stream.h"
#include "parlance/transport/tls/tls_test_certificate.h"
#include "tests/system/relay.h"

namespace parlance::test {

class TlsProxy {
 public:
  TlsProxy(Loop& loop, std::uint16_t inside) : loop_(loop), inside_(inside), scope_(loop) {
    auto listening = listen_tcp(loop, {.host = "127.0.0.1", .port = 0},
                                [this](std::unique_ptr<ByteStream> stream) { scope_.start(pass(std::move(stream))); });
    if (!listening) throw std::runtime_error(listening.error().message);
    listener_ = *std::move(listening);
  }
  ~TlsProxy() { scope_.cancel(); }

  std::uint16_t port() const { return listener_->port(); }
  std::string certificate_file() const { return certificate_.certificate_file.string(); }
  // As when the network is gone: nobody says goodbye.
  void cut() {
    for (auto& [near, far] : streams_) {
      near->close();
      far->close();
    }
    streams_.clear();
  }

 private:
  Task<void> pass(std::unique_ptr<ByteStream> outside) {
    auto secured = co_await tls_accept(loop_, std::move(outside),
                                       {.certificate_file = certificate_.certificate_file, .key_file = certificate_.key_file});
    auto plain = co_await connect_tcp(loop_, {.host = "127.0.0.1", .port = inside_});
    if (!secured || !plain) co_return;
    const std::shared_ptr<ByteStream> near = *std::move(secured);
    const std::shared_ptr<ByteStream> far = *std::move(plain);
    streams_.emplace_back(near, far);
    scope_.start(relay(near, far));
    co_await relay(far, near);
  }

  Loop& loop_;
  std::uint16_t inside_;
  Certificate certificate_{"127.0.0.1"};
  std::unique_ptr<Listener> listener_;
  std::list<std::pair<std::shared_ptr<ByteStream>, std::shared_ptr<ByteStream>>> streams_;
  Scope scope_;  // goes first
};

}  // namespace parlance::test
