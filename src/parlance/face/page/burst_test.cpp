// SPDX-License-Identifier: Apache-2.0
// Bursts for reading and non-reading pages: queues stay bounded, and no event is lost.
#include <gtest/gtest.h>

#include "parlance/face/page/test_support.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/transport/http/websocket_frames.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using test::PageBench;
using test::TestPage;

constexpr std::size_t piece_bytes = 4 << 10;
constexpr int pieces = 400;
constexpr std::size_t delta_room = 80 << 10;  // 64 KiB, the change beyond the limit, and the frame

void burst(PageBench& bench) {
  for (int i = 0; i < pieces; ++i)
    bench.hub->service_changed(
        {.name = "s", .state = hub::Health::ready, .detail = std::to_string(i) + ":" + std::string(piece_bytes, 'x')});
}

TEST(PageBurst, ArrivesWholeAndInOrderInDeltasOfBoundedSize) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  bench.loop.advance(1s);
  page.pause();
  burst(bench);
  bench.loop.advance(1s);
  page.go_on();
  bench.loop.advance(1s);
  EXPECT_EQ(page.gaps, 0U);
  EXPECT_EQ(page.count("snapshot"), 1U) << "nothing was lost";
  EXPECT_GE(page.count("delta"), pieces * piece_bytes / delta_room);
  int next = 0;
  for (const json::Value& message : page.received) {
    if (message.text_or("type", "") != "delta") continue;
    EXPECT_LE(json::to_text(message).size(), delta_room);
    for (const json::Value& op : *message.find("ops")->array()) {
      const std::string detail(op.find("service")->text_or("detail", ""));
      EXPECT_EQ(detail.substr(0, detail.find(':')), std::to_string(next++));
    }
  }
  EXPECT_EQ(next, pieces);
}

TEST(PageBurst, ForDeafPagesWaitsWhereAllShareIt) {
  PageBench bench;
  std::vector<std::unique_ptr<ByteStream>> deaf;
  std::vector<Frames*> outputs;  // of the server; closed with the connection
  websocket::MaskSource masks;
  for (int i = 0; i < 50; ++i) {
    auto [near, far] = memory_pair(bench.loop, {.capacity = 1 << 10});
    auto frames = websocket_frames(bench.loop, std::move(far), {.role = websocket::Role::server, .ping = 0ms});
    outputs.push_back(frames.get());
    bench.server.serve(std::move(frames), *bench.hub);
    std::string ready;
    websocket::append_frame(ready, websocket::Opcode::text, R"({"type":"ready"})", &masks);
    ASSERT_EQ(near->try_write(ready), ready.size());
    deaf.push_back(std::move(near));
  }
  bench.loop.advance(1s);
  TestPage reader(bench.loop, bench.server, *bench.hub);
  reader.ready();
  burst(bench);
  bench.loop.advance(1s);
  // At most a snapshot and a delta wait for each page; the rest is in its watcher, shared by all watchers.
  for (Frames* output : outputs) EXPECT_LE(output->queued_bytes(), delta_room + (64 << 10));
  EXPECT_EQ(reader.gaps, 0U) << "and who reads is not held up";
  EXPECT_GE(reader.count("delta"), pieces * piece_bytes / delta_room);
}

// A page requests a conversation of 12 MB eight times without reading: a single bounded answer waits, and the last answer arrives
// in the end.
TEST(PageBurst, ADeafPageThatOpensALongConversationHoldsOnePageOfEvents) {
  PageBench bench;
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    for (int i = 0; i < 30; ++i) turn.emit(hub::event::Notice{.text = std::string(400'000, 'x')});
    co_return hub::StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.advance(50ms);
  auto [near, far] = memory_pair(bench.loop, {.capacity = 1 << 10});
  auto frames = websocket_frames(bench.loop, std::move(far), {.role = websocket::Role::server, .ping = 0ms});
  Frames* const output = frames.get();
  bench.server.serve(std::move(frames), *bench.hub);
  websocket::MaskSource masks;
  const auto send = [&](const std::string& message) {
    std::string bytes;
    websocket::append_frame(bytes, websocket::Opcode::text, message, &masks);
    ASSERT_EQ(near->try_write(bytes), bytes.size());
    bench.loop.advance(50ms);
  };
  send(R"({"type":"ready"})");
  std::size_t most = 0;
  for (int i = 0; i < 8; ++i) {
    send(R"({"type":"open","request":")" + std::to_string(i) + R"(","conversation":")" + id + R"(","after":0})");
    most = std::max(most, output->queued_bytes());
  }
  EXPECT_GT(most, 3U << 20) << "a page of events is on its way";
  EXPECT_LE(most, 5U << 20);
}

}  // namespace
}  // namespace parlance::face
