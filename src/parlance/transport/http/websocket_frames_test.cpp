// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/websocket_frames.h"

#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/memory.h"
#include "parlance/transport/shared_output.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
namespace close_code = websocket::close_code;

// Two ends in memory. Time is virtual: waiting costs nothing.
struct Pair {
  explicit Pair(MemoryOptions options = {}, WebSocketSettings settings = {}) {
    auto [a, b] = memory_pair(loop, options);
    settings.role = websocket::Role::client;
    client = websocket_frames(loop, std::move(a), settings);
    settings.role = websocket::Role::server;
    server = websocket_frames(loop, std::move(b), settings);
  }
  Loop loop{Loop::Time::virtual_};
  std::unique_ptr<WebSocketFrames> client;
  std::unique_ptr<WebSocketFrames> server;
};

// An end, and its other side as raw bytes.
struct Half {
  explicit Half(WebSocketSettings settings = {.role = websocket::Role::server}) {
    auto [a, b] = memory_pair(loop);
    wire = std::move(a);
    frames = websocket_frames(loop, std::move(b), std::move(settings));
  }
  void put(BytesView bytes) { EXPECT_EQ(wire->try_write(bytes), bytes.size()); }
  void put_frame(websocket::Opcode opcode, BytesView payload) {
    Bytes bytes;
    websocket::append_frame(bytes, opcode, payload, &masks);
    put(bytes);
  }
  Bytes take() {
    Bytes buffer(4096, '\0');
    const auto read = [&]() -> Task<std::size_t> { co_return (co_await read_some(*wire, buffer)).value_or(0); };
    buffer.resize(loop.block_on(read()));
    return buffer;
  }
  Loop loop{Loop::Time::virtual_};
  websocket::MaskSource masks;
  std::unique_ptr<ByteStream> wire;
  std::unique_ptr<WebSocketFrames> frames;
};

Task<Result<std::vector<Bytes>>> read_batch(Frames& frames) {
  const auto batch = co_await read_frames(frames);
  if (!batch) co_return fail(batch.error());
  co_return std::vector<Bytes>(batch->begin(), batch->end());
}
// Messages up to a clean end, or the error's text as the last.
Task<std::vector<Bytes>> read_to_end(Frames& frames) {
  std::vector<Bytes> all;
  for (;;) {
    const auto batch = co_await read_batch(frames);
    if (!batch) all.push_back("error: " + batch.error().message);
    if (!batch || batch->empty()) co_return all;
    all.insert(all.end(), batch->begin(), batch->end());
  }
}

