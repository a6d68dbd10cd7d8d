// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/anthropic_stream.h"

#include <gtest/gtest.h>

#include "parlance/model/provider/endpoint.h"
#include "tests/support/model.h"

namespace parlance::model {
namespace {

struct Decoded {
  Result<Completion> completion;
  std::string trace;
};

Decoded decode_body(std::string_view body, std::size_t piece = 0) {
  test::Chunks chunks;
  AnthropicStream stream(chunks, 1 << 20);
  BodyReader reader(stream, 1 << 20);
  if (piece == 0) piece = body.size() + 1;
  for (std::size_t at = 0; at < body.size(); at += piece)
    if (auto fed = reader.feed(body.substr(at, piece)); !fed) return {std::unexpected(fed.error()), chunks.trace};
  auto completion = reader.finish();
  return {std::move(completion), chunks.trace};
}

std::string stream_of(const std::vector<std::string>& events) {
  std::string body;
  for (const std::string& event : events) body += "event: x\n" + test::data(event);
  return body;
}

const std::string begin =
    R"({"type":"message_start","message":{"model":"m-2","content":[],"usage":{"input_tokens":10,"cache_creation_input_tokens":2,"cache_read_input_tokens":5,"output_tokens":1}}})";
const std::string end = R"({"type":"message_stop"})";
std::string stop(std::string_view reason) {
  return R"({"type":"message_delta","delta":{"stop_reason":")" + std::string(reason) + R"("},"usage":{"output_tokens":20}})";
}
std::string start(int index, std::string_view block) {
  return R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)" + std::string(block) + "}";
}
std::string delta(int index, std::string_view what) {
  return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" + std::string(what) + "}";
}
std::string close(int index) { return R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}"; }

const std::vector<std::string> thinking_and_call{begin,
                                                 R"({"type":"ping"})",
                                                 start(0, R"({"type":"thinking","thinking":"","signature":""})"),
                                                 delta(0, R"({"type":"thinking_delta","thinking":"Hm \"so\""})"),
                                                 delta(0, R"({"type":"signature_delta","signature":"c2ln"})"),
                                                 close(0),
                                                 start(1, R"({"type":"redacted_thinking","data":"xyz"})"),
                                                 close(1),
                                                 start(2, R"({"type":"text","text":""})"),
                                                 delta(2, R"({"type":"text_delta","text":"I read."})"),
                                                 close(2),
                                                 start(3, R"({"type":"tool_use","id":"t1","name":"read","input":{}})"),
                                                 delta(3, R"({"type":"input_json_delta","partial_json":""})"),
                                                 delta(3, R"({"type":"input_json_delta","partial_json":"{\"p\":"})"),
                                                 delta(3, R"({"type":"input_json_delta","partial_json":"1}"})"),
                                                 close(3),
                                                 stop("tool_use"),
                                                 end};

TEST(AnthropicStream, ThinkingTextCallsAndUsage) {
  for (const std::size_t piece : {0, 1, 7}) {
    const auto decoded = decode_body(stream_of(thinking_and_call), piece);
    ASSERT_TRUE(decoded.completion) << decoded.completion.error().message;
    EXPECT_EQ(decoded.trace, R"((Hm "so")I read.[0 t1 read]{0 {"p":}{0 1}})");
    EXPECT_EQ(decoded.completion->stop, StopReason::tool_calls);
    EXPECT_EQ(decoded.completion->usage, (Usage{17, 20, 5}));
    EXPECT_EQ(decoded.completion->model, "m-2");
    EXPECT_EQ(decoded.completion->reasoning_state,
              R"([{"type":"thinking","thinking":"Hm \"so\"","signature":"c2ln"},{"type":"redacted_thinking","data":"xyz"}])");
  }
}

TEST(AnthropicStream, BlocksMayBeInterleavedAndUnclosed) {
  const auto decoded =
      decode_body(stream_of({begin, start(0, R"({"type":"tool_use","id":"a","name":"f","input":{}})"),
                             start(1, R"({"type":"tool_use","id":"b","name":"g","input":{}})"),
                             delta(1, R"({"type":"input_json_delta","partial_json":"{\"x\":2}"})"),
                             delta(0, R"({"type":"input_json_delta","partial_json":"{}"})"), stop("tool_use"), end}));
  EXPECT_EQ(decoded.completion->tool_calls, (std::vector<ToolCall>{{"a", "f", "{}"}, {"b", "g", R"({"x":2})"}}));
}

