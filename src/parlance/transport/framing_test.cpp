// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/framing.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/joined_lines.h"
#include "parlance/transport/limits.h"
#include "parlance/transport/memory.h"
#include "tests/support/step_limit.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

struct Received {
  std::vector<std::string> frames;
  std::vector<std::string> errors;
  bool ended = false;
  bool broken = false;
};

Task<void> read_all(Frames& frames, Received& into) {
  for (;;) {
    const auto batch = co_await read_frames(frames);
    if (!batch) {
      into.errors.push_back(batch.error().message);
      into.broken = batch.error().broken;
      co_return;
    }
    if (batch->dropped != nullptr) into.errors.push_back(batch->dropped->message);
    if (batch->empty()) {
      into.ended = true;
      co_return;
    }
    for (const BytesView frame : *batch) into.frames.emplace_back(frame);
  }
}

using MakeFraming = std::unique_ptr<Framing> (*)(std::size_t);

// Every test runs with whole reads and with single-byte reads.
class FramingTest : public testing::TestWithParam<bool> {
 protected:
  Received receive(MakeFraming make, const std::string& bytes, std::size_t most = limits::frame_bytes) {
    Loop loop(Loop::Time::virtual_);
    auto [near, far] = memory_pair(loop, {.one_byte_reads = GetParam(), .capacity = 1 << 20});
    auto frames = framed_stream(loop, std::move(far), make(most));
    Received received;
    Scope scope(loop);
    scope.start(read_all(*frames, received));
    EXPECT_EQ(near->try_write(bytes), bytes.size());
    near->close_output();
    while (loop.run_ready()) {}
    return received;
  }
};

TEST_P(FramingTest, LinesEndInEitherStyleAndEmptyLinesAreSkipped) {
  const auto got = receive(&line_framing,
                           "one\ntwo\r\n\n\r\nthr\xC3\xA9\xE2\x80\xA8"
                           "ee\nlast");
  EXPECT_EQ(got.frames, (std::vector<std::string>{"one", "two",
                                                  "thr\xC3\xA9\xE2\x80\xA8"
                                                  "ee",
                                                  "last"}));
  EXPECT_TRUE(got.ended);
  EXPECT_TRUE(got.errors.empty());
}

TEST_P(FramingTest, ALineBeyondTheLimitIsSkippedAndTheNextLineArrives) {
  const auto got = receive(&line_framing, "short\n{" + std::string(5000, 'x') + "}\nafter\n", 100);
  EXPECT_EQ(got.frames, (std::vector<std::string>{"short", "after"}));
  ASSERT_EQ(got.errors.size(), 1U);
  EXPECT_NE(got.errors[0].find("more than 100 bytes"), std::string::npos);
  EXPECT_TRUE(got.ended);
}

TEST_P(FramingTest, AnObjectOverSeveralLinesIsOneFrame) {
  const std::string object = "{\n \"a\": {\r\n  \"b}\": \"\\\"{\"\n },\n \"c\": []\n}";
  const auto got = receive(&joined_line_framing, "banner {\n" + object + "\n{\"d\":1}\r\n" + object);
  EXPECT_EQ(got.frames, (std::vector<std::string>{"banner {", object, "{\"d\":1}", object}));
  EXPECT_TRUE(got.ended);
  EXPECT_TRUE(got.errors.empty());
}

TEST_P(FramingTest, AnOpenBraceDelaysNoWholeObject) {
  const auto got = receive(&joined_line_framing, "{ starting\nmore\n{\"id\":1}\n{\nthe end");
  EXPECT_EQ(got.frames, (std::vector<std::string>{"{ starting", "more", "{\"id\":1}", "{", "the end"}));
  const auto cut = receive(&joined_line_framing, "{\n" + std::string(90, 'x') + "\n" + std::string(90, 'y') + "\n", 100);
  EXPECT_EQ(cut.frames, (std::vector<std::string>{"{", std::string(90, 'x'), std::string(90, 'y')}));
}

