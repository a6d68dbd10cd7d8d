// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/websocket_codec.h"

#include <cstring>
#include <utility>

#include "parlance/base/secret.h"
#include "parlance/base/utf8.h"

namespace parlance::websocket {
namespace {

constexpr std::size_t short_length = 125;     // the length fits the second byte
constexpr std::size_t medium_length = 65535;  // … two bytes more; above, eight
constexpr std::size_t mask_pool_bytes = 256;

// Most frames are shorter than 64 KiB: their header has a reserved place, other payloads are moved.
constexpr std::size_t expected_header = 4;

std::size_t header_bytes(std::size_t length, bool masked) {
  return (length <= short_length ? 2 : length <= medium_length ? 4 : 10) + (masked ? 4 : 0);
}

void write_header(char* at, Opcode opcode, std::size_t length, const MaskKey* key) {
  const auto put = [&](std::size_t byte) { *at++ = static_cast<char>(byte); };
  const std::size_t mask_bit = key != nullptr ? 0x80 : 0;
  put(0x80 | static_cast<std::size_t>(opcode));  // FIN: we never fragment
  if (length <= short_length) {
    put(mask_bit | length);
  } else {
    const int bytes = length <= medium_length ? 2 : 8;
    put(mask_bit | (bytes == 2 ? 126 : 127));
    for (int shift = bytes * 8 - 8; shift >= 0; shift -= 8) put(length >> shift & 0xFF);
  }
  if (key != nullptr) std::memcpy(at, key->data(), key->size());
}

bool may_be_received(std::uint16_t code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

Decoder::Step failure(std::uint16_t code, std::string_view error) {
  return {.kind = Decoder::Step::failed, .code = code, .error = error};
}

}  // namespace

void apply_mask(std::span<char> bytes, MaskKey key) {
  std::uint64_t wide = 0;
  std::memcpy(&wide, key.data(), 4);
  std::memcpy(reinterpret_cast<char*>(&wide) + 4, key.data(), 4);
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    word ^= wide;
    std::memcpy(bytes.data() + at, &word, 8);
  }
  for (; at < bytes.size(); ++at) bytes[at] = static_cast<char>(bytes[at] ^ key[at % 4]);
}

MaskKey MaskSource::next() {
  if (used_ == pool_.size()) {
    pool_ = random_bytes(mask_pool_bytes);
    used_ = 0;
  }
  MaskKey key;
  std::memcpy(key.data(), pool_.data() + used_, key.size());
  used_ += key.size();
  return key;
}

void begin_frame(std::string& out, const MaskSource* masks) { out.append(expected_header + (masks != nullptr ? 4 : 0), '\0'); }

void end_frame(std::string& out, std::size_t begun_at, Opcode opcode, MaskSource* masks) {
  const std::size_t reserved = expected_header + (masks != nullptr ? 4 : 0);
  const std::size_t length = out.size() - begun_at - reserved;
  const std::size_t needed = header_bytes(length, masks != nullptr);
  if (needed < reserved) out.erase(begun_at, reserved - needed);
  else if (needed > reserved) out.insert(begun_at, needed - reserved, '\0');
  MaskKey key{};
  if (masks != nullptr) key = masks->next();
  write_header(out.data() + begun_at, opcode, length, masks != nullptr ? &key : nullptr);
  if (masks != nullptr) apply_mask({out.data() + begun_at + needed, length}, key);
}

void append_frame(std::string& out, Opcode opcode, BytesView payload, MaskSource* masks) {
  const std::size_t begun_at = out.size();
  begin_frame(out, masks);
  out += payload;
  end_frame(out, begun_at, opcode, masks);
}

void append_header(std::string& out, Opcode opcode, std::size_t payload_bytes) {
  const std::size_t begun_at = out.size();
  out.append(header_bytes(payload_bytes, false), '\0');
  write_header(out.data() + begun_at, opcode, payload_bytes, nullptr);
}

void append_close(std::string& out, std::uint16_t code, BytesView reason, MaskSource* masks) {
  std::string payload;
  if (code != close_code::none) {
    payload += static_cast<char>(code >> 8);
    payload += static_cast<char>(code & 0xFF);
    const std::string text = to_valid_utf8(reason);
    payload += utf8_prefix(text, most_reason_bytes);
  }
  append_frame(out, Opcode::close, payload, masks);
}

Decoder::Step Decoder::next(std::span<char> buffered) {
  if (std::exchange(assembled_given_, false)) assembled_ = {};  // Large messages are rare: releases the buffer.
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(buffered[i])); };
  if (buffered.size() < 2) return {.wanted = 2};

  // Refuses at the first two bytes if possible, before waiting for a false length.
  const bool final = (byte(0) & 0x80) != 0;
  if ((byte(0) & 0x70) != 0) return failure(close_code::protocol_error, "reserved bits are set without an extension");
  const std::size_t code = byte(0) & 0x0F;
  if ((code > 2 && code < 8) || code > 10) return failure(close_code::protocol_error, "unknown opcode");
  const auto opcode = static_cast<Opcode>(code);
  const bool masked = (byte(1) & 0x80) != 0;
  if (masked != (role_ == Role::server))
    return failure(close_code::protocol_error, masked ? "a server's frame is masked" : "a client's frame is not masked");
  std::size_t length = byte(1) & 0x7F;
  const bool is_control = code >= 8;
  if (is_control && !final) return failure(close_code::protocol_error, "a control frame is fragmented");
  if (is_control && length > most_control_bytes)
    return failure(close_code::protocol_error, "a control frame is longer than 125 bytes");
  if (!is_control && in_message_ != (opcode == Opcode::continuation))
    return failure(close_code::protocol_error,
                   in_message_ ? "a message begins inside another" : "a continuation continues nothing");

  std::size_t header = 2;
  if (length > short_length) {
    const std::size_t bytes = length == 126 ? 2 : 8;
    header += bytes;
    if (buffered.size() < header) return {.wanted = header};
    length = 0;
    for (std::size_t i = 0; i < bytes; ++i) length = length << 8 | byte(2 + i);
    if (length >> 63 != 0) return failure(close_code::protocol_error, "a length has its highest bit set");
    if (length <= (bytes == 2 ? short_length : medium_length))
      return failure(close_code::protocol_error, "a length is not in its shortest form");
  }
  if (!is_control && (length > limit_ || assembled_.size() > limit_ - length))
    return failure(close_code::too_large, "the message is too large");
  if (masked) header += 4;
  if (buffered.size() < header || buffered.size() - header < length) return {.wanted = header + length};

  const std::span<char> payload = buffered.subspan(header, length);
  if (masked) apply_mask(payload, {buffered[header - 4], buffered[header - 3], buffered[header - 2], buffered[header - 1]});
  return is_control ? control(opcode, payload, header + length) : data(opcode, final, payload, header + length);
}