TEST(WebSocketFrames, MessagesOfAnySizeArriveWholeAndInOrder) {
  for (const bool one_byte : {false, true}) {
    Pair pair({.one_byte_reads = one_byte});
    std::vector<Bytes> sent{"first", "", std::string(126, 'b'), std::string(one_byte ? 3000 : 70'000, 'c'), "last"};
    for (const Bytes& message : sent) EXPECT_TRUE(pair.client->send(message));
    pair.client->finish();
    EXPECT_EQ(pair.loop.block_on(read_to_end(*pair.server)), sent);
    for (const Bytes& message : sent) EXPECT_TRUE(pair.server->send(message));  // dropped: the closing handshake is done
    EXPECT_EQ(pair.loop.block_on(read_to_end(*pair.client)), std::vector<Bytes>{});
    EXPECT_EQ(pair.client->close_code(), close_code::normal);
    EXPECT_EQ(pair.server->close_code(), close_code::normal);
  }
}

TEST(WebSocketFrames, FramesOfATurnLeaveAndArriveTogether) {
  Pair pair;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(pair.server->send(std::to_string(i)));
  const auto batch = pair.loop.block_on(read_batch(*pair.client));
  ASSERT_TRUE(batch);
  EXPECT_EQ(*batch, (std::vector<Bytes>{"0", "1", "2", "3", "4"}));
}

TEST(WebSocketFrames, AFrameWithAFailedCompositionIsNotSent) {
  Pair pair;
  EXPECT_TRUE(pair.server->send("a"));
  const auto failed = pair.server->compose([](std::string& out) -> Result<void> {
    out += "half of";
    return fail(Errc::failed, "no");
  });
  EXPECT_FALSE(failed);
  EXPECT_TRUE(pair.server->send("b"));
  EXPECT_EQ(*pair.loop.block_on(read_batch(*pair.client)), (std::vector<Bytes>{"a", "b"}));
}

TEST(WebSocketFrames, BinaryMessagesAreReadLikeTextUnlessOnlyTextIsWanted) {
  Half half;
  half.put_frame(websocket::Opcode::binary, "bytes");
  EXPECT_EQ(half.loop.block_on(read_batch(*half.frames)).value(), std::vector<Bytes>{"bytes"});
  half.frames->only_text();
  half.put_frame(websocket::Opcode::binary, "dropped");
  half.put_frame(websocket::Opcode::text, "words");
  EXPECT_EQ(half.loop.block_on(read_batch(*half.frames)).value(), std::vector<Bytes>{"words"});
}

TEST(WebSocketFrames, APingIsAnsweredInTheMiddleOfAMessage) {
  Half half;
  Bytes first;
  websocket::append_frame(first, websocket::Opcode::text, "one ", &half.masks);
  first[0] = static_cast<char>(first[0] & 0x7F);
  half.put(first);
  half.put_frame(websocket::Opcode::ping, "there?");
  half.put_frame(websocket::Opcode::continuation, "message");
  EXPECT_EQ(*half.loop.block_on(read_batch(*half.frames)), std::vector<Bytes>{"one message"});
  EXPECT_EQ(half.take(), Bytes("\x8A\x06there?"));
}

TEST(WebSocketFrames, ABrokenRuleIsAnsweredWithItsCode) {
  const auto end_of = [](BytesView bytes, std::size_t limit = 1 << 20) {
    Half half({.role = websocket::Role::server, .message_bytes = limit});
    half.put(bytes);
    const auto all = half.loop.block_on(read_to_end(*half.frames));
    EXPECT_EQ(all.size(), 1U);
    const Bytes close = half.take();
    EXPECT_EQ(close.at(0), '\x88');
    return static_cast<int>(static_cast<unsigned char>(close.at(2))) << 8 | static_cast<unsigned char>(close.at(3));
  };
  EXPECT_EQ(end_of("\x81\x05Hello"), close_code::protocol_error);  // not masked
  using namespace std::string_view_literals;
  EXPECT_EQ(end_of("\x81\x81\0\0\0\0\xFF"sv), close_code::bad_text);
  EXPECT_EQ(end_of("\x81\xFE\x04\x01"sv, 1024), close_code::too_large);
}

TEST(WebSocketFrames, MessagesBeforeAnErrorAreDeliveredFirst) {
  Half half;
  half.put_frame(websocket::Opcode::text, "good");
  half.put("\x81\x05Hello");
  const auto all = half.loop.block_on(read_to_end(*half.frames));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], "good");
  EXPECT_EQ(all[1], "error: memory: a client's frame is not masked");
  const auto again = half.loop.block_on(read_to_end(*half.frames));
  EXPECT_EQ(again, std::vector<Bytes>{all[1]}) << "an end of reading is final";
}

TEST(WebSocketFrames, ACloseForAReasonIsReportedWithItsCode) {
  Pair pair;
  EXPECT_TRUE(pair.server->send("before"));
  pair.server->close_with(4401, "token");
  const auto all = pair.loop.block_on(read_to_end(*pair.client));
  EXPECT_EQ(all, (std::vector<Bytes>{"before", "error: memory: closed with 4401: token"}));
  EXPECT_EQ(pair.client->close_code(), 4401);
  EXPECT_EQ(pair.client->close_reason(), "token");
  EXPECT_EQ(pair.loop.block_on(read_to_end(*pair.server)), std::vector<Bytes>{});  // a normal end for itself
}

TEST(WebSocketFrames, AReadInProgressEndsWhenItsOwnSideCloses) {
  Pair pair;
  const auto reader = pair.loop.block_on([](Pair& p) -> Task<Result<std::vector<Bytes>>> {
    Scope scope(p.loop);
    std::optional<Result<std::vector<Bytes>>> seen;
    const auto read = [&]() -> Task<void> { seen = co_await read_batch(*p.client); };
    scope.start(read());
    p.client->close();
    co_await scope.join();
    co_return *std::move(seen);
  }(pair));
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, Errc::disconnected);
}