// A scan for each open brace would take minutes.
TEST(JoinedLines, ManyOpenBracesAreReadOnce) {
  const std::size_t lines = 500'000;
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) text += "{\n";
  text += "{\n\"id\":1\n}\n";
  const auto framing = joined_line_framing(8 << 20);
  std::size_t frames = 0;
  std::string last;
  for (BytesView rest = text; !rest.empty(); ++frames) {
    const Framing::Step step = framing->next(rest, true);
    ASSERT_EQ(step.kind, Framing::Step::complete);
    last = step.frame;
    rest.remove_prefix(step.consumed);
  }
  EXPECT_GE(frames, lines);
  EXPECT_EQ(last, "}");
}

TEST_P(FramingTest, ContentLengthCountsBytes) {
  const auto got =
      receive(&content_length_framing, "Content-Length: 7\r\n\r\n{\"a\":1}content-length:2\r\nContent-Type: x\r\n\r\n{}");
  EXPECT_EQ(got.frames, (std::vector<std::string>{"{\"a\":1}", "{}"}));
  EXPECT_TRUE(got.ended);
}

TEST_P(FramingTest, ABrokenHeaderEndsTheConnectionWithAReason) {
  EXPECT_EQ(receive(&content_length_framing, "Length: 7\r\n\r\nxxxxxxx").errors.at(0), "a header without Content-Length");
  EXPECT_EQ(receive(&content_length_framing, "Content-Length: 9x\r\n\r\n").errors.at(0), "a Content-Length that is no number");
  EXPECT_EQ(receive(&content_length_framing, "Content-Length: 999\r\n\r\n", 100).errors.at(0),
            "a frame of 999 bytes; the limit is 100");
  EXPECT_EQ(receive(&content_length_framing, "Content-Length: 9\r\n\r\nabc").errors.at(0), "the stream ends inside a frame");
}

TEST_P(FramingTest, ObjectsNeedNoSeparator) {
  const auto got = receive(&json_object_framing, "{\"a\":\"}\\\"{\"}{}\n {\"b\":[{}]}");
  EXPECT_EQ(got.frames, (std::vector<std::string>{"{\"a\":\"}\\\"{\"}", "{}", "{\"b\":[{}]}"}));
  EXPECT_TRUE(got.ended);
}

TEST_P(FramingTest, SomethingElseThanAnObjectIsFatal) {
  const auto got = receive(&json_object_framing, "{} [1]");
  EXPECT_EQ(got.frames, std::vector<std::string>{"{}"});
  EXPECT_EQ(got.errors.at(0), "expected a JSON object");
}

// The bytes are handled at once; every later read returns the same end, and no further byte is read.
TEST_P(FramingTest, AnEndOfReadingIsFinal) {
  struct Case {
    MakeFraming make;
    std::string bytes;
  };
  for (const auto& [make, bytes] :
       {Case{&json_object_framing, "{} x"}, Case{&json_object_framing, " \n x{}"}, Case{&json_object_framing, "{\"a\""},
        Case{&content_length_framing, "Length: 1\r\n\r\nx"}, Case{&content_length_framing, "Content-Length: 3\r\n\r\nx"},
        Case{&line_framing, std::string(200, 'x')}}) {
    Loop loop(Loop::Time::virtual_);
    const test::StepLimit steps(loop);
    auto [near, far] = memory_pair(loop, {.one_byte_reads = GetParam()});
    const auto frames = framed_stream(loop, std::move(far), make(100));
    near->try_write(bytes);
    near->close_output();
    Received first;
    loop.block_on(read_all(*frames, first));
    ASSERT_EQ(first.errors.size(), 1U) << bytes;
    EXPECT_TRUE(first.broken);
    for (int again = 0; again < 3; ++again) {
      Received more;
      loop.block_on(read_all(*frames, more));
      EXPECT_EQ(more.errors, first.errors);
      EXPECT_TRUE(more.broken);
      EXPECT_TRUE(more.frames.empty());
    }
    EXPECT_TRUE(frames->send("an answer")) << "the output is open";
  }
}

