// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/flaky_connection.h"

#include <string>
#include <utility>
#include <vector>

#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::simulator {

using namespace std::chrono_literals;

namespace {

constexpr MemoryOptions small_buffers{.capacity = 16 << 10};  // A pause of a reader soon reaches the writer.

// The two ends between which the frames travel.
struct Middle {
  std::unique_ptr<Frames> near;
  std::unique_ptr<Frames> far;
  bool cut = false;
};

// What a liar sends in place of a frame. `kept`: a frame for later.
std::vector<std::string> lies(Random& random, std::string frame, std::string& kept) {
  switch (random.below(3)) {
    case 0: return {};
    case 1: return {frame, frame};
    default: break;
  }
  std::swap(frame, kept);
  return frame.empty() ? std::vector<std::string>{} : std::vector{frame};
}

Task<void> carry(Setting& setting, std::shared_ptr<Middle> middle, Frames& from, Frames& to, bool is_liar) {
  Random& random = setting.random;
  const Faults& faults = setting.faults;
  std::string kept;
  while (!middle->cut) {
    const FramesRead batch = co_await read_frames(from);
    if (!batch || batch->empty()) break;
    for (const BytesView frame : *batch) {
      if (random.chance(faults.late_frame)) co_await sleep_for(setting.loop, random.between(0s, faults.latest_frame));
      if (random.chance(faults.idle_reader)) co_await sleep_for(setting.loop, random.between(0s, faults.longest_idleness));
      while (to.congested() && !middle->cut) co_await to.drained().wait();
      middle->cut = middle->cut || random.chance(faults.cut_connection);
      if (middle->cut) break;
      std::vector<std::string> sent{std::string(frame)};
      if (is_liar && random.chance(faults.lying_runner)) sent = lies(random, std::string(frame), kept);
      for (const std::string& each : sent)
        if (!to.send(each)) setting.ledger.wrong("a frame is too long for its connection");
    }
  }
  middle->cut = true;
  middle->near->close();
  middle->far->close();
}

}  // namespace

std::pair<std::unique_ptr<Frames>, std::unique_ptr<Frames>> flaky_connection(Setting& setting, Scope& scope, Liar liar) {
  const auto framed = [&](std::unique_ptr<ByteStream> stream) {
    return framed_stream(setting.loop, std::move(stream), line_framing());
  };
  auto [near, inner_near] = memory_pair(setting.loop, small_buffers);
  auto [inner_far, far] = memory_pair(setting.loop, small_buffers);
  const auto middle = std::make_shared<Middle>(framed(std::move(inner_near)), framed(std::move(inner_far)));
  scope.start(carry(setting, middle, *middle->near, *middle->far, liar == Liar::near));
  scope.start(carry(setting, middle, *middle->far, *middle->near, false));
  return {framed(std::move(near)), framed(std::move(far))};
}

}  // namespace parlance::simulator
