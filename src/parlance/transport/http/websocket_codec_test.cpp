// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/websocket_codec.h"

#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/base/bytes.h"

namespace parlance::websocket {
namespace {

using Kind = Decoder::Step::Kind;

Bytes hex(std::string_view text) {
  Bytes bytes;
  EXPECT_TRUE(from_hex(text, bytes)) << text;
  return bytes;
}

// A decoded frame of a stream in pieces of `piece` bytes.
struct Seen {
  Kind kind;
  Bytes payload;
  std::uint16_t code = 0;
  friend bool operator==(const Seen&, const Seen&) = default;
};
std::vector<Seen> decode(Role role, const Bytes& bytes, std::size_t piece, std::size_t limit = 1 << 20) {
  Decoder decoder(role, limit);
  std::vector<Seen> seen;
  Bytes buffer;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    buffer += bytes.substr(at, piece);
    for (;;) {
      const Decoder::Step step = decoder.next(buffer);
      if (step.kind == Kind::need_more) {
        EXPECT_GT(step.wanted, buffer.size());
        break;
      }
      if (step.kind != Kind::fragment) seen.push_back({step.kind, Bytes(step.payload), step.code});
      if (step.kind == Kind::failed) return seen;
      buffer.erase(0, step.consumed);
    }
  }
  return seen;
}
std::uint16_t refusal(Role role, const Bytes& bytes, std::size_t limit = 1 << 20) {
  const auto seen = decode(role, bytes, bytes.size(), limit);
  return !seen.empty() && seen.back().kind == Kind::failed ? seen.back().code : std::uint16_t{0};
}

// The examples of RFC 6455, section 5.7.
TEST(WebSocketCodec, ReadsTheExamplesOfTheStandard) {
  for (const std::size_t piece : {1U, 2U, 3U, 1000U}) {
    EXPECT_EQ(decode(Role::client, hex("810548656c6c6f"), piece), (std::vector<Seen>{{Kind::message, "Hello"}}));
    EXPECT_EQ(decode(Role::server, hex("818537fa213d7f9f4d5158"), piece), (std::vector<Seen>{{Kind::message, "Hello"}}));
    EXPECT_EQ(decode(Role::client, hex("010348656c80026c6f"), piece), (std::vector<Seen>{{Kind::message, "Hello"}}));
    EXPECT_EQ(decode(Role::client, hex("890548656c6c6f"), piece), (std::vector<Seen>{{Kind::ping, "Hello"}}));
    EXPECT_EQ(decode(Role::server, hex("8a8537fa213d7f9f4d5158"), piece), (std::vector<Seen>{{Kind::pong, "Hello"}}));
  }
}

TEST(WebSocketCodec, WritesTheExamplesOfTheStandard) {
  Bytes out = "before";
  append_frame(out, Opcode::text, "Hello", nullptr);
  EXPECT_EQ(out, "before" + hex("810548656c6c6f"));
  out.clear();
  append_frame(out, Opcode::binary, Bytes(256, 'x'), nullptr);
  EXPECT_EQ(out.substr(0, 4), hex("827e0100"));
  out.clear();
  append_frame(out, Opcode::binary, Bytes(65536, 'x'), nullptr);
  EXPECT_EQ(out.substr(0, 10), hex("827f0000000000010000"));
}

TEST(WebSocketCodec, EverySizeSurvivesTheWayThereAndBack) {
  MaskSource masks;
  for (const Role role : {Role::server, Role::client}) {
    for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 125U, 126U, 127U, 65535U, 65536U, 70000U}) {
      Bytes payload(size, '\0');
      for (std::size_t i = 0; i < size; ++i) payload[i] = static_cast<char>('a' + i % 23);
      Bytes wire;
      for (int i = 0; i < 2; ++i) append_frame(wire, Opcode::text, payload, role == Role::server ? &masks : nullptr);
      EXPECT_EQ(decode(role, wire, 4093), (std::vector<Seen>{{Kind::message, payload}, {Kind::message, payload}})) << size;
    }
  }
}

