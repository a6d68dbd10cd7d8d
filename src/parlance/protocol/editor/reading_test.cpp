// SPDX-License-Identifier: Apache-2.0
// Bytes of the bridge for a reading peer: whole, cut anywhere, and one at a time.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/editor/dialect.h"
#include "parlance/protocol/editor/framing.h"
#include "parlance/protocol/editor/messages.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::editor {
namespace {

using Lines = std::vector<std::string>;

struct Reader {
  Lines received;  // "text: …", "typed: …", in the order of the wire
  Loop loop{Loop::Time::virtual_};
  Router router;
  std::unique_ptr<ByteStream> hand;
  std::unique_ptr<Peer> peer;
  Scope scope{loop};

  explicit Reader(bool one_byte, std::size_t most_bytes = limits::line_bytes) {
    router.on(method::user_input, [this](UserInput& input, Context&) { received.push_back("typed: " + input.text); });
    router.on(method::ping, [](const wire::Nothing&, Context&) -> Result<Pong> { return Pong{}; });
    auto [near, far] = memory_pair(loop, {.one_byte_reads = one_byte});
    hand = std::move(far);
    peer = std::make_unique<Peer>(
        loop, framed_stream(loop, std::move(near), std::make_unique<SharedLineFraming>(most_bytes)),
        dialect({.text = [this](std::string_view line) { received.push_back("text: " + std::string(line)); }}), router);
    scope.start([](Peer& reader) -> Task<void> { co_await reader.run(); }(*peer));
  }
  ~Reader() { scope.cancel(); }

  // In pieces: the pair in memory moves the remaining bytes at each read.
  void give(std::string_view bytes) {
    constexpr std::size_t piece = 4096;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
      ASSERT_EQ(hand->try_write(bytes.substr(0, piece)), std::min(piece, bytes.size()));
      while (loop.run_ready()) {}
    }
  }
  void end() {
    hand->close_output();
    while (loop.run_ready()) {}
  }
  std::string answered(std::ptrdiff_t lines) {
    std::string all;
    while (std::ranges::count(all, '\n') < lines) {
      std::string buffer(1 << 16, '\0');
      const auto read = [&]() -> Task<Result<std::size_t>> { co_return co_await read_some(*hand, buffer); };
      const auto got = loop.block_on(read());
      if (!got || *got == 0) break;
      all.append(buffer, 0, *got);
    }
    return all;
  }
};

std::string typed(std::string_view text_in_json) {
  return R"({"jsonrpc":"2.0","method":"userInput","params":{"text":")" + std::string(text_in_json) + "\"}}";
}
// Characters of two, of three and of four bytes, and a line separator that does not end a line here.
const std::string characters = "ä€😀\u2028";

class EditorReading : public ::testing::TestWithParam<bool> {
 protected:
  Lines read(std::string_view bytes, std::size_t most_bytes = limits::line_bytes) const {
    Reader reader(GetParam(), most_bytes);
    reader.give(bytes);
    reader.end();
    return reader.received;
  }
};
INSTANTIATE_TEST_SUITE_P(Reads, EditorReading, ::testing::Values(false, true),
                         [](const auto& info) { return info.param ? "OneByte" : "Whole"; });

TEST_P(EditorReading, AnObjectCutAtEveryByteIsASingleObject) {
  const std::string line = typed(characters) + "\n";
  for (std::size_t at = 0; at <= line.size(); ++at) {
    Reader reader(GetParam());
    reader.give(line.substr(0, at));
    reader.give(line.substr(at));
    EXPECT_EQ(reader.received, Lines{"typed: " + characters}) << "cut at " << at;
  }
}

TEST_P(EditorReading, TextCutAtEveryByteIsASingleLine) {
  const std::string line = characters + "\n";
  for (std::size_t at = 0; at <= line.size(); ++at) {
    Reader reader(GetParam());
    reader.give(line.substr(0, at));
    reader.give(line.substr(at));
    EXPECT_EQ(reader.received, Lines{"text: " + characters}) << "cut at " << at;
  }
}

TEST_P(EditorReading, TwoObjectsInARead) {
  EXPECT_EQ(read(typed("a") + "\n" + typed("b") + "\n"), (Lines{"typed: a", "typed: b"}));
}

TEST_P(EditorReading, LinesMayEndWithCrLfAndEmptyLinesAreSkipped) {
  EXPECT_EQ(read("\r\n" + typed("a") + "\r\n\n\nb\r\n"), (Lines{"typed: a", "text: b"}));
}

TEST_P(EditorReading, OnlyALineFeedEndsALine) {
  const std::string odd = "a\u2028b\u0085c\fd\re";
  EXPECT_EQ(read(odd + "\n" + typed("a\u2028b\u0085c") + "\n"), (Lines{"text: " + odd, "typed: a\u2028b\u0085c"}));
}

TEST_P(EditorReading, TextBeforeBetweenAndBehindObjects) {
  EXPECT_EQ(read("before\n" + typed("1") + "\nbetween\n  " + typed("2") + "\nbehind"),
            (Lines{"text: before", "typed: 1", "text: between", "typed: 2", "text: behind"}));
}

// A request on the same line behind a prompt is not a request; our programs end the prompt's line first.
TEST_P(EditorReading, ARequestBehindTextOnItsLineIsText) {
  EXPECT_EQ(read("> " + typed("1") + "\n" + typed("2")), (Lines{"text: > " + typed("1"), "typed: 2"}));
}

TEST_P(EditorReading, OtherLinesAreTextAndEndNoConnection) {
  using namespace std::string_literals;
  for (const std::string& odd : {"{not json"s, "[]"s, "[{}]"s, "{\0}"s, "a\0b"s, "\0"s, "{\xff}"s, R"({"id":1})"s})
    EXPECT_EQ(read(odd + "\n" + typed("on") + "\n"), (Lines{"text: " + odd, "typed: on"})) << odd;
}

TEST_P(EditorReading, ALineOfTenMebibytes) {
  const std::string much(10 << 20, 'x');
  const Lines received = read(typed(much) + "\n" + typed("on") + "\n");
  ASSERT_EQ(received.size(), 2U);
  EXPECT_TRUE(received[0] == "typed: " + much);
  EXPECT_EQ(received[1], "typed: on");
}

TEST_P(EditorReading, ALineBeyondTheLimitIsPassedOverAndOnlyAnObjectAnswered) {
  const std::string much(300, 'x');
  Reader reader(GetParam(), 200);
  reader.give(much + "\n" + typed("1") + "\n");
  reader.give(typed(much) + "\n" + typed("2") + "\n");
  reader.give(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
              "\n");
  EXPECT_EQ(reader.received, (Lines{"typed: 1", "typed: 2"}));
  EXPECT_EQ(reader.answered(2),
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"a line of more than 200 bytes was "
            "dropped\"}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"pong\":true}}\n");
}

}  // namespace
}  // namespace parlance::editor