TEST(AnthropicStream, TheInputMayComeWholeWithTheBlock) {
  const auto decoded = decode_body(stream_of(
      {begin, start(0, R"({"type":"tool_use","id":"a","name":"f","input":{"x":1}})"), close(0), stop("tool_use"), end}));
  EXPECT_EQ(decoded.completion->tool_calls, (std::vector<ToolCall>{{"a", "f", R"({"x":1})"}}));
}

TEST(AnthropicStream, NewKindsOfEventsBlocksAndDeltasArePassedOver) {
  const auto decoded = decode_body(stream_of(
      {begin, R"({"type":"weather"})", start(0, R"({"type":"server_tool_use","id":"s","name":"web_search","input":{}})"),
       delta(0, R"({"type":"input_json_delta","partial_json":"{}"})"), close(0), start(1, R"({"type":"text","text":"Hi"})"),
       delta(1, R"({"type":"citations_delta","citation":{}})"), close(1), stop("end_turn"), end}));
  ASSERT_TRUE(decoded.completion);
  EXPECT_EQ(decoded.completion->content, "Hi");
  EXPECT_TRUE(decoded.completion->tool_calls.empty());
}

TEST(AnthropicStream, StopReasons) {
  const std::vector<std::pair<std::string, StopReason>> cases{
      {"end_turn", StopReason::end_turn},     {"stop_sequence", StopReason::end_turn},
      {"max_tokens", StopReason::max_tokens}, {"refusal", StopReason::refusal},
      {"pause_turn", StopReason::end_turn},   {"model_context_window_exceeded", StopReason::max_tokens}};
  const std::string text = start(0, R"({"type":"text","text":"Hi"})");
  for (const auto& [reason, expected] : cases)
    EXPECT_EQ(decode_body(stream_of({begin, text, stop(reason), end})).completion->stop, expected) << reason;
}

TEST(AnthropicStream, OnlyAFinishedAnswerHasCallsToRun) {
  const std::string call = start(0, R"({"type":"tool_use","id":"a","name":"f","input":{}})");
  const std::string input = delta(0, R"({"type":"input_json_delta","partial_json":"{\"x\":1}"})");
  const std::string cut = delta(0, R"({"type":"input_json_delta","partial_json":"{\"x\":"})");
  struct Row {
    std::vector<std::string> events;
    std::string reason;
    StopReason stop;
    std::size_t runs;
    std::size_t cut;
  };
  for (const Row& row :
       {Row{{call, input, close(0)}, "tool_use", StopReason::tool_calls, 1, 0},
        Row{{call, input, close(0)}, "end_turn", StopReason::tool_calls, 1, 0},
        Row{{call}, "max_tokens", StopReason::max_tokens, 0, 1}, Row{{call, cut}, "max_tokens", StopReason::max_tokens, 0, 1},
        Row{{call, input, close(0)}, "max_tokens", StopReason::max_tokens, 0, 1},
        Row{{call, input, close(0)}, "model_context_window_exceeded", StopReason::max_tokens, 0, 1},
        Row{{call, input, close(0)}, "refusal", StopReason::refusal, 0, 0},
        Row{{call, input, close(0)}, "pause_turn", StopReason::error, 0, 0},
        Row{{call, input, close(0)}, "a new reason", StopReason::error, 0, 0}}) {
    std::vector<std::string> events{begin};
    events.insert(events.end(), row.events.begin(), row.events.end());
    events.insert(events.end(), {stop(row.reason), end});
    const auto decoded = decode_body(stream_of(events));
    ASSERT_TRUE(decoded.completion) << row.reason;
    EXPECT_EQ(decoded.completion->stop, row.stop) << row.reason;
    EXPECT_EQ(decoded.completion->tool_calls.size(), row.runs) << row.reason;
    EXPECT_EQ(decoded.completion->cut_calls.size(), row.cut) << row.reason;
  }
  EXPECT_EQ(decode_body(stream_of({begin, call, input, close(0), end})).completion->stop, StopReason::error) << "no reason";
  EXPECT_FALSE(decode_body(stream_of({begin, call, input, close(0)})).completion) << "no end";
}

TEST(AnthropicStream, CallsWithOneIdStaySeparate) {
  const auto decoded = decode_body(
      stream_of({begin, start(0, R"({"type":"tool_use","id":"a","name":"f","input":{}})"), close(0),
                 start(1, R"({"type":"tool_use","id":"a","name":"g","input":{}})"), close(1), stop("tool_use"), end}));
  ASSERT_EQ(decoded.completion->tool_calls.size(), 2U);
  EXPECT_EQ(decoded.completion->tool_calls[0].id, "a");
  EXPECT_NE(decoded.completion->tool_calls[1].id, "a");
}

