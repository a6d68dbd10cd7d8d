// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/line_console.h"

#include <array>
#include <pty.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>

#include "parlance/async/scope.h"

namespace parlance::app {
namespace {

Typed said(std::string text) { return {.kind = Typed::Kind::text, .text = std::move(text)}; }
const Typed ended{.kind = Typed::Kind::ended};
const Typed interrupted{.kind = Typed::Kind::interrupted};

class LineConsoleTest : public testing::Test {
 protected:
  LineConsoleTest() {
    EXPECT_EQ(::pipe(ends.data()), 0);
    console.emplace(loop, ends[0]);
  }
  ~LineConsoleTest() override {
    console.reset();
    ::close(ends[0]);
    hang_up();
  }
  void type(std::string_view text) const {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void hang_up() {
    if (ends[1] >= 0) ::close(std::exchange(ends[1], -1));
  }
  Typed line() { return loop.block_on(console->line("")); }

  Loop loop;
  std::array<int, 2> ends{-1, -1};
  std::optional<LineConsole> console;
};

TEST_F(LineConsoleTest, LinesComeOneByOneHoweverTheyArrive) {
  type("one\ntwo\r\n\nthr");
  EXPECT_EQ(line(), said("one"));
  EXPECT_EQ(line(), said("two"));
  EXPECT_EQ(line(), said(""));
  std::jthread later([this] {
    for (const char c : std::string_view("ee é\n")) type({&c, 1});
  });
  EXPECT_EQ(line(), said("three é"));
}
TEST_F(LineConsoleTest, TheLastLineNeedsNoEnd) {
  type("one\ntwo");
  hang_up();
  EXPECT_EQ(line(), said("one"));
  EXPECT_EQ(line(), said("two"));
  EXPECT_EQ(line(), ended);
  EXPECT_EQ(line(), ended) << "for good";
}
TEST_F(LineConsoleTest, AReaderIsInterruptedAndNoInputIsLost) {
  type("half");
  loop.post([this] { loop.post([this] { console->interrupt(); }); });
  EXPECT_EQ(line(), interrupted);
  type(" a line\n");
  EXPECT_EQ(line(), said("half a line"));
}
TEST_F(LineConsoleTest, AnInterruptWithoutAReaderIsForgotten) {
  console->interrupt();
  type("one\n");
  EXPECT_EQ(line(), said("one"));
}
TEST_F(LineConsoleTest, IsDestroyedDuringARead) {
  Scope scope(loop);
  scope.start([](LineConsole& from) -> Task<void> { static_cast<void>(co_await from.line("")); }(*console));
  loop.post([this] { loop.post([this] { loop.stop(); }); });
  loop.run();
  scope.cancel();
  console.reset();  // its thread would wait endlessly
}

TEST(WakeableInput, AWakeEndsTheNextReadToo) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  WakeableInput input(ends[0]);
  std::string got;
  input.wake();
  EXPECT_EQ(input.more(got), WakeableInput::Read::woken);
  input.wake();
  input.forget();
  EXPECT_FALSE(input.soon(std::chrono::milliseconds(0)));
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  EXPECT_TRUE(input.soon(std::chrono::milliseconds(0)));
  EXPECT_EQ(input.more(got), WakeableInput::Read::bytes);
  EXPECT_EQ(got, "x");
  ::close(ends[1]);
  EXPECT_EQ(input.more(got), WakeableInput::Read::ended);
  ::close(ends[0]);
}

TEST_F(LineConsoleTest, TextThatWasTypedEarlierIsDroppedAtATerminalOnly) {
  type("pipe\n");
  console->forget_typed();
  EXPECT_EQ(line(), said("pipe"));
  int terminal = -1;
  int person = -1;
  ASSERT_EQ(::openpty(&person, &terminal, nullptr, nullptr, nullptr), 0);
  {
    LineConsole at_terminal(loop, terminal);
    const auto types = [person](std::string_view text) {
      EXPECT_EQ(::write(person, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    };
    types("first\nearly\n");
    EXPECT_EQ(loop.block_on(at_terminal.line("")), said("first"));
    types("also early\n");
    at_terminal.forget_typed();
    types("late\n");
    EXPECT_EQ(loop.block_on(at_terminal.line("")), said("late"));
  }
  ::close(terminal);
  ::close(person);
}

TEST_F(LineConsoleTest, ARedrawHidesNoWake) {
  WakeableInput input(ends[0]);
  std::string read;
  input.redraw();
  EXPECT_EQ(input.more(read), WakeableInput::Read::redraw);
  input.redraw();
  input.wake();
  input.redraw();
  EXPECT_EQ(input.more(read), WakeableInput::Read::woken);
  input.wake();
  input.forget();
  type("x");
  EXPECT_EQ(input.more(read), WakeableInput::Read::bytes);
  EXPECT_EQ(read, "x");
}

}  // namespace
}  // namespace parlance::app
