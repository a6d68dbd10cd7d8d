// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the peer: methods, two peers that serve them, and a peer with a hand-written other side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/peer/peer.h"
#include "tests/support/linked_peers.h"

namespace parlance::test {

using namespace std::chrono_literals;

struct Echo {
  std::string text;
  int delay_ms = 0;
  static constexpr auto wire = wire::fields(wire::field<&Echo::text>("text", "Comes back."),
                                            wire::field<&Echo::delay_ms>("delay_ms", "After so long.").or_default());
};
inline constexpr auto methods =
    wire::methods(wire::call<Echo, Echo>("echo", "Answers at once."), wire::call<Echo, Echo>("slow", "Answers after the delay."),
                  wire::call<Echo, Echo>("thrower", "Has a bug."), wire::call<Echo, Echo>("missing", "Has no handler."),
                  wire::notice<Echo>("note", "Is counted."), wire::notice<Echo>("slow_note", "Has a slow handler."));

inline constexpr const auto& echo = wire::method<methods, "echo">;
inline constexpr const auto& slow = wire::method<methods, "slow">;
inline constexpr const auto& thrower = wire::method<methods, "thrower">;
inline constexpr const auto& missing = wire::method<methods, "missing">;
inline constexpr const auto& note = wire::method<methods, "note">;
inline constexpr const auto& slow_note = wire::method<methods, "slow_note">;

struct Served {
  std::vector<std::string> notices;
  int finished = 0;
  int destroyed = 0;
};

inline void serve(Router& router, Loop& loop, Served& served) {
  router.on(echo, [](const Echo& e, Context&) -> Result<Echo> { return e; });
  router.on(slow, [&](Echo e, Context&) -> Task<Result<Echo>> {
    struct Guard {
      Served& served;
      ~Guard() { ++served.destroyed; }
    } guard{served};
    co_await sleep_for(loop, std::chrono::milliseconds(e.delay_ms));
    ++served.finished;
    co_return e;
  });
  router.on(thrower, [](const Echo&, Context&) -> Task<Result<Echo>> {
    throw std::runtime_error("bug");
    co_return Echo{};
  });
  router.on(note, [&](const Echo& e, Context&) { served.notices.push_back(e.text); });
}

struct Fixture {
  Served served;
  LinkedPeers peers;
  explicit Fixture(PeerSettings far = {}, PeerSettings near = {}) : peers(Link::memory, std::move(far), std::move(near)) {
    serve(peers.far_router, peers.loop, served);
    serve(peers.near_router, peers.loop, served);
  }
};

inline Task<void> call_into(Peer& peer, Echo with, Within time, std::optional<Result<Echo>>& into) {
  into = co_await peer.call(slow, with, time);
}

// The far end of these is bytes by hand.
struct ByHand {
  Loop loop{Loop::Time::virtual_};
  Router router;
  Served served;
  std::unique_ptr<ByteStream> hand;
  std::optional<Peer> peer;
  std::optional<Error> end;
  struct Sink final : IoDone {
    std::size_t got = 0;
    void on_io(Result<std::size_t> n) override { got = n.value_or(0); }
  } sink;
  bool reading = false;
  char buffer[1 << 16];
  Scope scope{loop};
  explicit ByHand(bool one_byte = false, std::unique_ptr<Framing> framing = line_framing(1 << 16)) {
    serve(router, loop, served);
    auto [a, b] = memory_pair(loop, {.one_byte_reads = one_byte, .capacity = 1 << 20});
    hand = std::move(a);
    peer.emplace(loop, framed_stream(loop, std::move(b), std::move(framing)), jsonrpc_with_cancel(), router);
    scope.start([](Peer& p, std::optional<Error>& e) -> Task<void> { e = co_await p.run(); }(*peer, end));
  }
  ~ByHand() {
    scope.cancel();
    peer.reset();
  }
  std::string say(const std::string& bytes) {
    EXPECT_EQ(hand->try_write(bytes), bytes.size());
    return read_output();
  }
  std::string read_output() {
    sink.got = 0;
    while (loop.run_ready()) {}
    std::string got;
    if (sink.got != 0) {
      reading = false;
      got.append(buffer, sink.got);
    }
    for (;;) {
      if (!reading) {
        reading = true;
        hand->start_read(buffer, sink);
      }
      sink.got = 0;
      while (loop.run_ready()) {}
      if (sink.got == 0) return got;  // The read stays open until there is something.
      reading = false;
      got.append(buffer, sink.got);
    }
  }
};

// Runs the loop until `done` returns true. In real time, the duration depends on the kernel.
template <class F>
void run_until(Loop& loop, F done) {
  const auto wait = [&]() -> Task<void> {
    while (!done()) co_await sleep_for(loop, 1ms);
  };
  loop.block_on(wait());
}

}  // namespace parlance::test
