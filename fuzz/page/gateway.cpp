// SPDX-License-Identifier: Apache-2.0
// Any frames as the messages of a gateway, for a program with a remote hub that follows a conversation and sends commands. Checks:
// every turn of the loop ends, the events of a follower have consecutive numbers, and the hub can be destroyed at any time.
//
// The first byte selects the cuts of the bytes; the rest is sent.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "fuzz/turns.h"
#include "parlance/base/check.h"
#include "parlance/codec/json/typed.h"
#include "parlance/driver/page/remote_hub.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/follower.h"
#include "parlance/protocol/page/messages.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace {

using namespace parlance;
using namespace std::chrono_literals;

Task<void> work(hub::Hub& hub) {
  hub::Follower follower(hub, "c", 0);
  static_cast<void>(co_await hub.submit("c", hub::SendPrompt{.text = "hello"}));
  for (std::uint64_t last = 0;;) {
    const auto batch = co_await follower.next();
    if (!batch) co_return;
    for (const hub::EventPtr& event : batch->events) {
      PARLANCE_CHECK(event->seq > last, "events in order, each once");
      last = event->seq;
      if (const hub::Ask* const ask = ask_of(event->body))
        static_cast<void>(co_await hub.submit(
            "c", hub::AnswerRequest{.request = ask->id, .answer = {.digest = ask->digest, .option = "allow_once"}}));
    }
  }
}

Task<void> live(driver::RemoteHub& remote) {
  if (co_await remote.start()) co_await work(remote.hub());
}

void talk(std::uint8_t how, BytesView bytes) {
  Loop loop(Loop::Time::virtual_);
  fuzz::Turns turns(loop, bytes.size());
  auto [hand, near] =
      memory_pair(loop, {.one_byte_reads = (how & 0x40) != 0, .capacity = std::max<std::size_t>(bytes.size(), 64 << 10)});
  std::unique_ptr<ByteStream> once = std::move(near);
  driver::GatewayStoreSettings settings;
  settings.connection = {.connect = [&]() -> Task<Result<std::unique_ptr<Frames>>> {
                           if (!once) co_return fail(Errc::denied, "one connection");
                           co_return framed_stream(loop, std::move(once), line_framing());
                         },
                         .changed = [](const Error*) {}};
  driver::RemoteHub remote(loop, std::move(settings));
  Scope scope(loop);
  scope.start(live(remote));
  turns.run();
  turns.feed(*hand, bytes, how & 0x3f, 200ms);
  turns.pass(1s);
  hand.reset();
  turns.pass(1min);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  fuzz::arm_watchdog();
  const BytesView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (const auto read = json::from_text<page::HostMessage>(bytes))
    PARLANCE_CHECK(json::from_text<page::HostMessage>(json::to_text(*read)).has_value(), "what is written can be read");
  talk(data[0], bytes);
  return 0;
}
