// SPDX-License-Identifier: Apache-2.0
// Any frames as the messages of a webview, with a hub whose agent sends text, calls a tool and asks. Checks: every turn of the
// loop ends, all answers are declared messages, and after the webview's end the hub can be stopped.
//
// The first byte selects the cuts of the bytes; the rest is sent.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "fuzz/line_reader.h"
#include "fuzz/turns.h"
#include "parlance/base/check.h"
#include "parlance/codec/json/typed.h"
#include "parlance/face/webview/hub_over_webview.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/webview/messages.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace {

using namespace parlance;
using namespace std::chrono_literals;

void check_line(std::string_view line) {
  PARLANCE_CHECK(json::from_text<webview::HostMessage>(line).has_value(), "an answer that is a declared message");
}

Task<Result<hub::StopReason>> play(hub::Turn& turn, hub::Prompt prompt) {
  turn.emit(hub::event::ThinkingContent{"hm"});
  turn.emit(hub::event::Text{prompt.text + "\n```x\n"});
  turn.emit(hub::event::ToolStart{.call = "c", .tool = "bash", .title = "rm x", .input_json = R"({"command":"rm x"})"});
  auto answer = co_await turn.ask({.call = "c", .tool = "bash", .title = "rm x", .options = hub::once_offer()});
  if (!answer) co_return std::unexpected(answer.error());
  turn.emit(hub::event::ToolEnd{.call = "c", .state = hub::ToolEndState::done});
  hub::AskRequest question{.kind = hub::AskKind::question, .title = "which"};
  question.questions = {{.header = "h", .question = "which?", .options = {{.label = "a"}, {.label = "b"}}}};
  PARLANCE_CO_TRY_DO(co_await turn.ask(std::move(question)));
  co_return turn.cancelled() ? hub::StopReason::cancelled : hub::StopReason::end_turn;
}

void talk(std::uint8_t how, BytesView bytes) {
  hub::test::Bench bench;
  bench.script = play;
  bench.conversation();  // of a missing folder: no message reads a file
  fuzz::Turns turns(bench.loop, bytes.size());
  face::WebviewServer server(bench.loop, {.home = "/nowhere", .default_folder = "/nowhere"});
  auto [hand, near] =
      memory_pair(bench.loop, {.one_byte_reads = (how & 0x40) != 0, .capacity = std::max<std::size_t>(bytes.size(), 64 << 10)});
  auto reader = std::make_unique<LineReader>(*hand, check_line);
  server.serve(framed_stream(bench.loop, std::move(near), line_framing()), *bench.hub, face::WebviewPeer::this_machine);
  turns.run();
  turns.feed(*hand, bytes, how & 0x3f, 200ms);
  turns.pass(1s);
  reader.reset();
  hand.reset();
  turns.pass(1min);
  bench.loop.block_on(bench.hub->stop_all());
  PARLANCE_CHECK(server.statistics().webviews <= 1, "one connection");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  fuzz::arm_watchdog();
  const BytesView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (const auto read = json::from_text<webview::PageMessage>(bytes))
    PARLANCE_CHECK(json::from_text<webview::PageMessage>(json::to_text(*read)).has_value(), "what is written can be read");
  talk(data[0], bytes);
  return 0;
}