TEST(WebSocketCodec, MasksDiffer) {
  MaskSource masks;
  Bytes bytes;
  Bytes two;
  append_frame(bytes, Opcode::text, "the same words", &masks);
  append_frame(two, Opcode::text, "the same words", &masks);
  EXPECT_NE(bytes, two);
}

TEST(WebSocketCodec, AControlFrameMayComeInTheMiddleOfAMessage) {
  EXPECT_EQ(decode(Role::client, hex("0103e28298") + hex("890170") + hex("8003626364"), 1),
            (std::vector<Seen>{{Kind::ping, "p"}, {Kind::message, hex("e28298626364")}}));
}

TEST(WebSocketCodec, ACharacterMayBeCutBetweenFragments) {
  const Bytes euro = hex("0101e2") + hex("000182") + hex("8001ac");
  EXPECT_EQ(decode(Role::client, euro, 1), (std::vector<Seen>{{Kind::message, "\xE2\x82\xAC"}}));
  EXPECT_EQ(refusal(Role::client, hex("0101e2") + hex("8001ac")), close_code::bad_text);
  EXPECT_EQ(refusal(Role::client, hex("8101ff")), close_code::bad_text);
  EXPECT_EQ(decode(Role::client, hex("8201ff"), 9), (std::vector<Seen>{{Kind::message, "\xFF"}}));  // binary may be anything
}

TEST(WebSocketCodec, RefusesForbiddenFrames) {
  const std::vector<std::pair<const char*, const char*>> broken{
      {"c100", "a reserved bit"},
      {"8300", "an unknown opcode"},
      {"8b00", "an unknown control code"},
      {"0900", "a fragmented ping"},
      {"897e007e", "a long ping"},
      {"8000", "a continuation of nothing"},
      {"010161810162", "two messages in one another"},
      {"817e007d", "a length of two bytes that fits one"},
      {"817f000000000000ffff", "a length of eight bytes that fits two"},
      {"817f8000000000000000", "a length with its highest bit"},
      {"8180aabbccdd", "a mask from a server"},
      {"880103", "half a close code"},
      {"880203ec", "code 1004"},
      {"880203ed", "code 1005"},
      {"880203ee", "code 1006"},
      {"880203f7", "code 1015"},
      {"880207d0", "code 2000"},
      {"88021388", "code 5000"},
  };
  for (const auto& [bytes, what] : broken) EXPECT_EQ(refusal(Role::client, hex(bytes)), close_code::protocol_error) << what;
  EXPECT_EQ(refusal(Role::server, hex("810548656c6c6f")), close_code::protocol_error) << "no mask from a client";
  EXPECT_EQ(refusal(Role::client, hex("880303e8ff")), close_code::bad_text);
}

TEST(WebSocketCodec, KnowsAClose) {
  EXPECT_EQ(decode(Role::client, hex("8800"), 1), (std::vector<Seen>{{Kind::close, "", close_code::none}}));
  Bytes wire;
  append_close(wire, 4401, "who are you", nullptr);
  EXPECT_EQ(decode(Role::client, wire, 1), (std::vector<Seen>{{Kind::close, "who are you", 4401}}));
  wire.clear();
  append_close(wire, 4000, std::string(122, 'x') + "\xC3\xA4", nullptr);  // the last character would be cut
  EXPECT_EQ(decode(Role::client, wire, 1), (std::vector<Seen>{{Kind::close, std::string(122, 'x'), 4000}}));
}

TEST(WebSocketCodec, RefusesAnAnnouncedLengthBeforeItIsThere) {
  EXPECT_EQ(refusal(Role::client, hex("817e0401"), 1024), close_code::too_large);
  EXPECT_EQ(refusal(Role::client, hex("817e0400"), 1024), 0);
  // … and the sum of fragments.
  Bytes fragments;
  for (int i = 0; i < 9; ++i) {
    Bytes bytes;
    append_frame(bytes, i == 0 ? Opcode::text : Opcode::continuation, Bytes(125, 'x'), nullptr);
    bytes[0] = static_cast<char>(bytes[0] & 0x7F);
    fragments += bytes;
  }
  EXPECT_EQ(refusal(Role::client, fragments, 1024), close_code::too_large);
}

}  // namespace
}  // namespace parlance::websocket
