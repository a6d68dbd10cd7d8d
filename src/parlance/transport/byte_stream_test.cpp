// SPDX-License-Identifier: Apache-2.0
// Every stream must be silent to a destroyed coroutine. The stream itself may live on.
#include "parlance/transport/byte_stream.h"

#include <array>
#include <chrono>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "tests/support/child_process_fixture.h"
#include "tests/support/linked_peers.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using test::Link;

Task<Result<std::size_t>> read_once(ByteStream& stream, std::span<char> into) { co_return co_await read_some(stream, into); }
Task<Result<std::size_t>> write_once(ByteStream& stream, BytesView from) { co_return co_await write_all(stream, from); }

// Real time passes only with real descriptors.
void let_pass(Loop& loop, Link link) {
  if (link == Link::memory || link == Link::memory_one_byte) loop.advance(20ms);
  else loop.run_for(20ms);
}

class GivenUp : public testing::TestWithParam<Link> {};
INSTANTIATE_TEST_SUITE_P(Streams, GivenUp, testing::Values(Link::memory, Link::unix_socket, Link::pipes), [](const auto& tested) {
  return tested.param == Link::memory ? "memory" : tested.param == Link::unix_socket ? "socket" : "pipes";
});

Loop::Time time_of(Link link) { return link == Link::memory ? Loop::Time::virtual_ : Loop::Time::real; }

TEST_P(GivenUp, AReadIsNotAnsweredAndTheStreamIsClosed) {
  Loop loop(time_of(GetParam()));
  auto [near, far] = test::make_link(loop, GetParam());
  std::array<char, 16> buffer{};
  {
    Scope scope(loop);
    const auto wait = [](ByteStream& stream, std::span<char> into) -> Task<void> {
      static_cast<void>(co_await read_some(stream, into));
      ADD_FAILURE() << "it was destroyed, and went on all the same";
    };
    scope.start(wait(*near, buffer));
    loop.run_ready();
    scope.cancel();
  }
  let_pass(loop, GetParam());
  const auto again = loop.block_on(read_once(*near, buffer));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Errc::disconnected);
  const auto end = loop.block_on(read_once(*far, buffer));
  EXPECT_EQ(end.value_or(1), 0U) << "the other side reads the end";
}

// The crashed case: a deadline over a read of a stream kept by its owner.
TEST_P(GivenUp, ADeadlineOverAReadLeavesAUsableStream) {
  Loop loop(Loop::Time::real);
  auto [near, far] = test::make_link(loop, GetParam());
  const auto limited = [&]() -> Task<Result<std::size_t>> {
    std::array<char, 16> buffer{};
    co_return co_await with_deadline(loop, loop.now() + 5ms, read_once(*near, buffer));
  };
  const auto outcome = loop.block_on(limited());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Errc::deadline_exceeded);
  loop.run_for(20ms);
  near.reset();
  loop.run_for(5ms);
}

// An abandoned writer does not block the reader of the same stream, nor the reverse.
TEST_P(GivenUp, TheOtherDirectionSeesTheClosedStream) {
  Loop loop(time_of(GetParam()));
  auto [near, far] = test::make_link(loop, GetParam());
  std::optional<Result<std::size_t>> read;
  std::array<char, 16> buffer{};
  const std::string flood(8 << 20, 'x');  // more than any stream accepts without a reader
  Scope reading(loop);
  const auto keep = [&]() -> Task<void> { read = co_await read_some(*near, buffer); };
  reading.start(keep());
  {
    Scope writing(loop);
    const auto write = [&]() -> Task<void> { static_cast<void>(co_await write_once(*near, flood)); };
    writing.start(write());
    let_pass(loop, GetParam());
    ASSERT_EQ(writing.running(), 1U);
  }
  let_pass(loop, GetParam());
  ASSERT_TRUE(read.has_value());
  EXPECT_FALSE(*read);
}

class GivenUpChild : public test::ChildProcessTest {};

TEST_F(GivenUpChild, AChildsStreamIsSilentToo) {
  const auto child = shell("sleep 1000");
  const auto stream = child->take_stream();
  std::array<char, 16> buffer{};
  const auto limited = [&]() -> Task<Result<std::size_t>> {
    co_return co_await with_deadline(loop, loop.now() + 5ms, read_once(*stream, buffer));
  };
  EXPECT_FALSE(loop.block_on(limited()));
  loop.run_for(20ms);
  child->signal_group(SIGKILL);
  EXPECT_EQ(get(child->wait()).signal, SIGKILL);
  loop.run_for(5ms);
}

}  // namespace
}  // namespace parlance
