// SPDX-License-Identifier: Apache-2.0
// Faults in a stream: which faults end the stream, and which faults cost a single message.
#include <limits>

#include "parlance/codec/gob/decoder.h"
#include "parlance/codec/gob/decoder_test_support.h"

namespace parlance::gob {
namespace {

using namespace test;

TEST(DecoderFaults, ABrokenTypeTableEndsTheStream) {
  const auto fatal = [](const std::string& stream) {
    KeepingDecoder decoder;
    auto done = feed_all(decoder, stream, [](Decoder&) {});
    EXPECT_FALSE(done);
    EXPECT_TRUE(decoder.broken());
    EXPECT_EQ(decoder.feed(i(id_int) + zero() + i(1)).error().code, Errc::invalid_request);
    return done ? "taken" : done.error().message;
  };
  EXPECT_EQ(fatal(request_type + request_type), "gob: duplicate type received");
  EXPECT_EQ(fatal(define::structure(6, "x", {{"A", id_int}})), "gob: definition of a type id that is not the sender's to define");
  EXPECT_EQ(fatal(define::structure(63, "x", {})), "gob: definition of a type id that is not the sender's to define");
  EXPECT_EQ(fatal(message_of(std::string(split_message(request_type).message) + "\1\2")), "gob: extra data in buffer");
  EXPECT_EQ(fatal(message_of(i(-70) + zero())), "gob: a type definition without content");
  EXPECT_EQ(fatal(message_of(i(-70) + u(9))), "gob: bad data: field numbers out of bounds");
  EXPECT_EQ(fatal(message_of(i(-70))), "unexpected EOF");
  EXPECT_EQ(fatal(message_of(i(-(std::int64_t{1} << 40)) + zero())),
            "gob: definition of a type id that is not the sender's to define");
  EXPECT_EQ(fatal(message_of(i(std::numeric_limits<std::int64_t>::min()) + zero())), "gob: type id out of range");
}

TEST(DecoderFaults, AnyOtherFaultCostsOneMessage) {
  KeepingDecoder decoder;
  ASSERT_TRUE(feed_all(decoder, args_types, [](Decoder&) {}));
  const auto skipped = [&](const std::string& body) {
    auto progress = decoder.feed(body);
    EXPECT_FALSE(decoder.broken());
    EXPECT_EQ(decoder.feed(split_message(chat("next")).message).value(), Progress::value);
    EXPECT_EQ(decoder.read<ChatArgs>().value().messages.at(0).content, "next");
    return progress ? "taken" : progress.error().message;
  };
  EXPECT_EQ(skipped(""), "EOF");
  EXPECT_EQ(skipped(i(999) + zero()), "gob: unknown type id or corrupted data");
  EXPECT_EQ(skipped(i(0) + zero()), "gob: unknown type id or corrupted data");
  EXPECT_EQ(skipped(i(std::int64_t{1} << 40) + zero()), "gob: unknown type id or corrupted data");
  EXPECT_EQ(skipped(i(16) + zero()), "gob: unknown type id or corrupted data");
  EXPECT_EQ(skipped(i(901) + u(1) + u(1) + u(2) + u(1000) + "x"),
            "gob: length of a string or of bytes exceeds the message (in A)");
  EXPECT_EQ(skipped(i(901) + u(1) + u(1ULL << 40)), "gob: slice too big (in A)");
  EXPECT_EQ(skipped(i(901) + u(1) + u(100'000'000) + zero() + zero()), "gob: slice too big (in A)");
  EXPECT_EQ(skipped(i(901) + u(9) + u(1) + zero()), "gob: bad data: field numbers out of bounds (in A)");
  EXPECT_EQ(skipped(i(901) + u(1ULL << 63)), "gob: bad data: field numbers out of bounds (in A)");
  EXPECT_EQ(skipped(i(901) + "\xf7" + std::string(9, '\1')), "gob: encoded unsigned integer out of range (in A)");
  EXPECT_EQ(skipped(i(901) + u(1) + u(1)), "unexpected EOF (in A)");
  EXPECT_EQ(skipped(i(901) + u(1) + u(1) + u(2)), "unexpected EOF (in A)");
  EXPECT_EQ(skipped(i(id_string) + u(1) + s("x")), "gob: decode: corrupted data: non-zero delta for singleton");
}

TEST(DecoderFaults, ACutStreamNeverYieldsAValueTooEarly) {
  const std::string stream = read_hex(vectors() + "captures/chat-results-many.c2s.hex");
  KeepingDecoder whole;
  std::vector<std::string> expected;
  ASSERT_TRUE(feed_all(whole, stream, [&](Decoder& d) { ASSERT_TRUE(d.read_json(expected.emplace_back())); }));

  // Adds single bytes: every message is found with its last byte and not before.
  KeepingDecoder decoder;
  std::vector<std::string> seen;
  std::size_t begin = 0;
  for (std::size_t end = 1; end <= stream.size(); ++end) {
    const Split split = split_message(BytesView(stream).substr(begin, end - begin));
    if (split.state == Split::State::need_more) continue;
    ASSERT_EQ(split.consumed, end - begin);
    if (decoder.feed(split.message).value() == Progress::value) ASSERT_TRUE(decoder.read_json(seen.emplace_back()));
    begin = end;
  }
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(begin, stream.size());
}

// Every message of every kind, cut short at every byte: a fault or a shorter value, never a crash, and the stream goes on.
TEST(DecoderFaults, TruncatedMessagesAreFaults) {
  const std::string body(split_message(chat_result(interface_value("string", id_string, zero() + s("v")))).message);
  for (std::size_t size = 0; size < body.size(); ++size) {
    KeepingDecoder decoder;
    ASSERT_TRUE(feed_all(decoder, args_types, [](Decoder&) {}));
    EXPECT_FALSE(decoder.feed(BytesView(body).substr(0, size))) << size;
    EXPECT_FALSE(decoder.broken()) << size;
  }
}

}  // namespace
}  // namespace parlance::gob