TEST(WebSocketFrames, AnEndWithoutACloseFrameIsAnError) {
  Half half;
  half.wire->close_output();
  const auto batch = half.loop.block_on(read_batch(*half.frames));
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, Errc::disconnected);
  EXPECT_EQ(half.frames->close_code(), close_code::abnormal);
}

TEST(WebSocketFrames, DestroyingAnEndSendsGoingAway) {
  Pair pair;
  EXPECT_TRUE(pair.server->send("bye"));
  pair.server.reset();
  EXPECT_EQ(pair.loop.block_on(read_to_end(*pair.client)), std::vector<Bytes>{"bye"});
  EXPECT_EQ(pair.client->close_code(), close_code::going_away);
}

TEST(WebSocketFrames, PingsKeepALivingPeerAndEndADeadPeer) {
  Pair pair({}, {.ping = 30s});
  Scope scope(pair.loop);
  std::optional<Result<std::vector<Bytes>>> at_server;
  const auto server_reads = [&]() -> Task<void> { at_server = co_await read_batch(*pair.server); };
  scope.start(server_reads());
  {
    Scope client_scope(pair.loop);
    const auto client_reads = [&]() -> Task<void> { co_await read_batch(*pair.client); };
    client_scope.start(client_reads());
    pair.loop.advance(10min);
    EXPECT_FALSE(at_server.has_value());
  }
  Half half({.role = websocket::Role::server, .ping = 30s});
  std::optional<Result<std::vector<Bytes>>> at_half;
  Scope half_scope(half.loop);
  const auto half_reads = [&]() -> Task<void> { at_half = co_await read_batch(*half.frames); };
  half_scope.start(half_reads());
  half.loop.advance(89s);
  EXPECT_FALSE(at_half.has_value());
  half.loop.advance(2s);
  ASSERT_TRUE(at_half.has_value());
  EXPECT_EQ(at_half->error().message, "memory: the other side answers no ping");
}

// Counts the answers to its pings.
struct Pinged final : PingDone {
  void on_pong() override { ++answers; }
  int answers = 0;
};

TEST(WebSocketFrames, ARequestedPingIsAnsweredAfterTheOtherSideHasReadTheOutput) {
  Pair pair({}, {.ping = 30s});
  Scope scope(pair.loop);
  const auto reads = [](WebSocketFrames& frames) -> Task<void> { static_cast<void>(co_await read_to_end(frames)); };
  scope.start(reads(*pair.server));
  Pinged first;
  Pinged second;
  EXPECT_TRUE(pair.server->send("a"));
  pair.server->ping(first);
  pair.server->ping(second);
  pair.loop.advance(40s);
  EXPECT_EQ(second.answers, 0) << "without a reader";
  scope.start(reads(*pair.client));
  while (pair.loop.run_ready()) {}
  EXPECT_EQ(first.answers, 0) << "replaced by the second ping";
  EXPECT_EQ(second.answers, 1) << "answers to keepalive pings are reported once, too";
  pair.server->ping(first);
  pair.server->stop_ping();
  while (pair.loop.run_ready()) {}
  EXPECT_EQ(first.answers, 0);
}

TEST(WebSocketFrames, OfSeveralPingsTheLastMayBeAnsweredAlone) {
  Half half({.role = websocket::Role::server, .ping = 30s});
  Scope scope(half.loop);
  const auto reads = [](WebSocketFrames& frames) -> Task<void> { static_cast<void>(co_await read_to_end(frames)); };
  scope.start(reads(*half.frames));
  Pinged asked;
  half.frames->ping(asked);
  EXPECT_EQ(half.take(), std::string("\x89\x01") + "1");
  half.loop.advance(31s);
  EXPECT_EQ(half.take(), std::string("\x89\x01") + "1") << "the clock's asks for the same";
  half.put_frame(websocket::Opcode::pong, "1");
  half.loop.run_ready();
  EXPECT_EQ(asked.answers, 1);
}

