// SPDX-License-Identifier: Apache-2.0
// Any bytes as a WebSocket stream, to a server (first byte even) or a client. Checks beyond "no crash": the cuts of the bytes
// make no difference, resulting text is UTF-8 and within the limit, and the result survives another round.
#include <cstdint>
#include <string>
#include <vector>

#include "parlance/base/check.h"
#include "parlance/base/utf8.h"
#include "parlance/transport/http/websocket_codec.h"

namespace {

using namespace parlance;
using namespace parlance::websocket;
using Kind = Decoder::Step::Kind;

constexpr std::size_t most_message_bytes = 4096;

struct Seen {
  Kind kind;
  Bytes payload;
  std::uint16_t code;
  bool operator==(const Seen&) const = default;
};

std::vector<Seen> decode(Role role, BytesView bytes, std::size_t piece) {
  Decoder decoder(role, most_message_bytes);
  std::vector<Seen> seen;
  Bytes buffer;
  while (!bytes.empty()) {
    buffer += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    for (;;) {
      const Decoder::Step step = decoder.next(buffer);
      if (step.kind == Kind::need_more) {
        PARLANCE_CHECK(step.wanted > buffer.size(), "more is wanted than there is");
        break;
      }
      if (step.kind == Kind::failed) {
        seen.push_back({step.kind, {}, step.code});
        return seen;
      }
      PARLANCE_CHECK(step.consumed > 0 && step.consumed <= buffer.size(), "a step consumes what it saw");
      if (step.kind != Kind::fragment) seen.push_back({step.kind, Bytes(step.payload), step.code});
      if (step.kind == Kind::message) {
        PARLANCE_CHECK(step.payload.size() <= most_message_bytes, "a message within the limit");
        PARLANCE_CHECK(!step.is_text || is_valid_utf8(step.payload), "text is UTF-8");
      }
      buffer.erase(0, step.consumed);
    }
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const Role role = data[0] % 2 == 0 ? Role::server : Role::client;
  const BytesView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<Seen> whole = decode(role, bytes, bytes.size());
  PARLANCE_CHECK(whole == decode(role, bytes, 1), "the same messages byte by byte");
  PARLANCE_CHECK(whole == decode(role, bytes, 7), "the same messages in sevens");

  MaskSource masks;
  Bytes again;
  std::vector<Seen> messages;
  for (const Seen& seen : whole) {
    if (seen.kind != Kind::message) continue;
    messages.push_back(seen);
    append_frame(again, Opcode::binary, seen.payload, role == Role::server ? &masks : nullptr);
  }
  PARLANCE_CHECK(decode(role, again, 1000) == messages, "what was read can be written and read");
  return 0;
}
