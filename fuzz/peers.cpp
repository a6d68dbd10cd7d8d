// SPDX-License-Identifier: Apache-2.0
// Any bytes, cut anywhere, as the input of a connection: stream, framing, dialect and peer together, on both sides of every
// protocol, with running handlers and pending calls. Checks: a turn without further events ends; after the end of the other side
// the peer has ended, every call has its outcome, and no handler runs.
//
// The first byte selects the program, the second the cuts of the bytes and their end; the rest is sent.
#include <algorithm>
#include <memory>

#include "fuzz/peer_programs.h"
#include "fuzz/turns.h"
#include "parlance/base/check.h"
#include "parlance/transport/memory.h"

namespace {

using namespace parlance;
using namespace std::chrono_literals;
using fuzz::arm_watchdog;
using fuzz::Program;
using fuzz::Turns;
using fuzz::Work;

// Reads and drops all input.
class Listener final : private IoDone {
 public:
  explicit Listener(ByteStream& stream) : stream_(stream) { stream_.start_read(buffer_, *this); }

 private:
  void on_io(Result<std::size_t> bytes) override {
    if (bytes && *bytes != 0) stream_.start_read(buffer_, *this);
  }
  ByteStream& stream_;
  char buffer_[4096];
};

void talk(std::uint8_t which, std::uint8_t how, BytesView bytes) {
  Loop loop(Loop::Time::virtual_);
  Turns turns(loop, bytes.size());
  Work work{loop};
  auto [hand, near] =
      memory_pair(loop, {.one_byte_reads = (how & 0x40) != 0, .capacity = std::max<std::size_t>(bytes.size(), 64 << 10)});
  const std::unique_ptr<Program> program = fuzz::begin(which, work, std::move(near));
  auto listener = std::make_unique<Listener>(*hand);
  turns.run();

  const std::size_t cut = how & 0x3f;  // 0: all at once
  while (!bytes.empty()) {
    const BytesView piece = cut == 0 ? bytes : bytes.substr(0, cut);
    if (hand->try_write(piece) == 0) break;  // already ended
    bytes.remove_prefix(piece.size());
    turns.run();
  }
  const bool hangs_up = (how & 0x80) != 0;
  if (hangs_up) {
    listener.reset();
    hand.reset();
  } else {
    hand->close_output();
  }
  turns.pass(1min);  // earlier input is still read, at the speed of the notice handlers
  if (hangs_up) {
    PARLANCE_CHECK(program->ended(), "a peer ends with its connection");
    PARLANCE_CHECK(work.running == 0, "no handler runs for a peer that is gone");
  }
  for (int hours = 0; hours < 10'000 && !program->ended(); ++hours) turns.pass(1h);
  PARLANCE_CHECK(program->ended(), "a peer whose handlers are done ends");
  turns.pass(1min);
  PARLANCE_CHECK(work.running == 0, "no handler outlives its connection");
  PARLANCE_CHECK(work.open == 0, "every call has an outcome");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  arm_watchdog();
  talk(data[0], data[1], {reinterpret_cast<const char*>(data) + 2, size - 2});
  return 0;
}