TEST(WebSocketFrames, ASlowReaderDelaysItsWriterAndAStalledReaderIsClosed) {
  Pair pair({}, {.ping = 0s, .stall = 120s});
  const std::string message(64 << 10, 'x');
  int sent = 0;
  while (!pair.server->congested()) {
    EXPECT_TRUE(pair.server->send(message));
    pair.loop.run_ready();
    ++sent;
  }
  EXPECT_LT(sent, 12);
  {
    Scope scope(pair.loop);
    bool drained = false;
    const auto wait = [&]() -> Task<void> {
      co_await pair.server->drained().wait();
      drained = true;
    };
    scope.start(wait());
    pair.loop.run_ready();
    EXPECT_FALSE(drained);
    const auto read = [&]() -> Task<void> {
      for (std::size_t bytes = 0; bytes < message.size() * static_cast<std::size_t>(sent);)
        for (const BytesView got : *co_await read_frames(*pair.client)) bytes += got.size();
    };
    pair.loop.block_on(read());
    EXPECT_TRUE(drained);
  }
  while (!pair.server->congested()) {
    EXPECT_TRUE(pair.server->send(message));
    pair.loop.run_ready();
  }
  pair.loop.advance(121s);
  const auto end = pair.loop.block_on(read_batch(*pair.server));
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().message, "memory: the other side stopped reading");
}

TEST(WebSocketFrames, BytesAfterTheUpgradeAreReadFirst) {
  websocket::MaskSource masks;
  WebSocketSettings settings{.role = websocket::Role::server, .send_first = "HTTP/1.1 101 x\r\n\r\n"};
  websocket::append_frame(settings.already_read, websocket::Opcode::text, "early", &masks);
  Half half(std::move(settings));
  EXPECT_TRUE(half.frames->send("hi"));
  EXPECT_EQ(*half.loop.block_on(read_batch(*half.frames)), std::vector<Bytes>{"early"});
  EXPECT_EQ(half.take(), "HTTP/1.1 101 x\r\n\r\n\x81\x02hi");
}

// Long parts are shared, short parts copied: all arrive unchanged and in order, regardless of the stream's pace.
TEST(WebSocketFrames, SharedPartsArriveWholeBetweenOthers) {
  for (const bool one_byte : {false, true}) {
    Pair pair({.one_byte_reads = one_byte, .capacity = 1 << 10});
    const auto text = [](std::size_t bytes, char c) { return std::make_shared<const std::string>(bytes, c); };
    const std::vector<SharedBytes> parts{text(3, 'a'), text(100'000, 'b'), text(2, 'c'), text(40'000, 'd'), text(0, 'e')};
    const std::vector<SharedBytes> short_parts{text(1, 'x'), text(2, 'y')};
    ASSERT_TRUE(pair.server->send("before"));
    ASSERT_TRUE(send_joined(*pair.server, parts));
    ASSERT_TRUE(pair.server->send("between"));
    ASSERT_TRUE(send_joined(*pair.server, short_parts));
    ASSERT_TRUE(send_joined(*pair.server, parts));
    EXPECT_EQ(pair.server->queued_bytes(), 2 * (140'005U + 10) + 6 + 2 + 7 + 2 + 3 + 2);
    pair.server->finish();
    const std::string joined = "aaa" + std::string(100'000, 'b') + "cc" + std::string(40'000, 'd');
    EXPECT_EQ(pair.loop.block_on(read_to_end(*pair.client)), (std::vector<Bytes>{"before", joined, "between", "xyy", joined}));
  }
}

TEST(WebSocketFrames, AHundredDeafConnectionsShareAText) {
  const auto text = std::make_shared<const std::string>(3 << 20, 'x');
  const std::vector<SharedBytes> parts{text};
  {
    std::vector<std::unique_ptr<Pair>> pairs;
    for (int i = 0; i < 100; ++i) {
      pairs.push_back(std::make_unique<Pair>());
      ASSERT_TRUE(send_joined(*pairs.back()->server, parts));
      pairs.back()->loop.run_ready();
      EXPECT_GT(pairs.back()->server->queued_bytes(), text->size() / 2) << "without a reader";
    }
    EXPECT_EQ(text.use_count(), 102) << "referred to, not copied";
  }
  EXPECT_EQ(text.use_count(), 2) << "and released with the connection";
}

TEST(WebSocketFrames, AClientsPartsHaveACommonMask) {
  Pair pair;
  const std::vector<SharedBytes> parts{std::make_shared<const std::string>(50'000, 'a'),
                                       std::make_shared<const std::string>("b")};
  ASSERT_TRUE(send_joined(*pair.client, parts));
  pair.client->finish();
  EXPECT_EQ(pair.loop.block_on(read_to_end(*pair.server)), (std::vector<Bytes>{std::string(50'000, 'a') + "b"}));
}

}  // namespace
}  // namespace parlance
