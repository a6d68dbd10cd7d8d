// SPDX-License-Identifier: Apache-2.0
// Any bytes, cut anywhere, over the connection between a runner and its gateway, on both sides. Covers stream, framing, the
// shared connection or the peer, dialect and driver or frontend, with a hub. At the gateway, a person meanwhile begins a
// conversation with an offered agent, prompts, searches files and deletes the conversation. Checks: every turn of the loop ends,
// all sent data is lines of JSON. After the end of the other side, the connection has ended, together with all its waiters.
//
// The first byte selects the side, the second the cuts of the bytes; the rest is sent.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "fuzz/line_reader.h"
#include "fuzz/turns.h"
#include "parlance/base/log.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/runners.h"
#include "parlance/face/acp/hub_over_acp.h"
#include "parlance/face/acp/hub_sessions.h"
#include "parlance/face/acp/runner_offer.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/test_support.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace {

using namespace parlance;
using namespace std::chrono_literals;

void check_line(std::string_view line) { PARLANCE_CHECK(line.empty() || json::is_valid(line), "what is sent is a line of JSON"); }

// An end of the connection, started over the stream and checked for its end.
class Side {
 public:
  virtual ~Side() = default;
  virtual void act() {}  // once more came
  virtual bool ended() const = 0;
};

// With a person's actions as soon as the runner offers an agent, a step each time.
class GatewaySide final : public Side {
 public:
  GatewaySide(hub::test::Bench& bench, std::unique_ptr<Frames> frames)
      : hub_(*bench.hub), runners_(bench.loop, hub_, "1"), scope_(bench.loop) {
    runners_.serve(std::move(frames), hub::person_of_this_machine());
  }
  void act() override {
    for (const hub::AgentInfo& one : hub_.agents())
      if (one.runner) agent_ = one.id;
    if (agent_.empty()) return;
    const int step = step_++;
    if (step == 0) scope_.start(begin(*this));
    if (step == 1) scope_.start(look(*this));
    if (step == 6) scope_.start(end(*this));
  }
  bool ended() const override { return runners_.connected() == 0 && waiting_ == 0; }

 private:
  struct Waits {
    int& count;
    explicit Waits(GatewaySide& side) : count(side.waiting_) { ++count; }
    ~Waits() { --count; }
    Waits(const Waits&) = delete;
    Waits& operator=(const Waits&) = delete;
  };
  static Task<void> begin(GatewaySide& self) {
    const Waits waits(self);
    const auto made = co_await self.hub_.create({.agent = self.agent_, .folder = "/f", .mode = hub::Mode::yolo});
    if (!made) co_return;
    self.conversation_ = made->id;
    static_cast<void>(co_await self.hub_.submit(made->id, hub::SendPrompt{.text = "hello"}));
  }
  static Task<void> look(GatewaySide& self) {
    const Waits waits(self);
    const auto found = co_await self.hub_.find_files(self.agent_, {.folders = {"/f"}, .typed = "a"});
    if (found) PARLANCE_CHECK(found->paths.size() <= 20, "no more files than a list shows");
  }
  static Task<void> end(GatewaySide& self) {
    const Waits waits(self);
    static_cast<void>(co_await self.hub_.submit(self.conversation_, hub::RemoveConversation{}));
  }

  hub::Hub& hub_;
  driver::Runners runners_;
  std::string agent_;
  std::string conversation_;
  int step_ = 0;
  int waiting_ = 0;
  Scope scope_;  // goes first
};

Task<Result<hub::StopReason>> play(hub::Turn& turn, hub::Prompt prompt) {
  turn.emit(hub::event::Text{prompt.text});
  turn.emit(hub::event::ToolStart{.call = "c", .tool = "bash", .title = "rm x", .input_json = R"({"command":"rm x"})"});
  auto answer = co_await turn.ask({.call = "c", .tool = "bash", .title = "rm x", .options = hub::once_offer()});
  if (!answer) co_return std::unexpected(answer.error());
  turn.emit(hub::event::ToolEnd{.call = "c", .state = hub::ToolEndState::done});
  co_return turn.cancelled() ? hub::StopReason::cancelled : hub::StopReason::end_turn;
}

Task<Result<std::string>> any_folder(std::string, std::string folder) { co_return folder; }

class RunnerSide final : public Side {
 public:
  RunnerSide(hub::test::Bench& bench, std::unique_ptr<Frames> frames)
      : folders_(bench.loop, {}),
        names_(bench.loop),
        sessions_(*bench.hub),
        frontend_(bench.loop, sessions_, {.version = "1", .check_folder = any_folder}),
        offer_({.name = "box", .account = "mira", .host = "box", .agents = {{.id = "a", .name = "A"}}, .folders = {"/f"}},
               {.folders = folders_, .names = names_, .wanted = [](std::vector<std::string>, bool) -> Task<void> { co_return; }},
               [] {}),
        scope_(bench.loop) {
    scope_.start([](RunnerSide& self, std::unique_ptr<Frames> over) -> Task<void> {
      static_cast<void>(co_await self.frontend_.serve(std::move(over), acp::Flavour::standard, &self.offer_));
      self.ended_ = true;
    }(*this, std::move(frames)));
  }
  bool ended() const override { return ended_ && frontend_.connections() == 0; }

 private:
  workspace::OfferedFolders folders_;
  workspace::FileNames names_;
  face::HubSessions sessions_;
  face::AcpFrontend frontend_;
  face::RunnerOffer offer_;
  bool ended_ = false;
  Scope scope_;  // goes first
};

void talk(std::uint8_t which, std::uint8_t how, BytesView bytes) {
  hub::test::Bench bench;
  bench.script = play;
  fuzz::Turns turns(bench.loop, bytes.size());
  auto [hand, near] =
      memory_pair(bench.loop, {.one_byte_reads = (how & 0x40) != 0, .capacity = std::max<std::size_t>(bytes.size(), 64 << 10)});
  auto reader = std::make_unique<LineReader>(*hand, check_line);
  auto frames = framed_stream(bench.loop, std::move(near), line_framing());
  std::unique_ptr<Side> side;
  if ((which & 1) == 0) side = std::make_unique<GatewaySide>(bench, std::move(frames));
  else side = std::make_unique<RunnerSide>(bench, std::move(frames));
  turns.run();

  turns.feed(*hand, bytes, how & 0x3f, 100ms, [&] { side->act(); });
  turns.pass(1s);
  reader.reset();
  hand.reset();
  turns.pass(5min);
  PARLANCE_CHECK(side->ended(), "a connection ends with its other side, and all that waited for it");
  bench.loop.block_on(bench.hub->stop_all());
}

}  // namespace

// Warnings about hostile input are not findings.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  set_log({.level = LogLevel::error});
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  fuzz::arm_watchdog();
  talk(data[0], data[1], {reinterpret_cast<const char*>(data) + 2, size - 2});
  return 0;
}
