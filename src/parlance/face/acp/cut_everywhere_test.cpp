// SPDX-License-Identifier: Apache-2.0
// Clients cut off at every byte of a session, and clients with single-byte reads. The frontend frees all their state, no task
// waits forever, and the next client works.
#include <fstream>
#include <sstream>

#include "parlance/face/acp/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;

// Reads and collects all output.
class Listener final : private IoDone {
 public:
  explicit Listener(ByteStream& stream) : stream_(stream) { stream_.start_read(buffer_, *this); }
  std::string received;

 private:
  void on_io(Result<std::size_t> bytes) override {
    if (!bytes || *bytes == 0) return;
    received.append(buffer_, *bytes);
    stream_.start_read(buffer_, *this);
  }
  ByteStream& stream_;
  char buffer_[4096];
};

// The bytes of a client, without the two bytes for the fuzz target.
std::string session_of(const std::string& name) {
  std::ifstream in(PARLANCE_SOURCE_DIR "/fuzz/corpus/acp_face/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str().substr(2);
}

// Times of two sessions differ.
std::string without_times(std::string text) {
  constexpr std::string_view name = R"("updatedAt":")";
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + name.size()))
    text.erase(at + name.size(), text.find('"', at + name.size()) - at - name.size());
  return text;
}

// Created once for each cut position, so not a fixture.
struct CutBench final : HubOverAcp {
  CutBench() {
    bench.script = [](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
      turn.emit(hub::event::Text{"You said " + prompt.text});
      turn.emit(hub::event::ToolStart{.call = "c", .tool = "bash", .title = "rm x"});
      auto answer = co_await turn.ask({.call = "c", .tool = "bash", .title = "rm x", .options = hub::once_offer()});
      if (!answer) co_return std::unexpected(answer.error());
      turn.emit(hub::event::ToolEnd{.call = "c"});
      co_return turn.cancelled() ? hub::StopReason::cancelled : hub::StopReason::end_turn;
    };
  }
  // The output for such a client; then the client disconnects.
  std::string talk(std::string_view bytes, acp::Flavour flavour, bool one_byte = false) {
    auto [hand, near] = memory_pair(bench.loop, {.one_byte_reads = one_byte, .capacity = 64 << 10});
    auto listener = std::make_unique<Listener>(*hand);
    Scope scope(bench.loop);
    bool ended = false;
    const auto serve = [&](std::unique_ptr<ByteStream> stream) -> Task<void> {
      co_await frontend->serve(framed_stream(bench.loop, std::move(stream), line_framing()), flavour);
      ended = true;
    };
    scope.start(serve(std::move(near)));
    while (!bytes.empty()) {  // a client waits for each answer before its next message
      const std::string_view line = bytes.substr(0, bytes.find('\n') + 1 == 0 ? bytes.size() : bytes.find('\n') + 1);
      EXPECT_EQ(hand->try_write(line), line.size());
      bytes.remove_prefix(line.size());
      settle();
    }
    std::string received = listener->received;
    listener.reset();
    hand.reset();
    settle();
    EXPECT_TRUE(ended);
    EXPECT_EQ(frontend->connections(), 0U);
    return received;
  }
  void TestBody() override {}
  void expect_whole() {
    bench.loop.advance(1min);
    for (const hub::Conversation& conversation : bench.hub->snapshot().conversations)
      EXPECT_EQ(conversation.state, hub::ConversationState::idle)
          << "a client that is gone is waited for: " << bench.trace(conversation.id);
    const auto next = client();
    ASSERT_TRUE(next->initialize());
    EXPECT_EQ(next->prompt(next->begin(), "hello"), "end_turn");
  }
};

TEST(AcpFrontendCut, AtEveryByteNothingOfTheClientStays) {
  const std::string session = session_of("standard");
  ASSERT_GT(session.size(), 1000U);
  CutBench house;
  for (std::size_t at = 0; at <= session.size(); at += at < 1200 ? 1 : 7) {
    SCOPED_TRACE("cut after byte " + std::to_string(at));
    house.talk(std::string_view(session).substr(0, at), acp::Flavour::standard);
    if (testing::Test::HasFailure()) return;
  }
  house.expect_whole();
}

TEST(AcpFrontendCut, ByteByByteAsAtOnce) {
  for (const auto& [name, flavour] : {std::pair("standard", acp::Flavour::standard), std::pair("iflow", acp::Flavour::iflow)}) {
    const std::string session = session_of(name);
    const auto received_by = [&](bool one_byte) { return without_times(CutBench().talk(session, flavour, one_byte)); };
    const std::string whole = received_by(false);
    EXPECT_THAT(whole, testing::HasSubstr("session/request_permission"));
    EXPECT_EQ(received_by(true), whole);
  }
}

}  // namespace
}  // namespace parlance::face
