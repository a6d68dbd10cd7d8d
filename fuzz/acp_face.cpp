// SPDX-License-Identifier: Apache-2.0
// Any bytes, cut anywhere, as the input of an ACP client: stream, framing, dialect, peer and frontend, with a hub whose agent
// sends text, calls a tool and asks. Checks: every turn of the loop ends, all answers are lines of JSON, and after the client's
// end its connection has ended and the hub can be stopped.
//
// The first byte selects the setup of the frontend, the second the cuts of the bytes; the rest is sent.
#include <algorithm>
#include <memory>
#include <string>

#include "fuzz/line_reader.h"
#include "fuzz/turns.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/acp/hub_over_acp.h"
#include "parlance/face/acp/hub_sessions.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/test_support.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace {

using namespace parlance;
using namespace std::chrono_literals;

void check_line(std::string_view line) {
  PARLANCE_CHECK(line.empty() || line.starts_with("//") || json::is_valid(line), "an answer that is a line of JSON");
}

Task<Result<hub::StopReason>> play(hub::Turn& turn, hub::Prompt prompt) {
  turn.emit(hub::event::ThinkingContent{"hm"});
  turn.emit(hub::event::Text{prompt.text});
  turn.emit(hub::event::ToolStart{.call = "c", .tool = "bash", .title = "rm x", .input_json = R"({"command":"rm x"})"});
  auto answer = co_await turn.ask({.call = "c", .tool = "bash", .title = "rm x", .options = hub::once_offer()});
  if (!answer) co_return std::unexpected(answer.error());
  turn.emit(hub::event::ToolEnd{.call = "c", .state = hub::ToolEndState::done});
  if (prompt.text.starts_with("q")) {
    hub::AskRequest question{.kind = hub::AskKind::question, .title = "which"};
    question.questions = {{.header = "h", .question = "which?", .options = {{.label = "a"}, {.label = "b"}}}};
    PARLANCE_CO_TRY_DO(co_await turn.ask(std::move(question)));
  }
  co_return turn.cancelled() ? hub::StopReason::cancelled : hub::StopReason::end_turn;
}

Task<Result<std::string>> any_folder(std::string, std::string folder) {
  if (!folder.starts_with("/")) co_return fail(Errc::invalid_params, "no absolute path");
  co_return folder;
}

Task<void> serve(face::AcpFrontend& frontend, std::unique_ptr<Frames> frames, acp::Flavour flavour, bool& ended) {
  co_await frontend.serve(std::move(frames), flavour);
  ended = true;
}

void talk(std::uint8_t setup, std::uint8_t how, BytesView bytes) {
  hub::test::Bench bench;
  bench.script = play;
  fuzz::Turns turns(bench.loop, bytes.size());
  face::HubSessions sessions(*bench.hub);
  face::AcpFrontend frontend(bench.loop, sessions, {.version = "1", .alone = (setup & 2) != 0, .check_folder = any_folder});
  const auto flavour = (setup & 1) != 0 ? acp::Flavour::iflow : acp::Flavour::standard;
  auto [hand, near] =
      memory_pair(bench.loop, {.one_byte_reads = (how & 0x40) != 0, .capacity = std::max<std::size_t>(bytes.size(), 64 << 10)});
  auto reader = std::make_unique<LineReader>(*hand, check_line);
  bool ended = false;
  Scope scope(bench.loop);
  scope.start(serve(frontend, framed_stream(bench.loop, std::move(near), line_framing()), flavour, ended));
  turns.run();

  turns.feed(*hand, bytes, how & 0x3f, 100ms);
  turns.pass(1s);
  reader.reset();
  hand.reset();
  turns.pass(1min);
  PARLANCE_CHECK(ended, "a connection ends with its client");
  PARLANCE_CHECK(frontend.connections() == 0, "nothing of it is left");
  bench.loop.block_on(bench.hub->stop_all());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  fuzz::arm_watchdog();
  talk(data[0], data[1], {reinterpret_cast<const char*>(data) + 2, size - 2});
  return 0;
}