TEST(AnthropicStream, AnEmptyAnswerIsAnError) {
  EXPECT_EQ(decode_body(stream_of({begin, stop("end_turn"), end})).completion->problem, "The model answered nothing.");
  const std::string thought = start(0, R"({"type":"thinking","thinking":"Hm","signature":"s"})");
  EXPECT_EQ(decode_body(stream_of({begin, thought, close(0), stop("end_turn"), end})).completion->stop, StopReason::error);
}

TEST(AnthropicStream, ErrorsInTheStream) {
  const auto error = [](std::string_view type) {
    return decode_body(
               stream_of({begin, R"({"type":"error","error":{"type":")" + std::string(type) + R"(","message":"sorry"}})"}))
        .completion.error();
  };
  EXPECT_EQ(error("overloaded_error").code, Errc::overloaded);
  EXPECT_EQ(error("api_error").code, Errc::overloaded);
  EXPECT_EQ(error("authentication_error").code, Errc::denied);
  EXPECT_EQ(error("invalid_request_error").code, Errc::invalid_request);
  EXPECT_NE(error("overloaded_error").message.find("sorry"), std::string::npos);
}

TEST(AnthropicStream, ACutStreamIsDisconnected) {
  EXPECT_EQ(decode_body(stream_of({begin, start(0, R"({"type":"text","text":"Hi"})")})).completion.error().code,
            Errc::disconnected);
  EXPECT_TRUE(decode_body(stream_of({begin, start(0, R"({"type":"text","text":"Hi"})"), stop("end_turn")})).completion)
      << "only the last event is missing";
}

TEST(AnthropicStream, AnAnswerThatDoesNotStream) {
  const auto decoded = decode_body(
      R"({"type":"message","model":"m","stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2},"content":[)"
      R"({"type":"thinking","thinking":"Hm","signature":"s"},{"type":"text","text":"Hi"},{"type":"tool_use","id":"a","name":"f","input":{"x":1}}]})");
  ASSERT_TRUE(decoded.completion) << decoded.completion.error().message;
  EXPECT_EQ(decoded.trace, R"((Hm)Hi[0 a f]{0 {"x":1}})");
  EXPECT_EQ(decoded.completion->reasoning_state, R"([{"type":"thinking","thinking":"Hm","signature":"s"}])");
  EXPECT_EQ(decode_body(R"({"type":"error","error":{"type":"overloaded_error","message":"x"}})").completion.error().code,
            Errc::overloaded);
  EXPECT_EQ(decode_body(R"({"hello":"world","type":"greeting"})").completion.error().code, Errc::failed);
}

TEST(AnthropicStream, ALaterCountReplacesItsOwnNumberOnly) {
  const std::string cached =
      R"({"type":"message_start","message":{"usage":{"input_tokens":10,"cache_creation_input_tokens":2000,"cache_read_input_tokens":5000,"output_tokens":1}}})";
  const auto usage_with = [&](std::string_view usage) {
    const auto decoded = decode_body(
        stream_of({cached, start(0, R"({"type":"text","text":"Hi"})"), close(0),
                   R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":)" + std::string(usage) + "}", end}));
    EXPECT_TRUE(decoded.completion) << usage;
    return decoded.completion ? decoded.completion->usage : Usage{};
  };
  EXPECT_EQ(usage_with(R"({"input_tokens":10,"output_tokens":20})"), (Usage{7010, 20, 5000}));
  EXPECT_EQ(usage_with(R"({"input_tokens":0,"output_tokens":20})"), (Usage{7010, 20, 5000}));
  EXPECT_EQ(usage_with(R"({"input_tokens":0,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens":0})"),
            (Usage{7010, 1, 5000}));
  EXPECT_EQ(usage_with(R"({"input_tokens":12,"cache_read_input_tokens":5001,"output_tokens":20})"), (Usage{7013, 20, 5001}));
}

TEST(AnthropicStream, AFullContextWithinTheStreamSaysWhatToDo) {
  const auto decoded = decode_body(stream_of(
      {begin,
       R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}})"}));
  ASSERT_FALSE(decoded.completion);
  EXPECT_EQ(decoded.completion.error().code, Errc::invalid_params);
  EXPECT_TRUE(decoded.completion.error().message.ends_with(too_long_cure)) << decoded.completion.error().message;
}

}  // namespace
}  // namespace parlance::model
