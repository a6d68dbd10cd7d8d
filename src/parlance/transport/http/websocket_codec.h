// SPDX-License-Identifier: Apache-2.0
// The frames of WebSocket (RFC 6455), sans-I/O: bytes in any pieces in, messages and control frames out; and the way back.
// Used by server and client; no extensions. One decoder a connection. Loop thread only, as whoever owns it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "parlance/base/bytes.h"

namespace parlance::websocket {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// Which end we are: a client masks what it sends, a server insists on it.
enum class Role { server, client };

// Section 7.4.1; 3000–4999 belong to applications.
namespace close_code {
inline constexpr std::uint16_t normal = 1000;
inline constexpr std::uint16_t going_away = 1001;
inline constexpr std::uint16_t protocol_error = 1002;
inline constexpr std::uint16_t none = 1005;      // never sent: the close frame named no code
inline constexpr std::uint16_t abnormal = 1006;  // never sent: the connection ended without a close frame
inline constexpr std::uint16_t bad_text = 1007;
inline constexpr std::uint16_t policy = 1008;
inline constexpr std::uint16_t too_large = 1009;
inline constexpr std::uint16_t internal = 1011;
}  // namespace close_code

using MaskKey = std::array<char, 4>;
inline constexpr std::size_t most_control_bytes = 125;  // section 5.5
inline constexpr std::size_t most_reason_bytes = 123;   // a control frame without the code

// XORs `bytes` with the key, whose first byte meets bytes[0].
void apply_mask(std::span<char> bytes, MaskKey key);

// Where masking keys come from: unpredictable to whoever chose the payload, and without a system call for each frame.
class MaskSource {
 public:
  MaskKey next();

 private:
  std::string pool_;
  std::size_t used_ = 0;
};

// begin_frame, then append the payload to `out`, then end_frame: the header is filled in once the length is known.
// `masks` is null for a server.
void begin_frame(std::string& out, const MaskSource* masks);
void end_frame(std::string& out, std::size_t begun_at, Opcode opcode, MaskSource* masks);
void append_frame(std::string& out, Opcode opcode, BytesView payload, MaskSource* masks);
// Of a server's frame whose payload follows elsewhere.
void append_header(std::string& out, Opcode opcode, std::size_t payload_bytes);
// The reason is cut to what a control frame carries. Code `none` writes a close frame without one.
void append_close(std::string& out, std::uint16_t code, BytesView reason, MaskSource* masks);

// Finds messages in what came: joins fragments, checks masks, lengths and text.
class Decoder {
 public:
  struct Step {
    enum Kind {
      need_more,  // `wanted` says how many bytes the next frame takes in all, as far as that is known
      fragment,   // part of a message went by
      message,    // `payload` is a whole one, text or binary
      ping,
      pong,
      close,   // `code` and `payload` (the reason)
      failed,  // `code` is what the close frame answers, `error` says it in words; nothing may be fed any more
    } kind = need_more;
    std::size_t consumed = 0;
    // Lies in the bytes given (up to `consumed`), or in the decoder until the next call when `assembled`.
    BytesView payload{};
    bool assembled = false;
    bool is_text = false;
    std::uint16_t code = 0;
    std::string_view error{};
    std::size_t wanted = 0;
  };

  Decoder(Role role, std::size_t most_message_bytes) : role_(role), limit_(most_message_bytes) {}

  // `buffered` begins where the last step ended. Masked payloads are unmasked in place.
  Step next(std::span<char> buffered);

 private:
  Step control(Opcode opcode, std::span<char> payload, std::size_t consumed);
  Step data(Opcode opcode, bool final, std::span<char> payload, std::size_t consumed);

  Role role_;
  std::size_t limit_;
  bool in_message_ = false;  // a first fragment came, its last one did not
  bool message_is_text_ = false;
  bool assembled_given_ = false;  // assembled_ was handed out by the last step
  std::string assembled_;
};

}  // namespace parlance::websocket