Decoder::Step Decoder::control(Opcode opcode, std::span<char> payload, std::size_t consumed) {
  const BytesView content(payload.data(), payload.size());
  if (opcode == Opcode::ping) return {.kind = Step::ping, .consumed = consumed, .payload = content};
  if (opcode == Opcode::pong) return {.kind = Step::pong, .consumed = consumed, .payload = content};
  if (content.empty()) return {.kind = Step::close, .consumed = consumed, .code = close_code::none};
  if (content.size() == 1) return failure(close_code::protocol_error, "a close code has two bytes");
  const auto code =
      static_cast<std::uint16_t>(static_cast<unsigned char>(content[0]) << 8 | static_cast<unsigned char>(content[1]));
  if (!may_be_received(code)) return failure(close_code::protocol_error, "a close code that may not be sent");
  if (!is_valid_utf8(content.substr(2))) return failure(close_code::bad_text, "the reason of the close is not UTF-8");
  return {.kind = Step::close, .consumed = consumed, .payload = content.substr(2), .code = code};
}

Decoder::Step Decoder::data(Opcode opcode, bool final, std::span<char> payload, std::size_t consumed) {
  if (opcode != Opcode::continuation) message_is_text_ = opcode == Opcode::text;
  Step step{
      .kind = Step::message, .consumed = consumed, .payload = {payload.data(), payload.size()}, .is_text = message_is_text_};
  if (opcode == Opcode::continuation || !final) {
    assembled_.append(step.payload);
    in_message_ = !final;
    if (!final) return {.kind = Step::fragment, .consumed = consumed};
    assembled_given_ = true;
    step.payload = assembled_;
    step.assembled = true;
  }
  // Text is checked as a whole: a character may be cut between two fragments.
  if (message_is_text_ && !is_valid_utf8(step.payload)) return failure(close_code::bad_text, "a text message is not UTF-8");
  return step;
}

}  // namespace parlance::websocket
