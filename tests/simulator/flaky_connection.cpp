// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/flaky_connection.h"

#include <string>
#include <utility>
#include <vector>

#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"
#include "tests/simulator/page_witness.h"

namespace parlance::simulator {

using namespace std::chrono_literals;

namespace {

constexpr MemoryOptions small_buffers{.capacity = 16 << 10};  // A pause of a reader soon reaches the writer.

// The two ends between which the frames travel.
struct Middle {
  Middle(std::unique_ptr<Frames> near_end, std::unique_ptr<Frames> far_end)
      : near(std::move(near_end)), far(std::move(far_end)) {}
  std::unique_ptr<Frames> near, far;
  std::shared_ptr<PageWitness> witness{};
  std::shared_ptr<bool> has_lied{};
  bool is_cut = false;

  void cut() {
    is_cut = true;
    near->close();
    far->close();
  }
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

// The frames that arrive in place of `frame`.
std::vector<std::string> arriving(Setting& setting, Middle& middle, bool from_near, std::string frame, std::string& kept) {
  if (middle.witness) {
    from_near ? middle.witness->from_page(frame) : middle.witness->from_gateway(frame);
    if (!from_near && frame.starts_with(R"({"type":"delta")") && setting.random.chance(setting.faults.lost_change)) return {};
  }
  if (!from_near || !middle.has_lied || !setting.random.chance(setting.faults.lie)) return {std::move(frame)};
  *middle.has_lied = true;
  return lies(setting.random, std::move(frame), kept);
}

Task<void> carry(Setting& setting, std::shared_ptr<Middle> middle, bool from_near) {
  Frames& from = from_near ? *middle->near : *middle->far;
  Frames& to = from_near ? *middle->far : *middle->near;
  Random& random = setting.random;
  const Faults& faults = setting.faults;
  std::string kept;
  while (!middle->is_cut) {
    const FramesRead batch = co_await read_frames(from);
    if (!batch || batch->empty()) break;
    for (const BytesView frame : *batch) {
      if (random.chance(faults.late_frame)) co_await sleep_for(setting.loop, random.between(0s, faults.latest_frame));
      if (random.chance(faults.idle_reader)) co_await sleep_for(setting.loop, random.between(0s, faults.longest_idleness));
      while (to.congested() && !middle->is_cut) co_await to.drained().wait();
      middle->is_cut = middle->is_cut || random.chance(faults.cut_connection);
      if (middle->is_cut) break;
      for (const std::string& each : arriving(setting, *middle, from_near, std::string(frame), kept))
        if (!to.send(each)) setting.ledger.wrong("a frame is too long for its connection");
    }
  }
  middle->cut();
}

Task<void> cut_liar(Signal& calm, std::shared_ptr<Middle> middle) {
  co_await calm.wait();
  if (*middle->has_lied) middle->cut();
}

Ends connection(Setting& setting, Scope& scope, std::shared_ptr<PageWitness> witness, std::shared_ptr<bool> has_lied) {
  const auto framed = [&](std::unique_ptr<ByteStream> stream) {
    return framed_stream(setting.loop, std::move(stream), line_framing());
  };
  auto [near, inner_near] = memory_pair(setting.loop, small_buffers);
  auto [inner_far, far] = memory_pair(setting.loop, small_buffers);
  const auto middle = std::make_shared<Middle>(framed(std::move(inner_near)), framed(std::move(inner_far)));
  middle->witness = std::move(witness);
  middle->has_lied = std::move(has_lied);
  scope.start(carry(setting, middle, true));
  scope.start(carry(setting, middle, false));
  if (middle->has_lied) scope.start(cut_liar(setting.calm, middle));
  return {framed(std::move(near)), framed(std::move(far))};
}

}  // namespace

Ends page_connection(Setting& setting, Scope& scope) {
  return connection(setting, scope, std::make_shared<PageWitness>(setting.ledger), nullptr);
}

Ends runner_connection(Setting& setting, Scope& scope, std::shared_ptr<bool> has_lied) {
  return connection(setting, scope, nullptr, std::move(has_lied));
}

}  // namespace parlance::simulator