TEST_P(FramingTest, WrittenFramesAreRead) {
  for (const MakeFraming make :
       {MakeFraming{&line_framing}, MakeFraming{&content_length_framing}, MakeFraming{&json_object_framing}}) {
    Loop loop(Loop::Time::virtual_);
    auto [near, far] = memory_pair(loop, {.one_byte_reads = GetParam()});
    auto writer = framed_stream(loop, std::move(near), make(limits::frame_bytes));
    auto reader = framed_stream(loop, std::move(far), make(limits::frame_bytes));
    Received received;
    Scope scope(loop);
    scope.start(read_all(*reader, received));
    const std::string large = "{\"x\":\"" + std::string(200'000, 'y') + "\"}";
    EXPECT_TRUE(writer->send("{}"));
    EXPECT_TRUE(writer->send(large));
    EXPECT_TRUE(writer->congested() || large.size() < limits::write_queue_bytes);
    EXPECT_TRUE(writer->send("{\"z\":0}"));
    writer->finish();
    while (loop.run_ready()) {}
    EXPECT_EQ(received.frames, (std::vector<std::string>{"{}", large, "{\"z\":0}"}));
    EXPECT_TRUE(received.ended);
  }
}

INSTANTIATE_TEST_SUITE_P(Reads, FramingTest, testing::Values(false, true),
                         [](const auto& run) { return run.param ? std::string("OneByte") : std::string("Whole"); });

TEST(FramedStream, AFrameWithALineBreakIsRefusedWhole) {
  Loop loop(Loop::Time::virtual_);
  auto [near, far] = memory_pair(loop);
  auto writer = framed_stream(loop, std::move(near), line_framing());
  EXPECT_EQ(writer->send("two\nlines").error().code, Errc::internal);
  EXPECT_EQ(writer->queued_bytes(), 0U);
}

TEST(FramedStream, AStoppedReaderIsAbandoned) {
  Loop loop(Loop::Time::virtual_);
  auto [near, far] = memory_pair(loop, {.capacity = 1000});
  auto writer = framed_stream(loop, std::move(near), line_framing(), {.stall = 5s});
  Received received;
  Scope scope(loop);
  scope.start(read_all(*writer, received));
  EXPECT_TRUE(writer->send(std::string(10'000, 'x')));
  loop.run_ready();
  loop.advance(4s);
  EXPECT_TRUE(received.errors.empty());
  loop.advance(2s);
  ASSERT_EQ(received.errors.size(), 1U);
  EXPECT_NE(received.errors[0].find("stopped reading"), std::string::npos);
}

TEST(FramedStream, ManyFramesLeaveInAWriteAndArriveInABatch) {
  Loop loop(Loop::Time::virtual_);
  auto [near, far] = memory_pair(loop);
  auto writer = framed_stream(loop, std::move(near), line_framing());
  auto reader = framed_stream(loop, std::move(far), line_framing());
  // The first read fits a buffer of the first size; all of these fit.
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(writer->send("n" + std::to_string(i)));
  const auto one_batch = [&]() -> Task<std::size_t> {
    const auto batch = co_await read_frames(*reader);
    co_return batch ? batch->size() : 0;
  };
  EXPECT_EQ(loop.block_on(one_batch()), 50U);
}

TEST(LineFraming, LineEndingCharactersOfSomeReadersLeaveAsEscapes) {
  const auto framing = line_framing();
  std::string out = "\"\xE2\x80\xA8\"\n";  // a frame before
  const std::size_t begun_at = out.size();
  framing->begin(out);
  out += "{\"a\xC2\x85\":\"\xE2\x80\xA8\xE2\x80\xA9 \xE2\x80\x9C\xC2\x86\xE4\xB8\xAD\"}";
  ASSERT_TRUE(framing->end(out, begun_at));
  EXPECT_EQ(out.substr(begun_at), "{\"a\\u0085\":\"\\u2028\\u2029 \xE2\x80\x9C\xC2\x86\xE4\xB8\xAD\"}\n");
  EXPECT_EQ(out.substr(0, begun_at), "\"\xE2\x80\xA8\"\n");
}

}  // namespace
}  // namespace parlance
