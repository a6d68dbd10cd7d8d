// SPDX-License-Identifier: Apache-2.0
// The frames of WebSocket (RFC 6455), sans-I/O: bytes in pieces become messages and control frames, and back. For server and
// client; no extensions. One decoder for each connection. Loop thread only, as its owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "parlance/base/bytes.h"

namespace parlance::websocket {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// Our end of the connection: a client masks its frames, a server requires masks.
enum class Role { server, client };

// Section 7.4.1. 3000 to 4999 belong to applications.
namespace close_code {
inline constexpr std::uint16_t normal = 1000;
inline constexpr std::uint16_t going_away = 1001;
inline constexpr std::uint16_t protocol_error = 1002;
inline constexpr std::uint16_t none = 1005;      // Never sent: the close frame had no code.
inline constexpr std::uint16_t abnormal = 1006;  // Never sent: the connection ended without a close frame.
inline constexpr std::uint16_t bad_text = 1007;
inline constexpr std::uint16_t policy = 1008;
inline constexpr std::uint16_t too_large = 1009;
inline constexpr std::uint16_t internal = 1011;
}  // namespace close_code

using MaskKey = std::array<char, 4>;
inline constexpr std::size_t most_control_bytes = 125;  // Section 5.5.
inline constexpr std::size_t most_reason_bytes = 123;   // Size of a control frame's payload without the code.

// XORs `bytes` with the key. The first byte of the key belongs to bytes[0].
void apply_mask(std::span<char> bytes, MaskKey key);

// Source of masking keys. They are unpredictable to the author of a payload, and need no system call for each frame.
class MaskSource {
 public:
  MaskKey next();

 private:
  std::string pool_;
  std::size_t used_ = 0;
};

// begin_frame, then append the payload to `out`, then end_frame, which fills in the header. `masks` is null for a server.
void begin_frame(std::string& out, const MaskSource* masks);
void end_frame(std::string& out, std::size_t begun_at, Opcode opcode, MaskSource* masks);
void append_frame(std::string& out, Opcode opcode, BytesView payload, MaskSource* masks);
// Header of a server's frame whose payload is stored elsewhere.
void append_header(std::string& out, Opcode opcode, std::size_t payload_bytes);
// Cuts the reason to the size of a control frame. Code `none` writes a close frame without a code.
void append_close(std::string& out, std::uint16_t code, BytesView reason, MaskSource* masks);

// Finds messages in the input: joins fragments, and checks masks, lengths and text.
class Decoder {
 public:
  struct Step {
    enum Kind {
      need_more,  // `wanted` is the total size of the next frame, if known.
      fragment,   // A part of a message was consumed.
      message,    // `payload` is a whole message, text or binary.
      ping,
      pong,
      close,   // With `code` and `payload` (the reason).
      failed,  // `code` is the answer for the close frame, `error` the reason in words. Do not feed further input.
    } kind = need_more;
    std::size_t consumed = 0;
    // Points into the given bytes (up to `consumed`), or into the decoder until the next call if `assembled`.
    BytesView payload{};
    bool assembled = false;
    bool is_text = false;
    std::uint16_t code = 0;
    std::string_view error{};
    std::size_t wanted = 0;
  };

  Decoder(Role role, std::size_t most_message_bytes) : role_(role), limit_(most_message_bytes) {}

  // `buffered` begins at the end of the last step. Masked payloads are unmasked in place.
  Step next(std::span<char> buffered);

 private:
  Step control(Opcode opcode, std::span<char> payload, std::size_t consumed);
  Step data(Opcode opcode, bool final, std::span<char> payload, std::size_t consumed);

  Role role_;
  std::size_t limit_;
  bool in_message_ = false;  // The message has begun, and its last fragment has not arrived.
  bool message_is_text_ = false;
  bool assembled_given_ = false;  // The last step returned assembled_.
  std::string assembled_;
};

}  // namespace parlance::websocket
