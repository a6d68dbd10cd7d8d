// SPDX-License-Identifier: Apache-2.0
// Any bytes through every framing: frames stay inside the buffer, what is consumed is there, and it does not matter how the bytes
// were cut into reads.
#include "parlance/protocol/gorpc/framing.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parlance/base/check.h"
#include "parlance/transport/framing.h"
#include "parlance/transport/joined_lines.h"

namespace {

using namespace parlance;

constexpr std::size_t most_bytes = 4096;

std::vector<std::string> split(Framing& framing, BytesView bytes, std::size_t piece) {
  std::vector<std::string> seen;
  std::size_t begin = 0;
  for (std::size_t end = std::min(piece, bytes.size());; end = std::min(end + piece, bytes.size())) {
    const bool at_end = end == bytes.size();
    for (;;) {
      const BytesView buffered = bytes.substr(begin, end - begin);
      const Framing::Step step = framing.next(buffered, at_end);
      if (step.kind == Framing::Step::need_more) break;
      PARLANCE_CHECK(step.consumed <= buffered.size(), "no more consumed than was there");
      if (step.kind == Framing::Step::fatal) {
        seen.push_back("fatal");
        return seen;
      }
      PARLANCE_CHECK(step.consumed != 0, "progress");
      begin += step.consumed;
      if (step.kind == Framing::Step::complete) {
        PARLANCE_CHECK(
            step.frame.data() >= buffered.data() && step.frame.data() + step.frame.size() <= buffered.data() + buffered.size(),
            "a frame inside the buffer");
        seen.emplace_back(step.frame);
      } else if (step.kind == Framing::Step::broken) {
        seen.push_back("broken");
      }
    }
    if (at_end) return seen;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto make = [&]() -> std::unique_ptr<Framing> {
    switch (data[0] % 5) {
      case 0: return line_framing(most_bytes);
      case 1: return content_length_framing(most_bytes);
      case 2: return json_object_framing(most_bytes);
      case 4: return joined_line_framing(most_bytes);
      default: return gorpc::gob_framing(most_bytes);
    }
  };
  const std::size_t piece = data[1] % 64 + 1;
  const BytesView bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto whole = split(*make(), bytes, std::max<std::size_t>(bytes.size(), 1));
  const auto pieces = split(*make(), bytes, piece);
  // Lines and objects over the limit may be told at another byte; what was complete before it is the same.
  if (bytes.size() <= most_bytes) PARLANCE_CHECK(whole == pieces, "the same frames however the bytes were cut");
  return 0;
}
