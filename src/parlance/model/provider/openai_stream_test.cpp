// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/openai_stream.h"

#include <gtest/gtest.h>

#include "parlance/model/provider/endpoint.h"
#include "tests/support/model.h"

namespace parlance::model {
namespace {

struct DecodedStream {
  Result<Completion> completion;
  std::string trace;
  Usage usage;
};

DecodedStream decode_stream(std::string_view body, std::size_t piece = 0, std::size_t byte_limit = 1 << 20) {
  test::Chunks chunks;
  OpenAiStream stream(chunks, byte_limit);
  BodyReader reader(stream, byte_limit);
  if (piece == 0) piece = body.size() + 1;
  for (std::size_t at = 0; at < body.size(); at += piece)
    if (auto fed = reader.feed(body.substr(at, piece)); !fed)
      return {std::unexpected(fed.error()), chunks.trace, chunks.last_usage};
  auto completion = reader.finish();
  return {std::move(completion), chunks.trace, chunks.last_usage};
}

DecodedStream decode(const std::vector<std::string>& events) {
  std::string body;
  for (const std::string& event : events) body += test::data(event);
  return decode_stream(body);
}

std::string delta(std::string_view members, std::string_view finish = "null") {
  return R"({"choices":[{"index":0,"delta":{)" + std::string(members) + R"(},"finish_reason":)" + std::string(finish) + "}]}";
}
std::string call(std::string_view json) { return delta(R"("tool_calls":[)" + std::string(json) + "]"); }

TEST(OpenAiStream, TextReasoningAndUsage) {
  const auto decoded = decode(
      {delta(R"("role":"assistant","content":"")"), delta(R"("reasoning_content":"Hm.")"), delta(R"("content":"Hel")"),
       delta(R"("content":"lo")"), delta("", R"("stop")"),
       R"({"model":"m-1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":3}}})",
       "[DONE]"});
  ASSERT_TRUE(decoded.completion) << decoded.completion.error().message;
  EXPECT_EQ(decoded.trace, "(Hm.)Hello");
  EXPECT_EQ(decoded.completion->content, "Hello");
  EXPECT_EQ(decoded.completion->reasoning, "Hm.");
  EXPECT_EQ(decoded.completion->stop, StopReason::end_turn);
  EXPECT_EQ(decoded.completion->usage, (Usage{7, 2, 3}));
  EXPECT_EQ(decoded.completion->model, "m-1");
}

TEST(OpenAiStream, SingleBytesGiveTheSameResult) {
  const std::string body = ": hello\r\n\r\n" + test::data(delta(R"("reasoning":"Hm")")) +
                           test::data(delta(R"("content":"你好")")) +
                           test::data(call(R"({"index":0,"id":"c","function":{"name":"f","arguments":"{}"}})")) +
                           test::data(delta("", R"("tool_calls")")) + "data: [DONE]\n\n";
  const auto whole = decode_stream(body);
  const auto cut = decode_stream(body, 1);
  EXPECT_EQ(whole.trace, "(Hm)你好[0 c f]{0 {}}");
  EXPECT_EQ(cut.trace, whole.trace);
  EXPECT_EQ(cut.completion->tool_calls, whole.completion->tool_calls);
}

TEST(OpenAiStream, ThinkTagsInTheContentAreReasoning) {
  const auto decoded = decode({delta(R"("content":"<thi")"), delta(R"("content":"nk>a</think>\n\nb")"), delta("", R"("stop")")});
  EXPECT_EQ(decoded.completion->reasoning, "a");
  EXPECT_EQ(decoded.completion->content, "b");
}

TEST(OpenAiStream, CallsComeInPiecesByIndex) {
  const auto decoded = decode({call(R"({"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}})"),
                               call(R"({"index":0,"function":{"arguments":"{\"p\""}})"),
                               call(R"({"index":1,"id":"b","function":{"name":"list","arguments":""}})"),
                               call(R"({"index":0,"function":{"arguments":":1}"}})"), delta("", R"("tool_calls")"), "[DONE]"});
  ASSERT_TRUE(decoded.completion);
  EXPECT_EQ(decoded.completion->stop, StopReason::tool_calls);
  EXPECT_EQ(decoded.completion->tool_calls, (std::vector<ToolCall>{{"a", "read", R"({"p":1})"}, {"b", "list", "{}"}}));
  EXPECT_EQ(decoded.trace, R"([0 a read]{0 {"p"}[1 b list]{0 :1}})");
}

TEST(OpenAiStream, CallsWithoutIndexOrId) {
  const auto decoded =
      decode({call(R"({"function":{"name":"read","arguments":"{\"p\":"}})"), call(R"({"function":{"arguments":"1}"}})"),
              call(R"({"function":{"name":"read","arguments":"{\"p\":2}"}})"), delta("", R"("stop")")});
  ASSERT_TRUE(decoded.completion);
  ASSERT_EQ(decoded.completion->tool_calls.size(), 2U);
  EXPECT_EQ(decoded.completion->tool_calls[0].arguments, R"({"p":1})");
  EXPECT_EQ(decoded.completion->tool_calls[1].arguments, R"({"p":2})");
  EXPECT_FALSE(decoded.completion->tool_calls[0].id.empty());
  EXPECT_NE(decoded.completion->tool_calls[0].id, decoded.completion->tool_calls[1].id);
  EXPECT_EQ(decoded.completion->stop, StopReason::tool_calls) << "it said stop, but it calls";
}

TEST(OpenAiStream, WholeCallsWithIndexZeroOnly) {
  const auto decoded =
      decode({call(R"({"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}})"),
              call(R"({"index":0,"id":"b","function":{"name":"read","arguments":"{\"p\":2}"}})"), delta("", R"("tool_calls")")});
  ASSERT_EQ(decoded.completion->tool_calls.size(), 2U);
  EXPECT_EQ(decoded.completion->tool_calls[1], (ToolCall{"b", "read", R"({"p":2})"}));
}

TEST(OpenAiStream, ServersWithIdAndNameInEachDelta) {
  const auto decoded =
      decode({call(R"({"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\""}})"),
              call(R"({"index":0,"id":"a","function":{"name":"read","arguments":":1}"}})"), delta("", R"("tool_calls")")});
  EXPECT_EQ(decoded.completion->tool_calls, (std::vector<ToolCall>{{"a", "read", R"({"p":1})"}}));
}

TEST(OpenAiStream, ArgumentsAsAnObjectAndContentAsParts) {
  const auto decoded = decode({call(R"({"index":null,"id":"a","function":{"name":"read","arguments":{"p":1}}})"),
                               delta(R"("content":[{"type":"text","text":"Hi"}],"reasoning":{"odd":1})", R"("tool_calls")")});
  ASSERT_TRUE(decoded.completion) << decoded.completion.error().message;
  EXPECT_EQ(decoded.completion->tool_calls, (std::vector<ToolCall>{{"a", "read", R"({"p":1})"}}));
  EXPECT_EQ(decoded.completion->content, "Hi");
}

TEST(OpenAiStream, ANameAfterItsArguments) {
  const auto decoded = decode({call(R"({"index":0,"id":"a","function":{"arguments":"{\"p\""}})"),
                               call(R"({"index":0,"function":{"name":"read","arguments":":1}"}})"),
                               call(R"({"index":1,"function":{}})"), delta("", R"("tool_calls")")});
  ASSERT_TRUE(decoded.completion);
  EXPECT_EQ(decoded.trace, R"([0 a read]{0 {"p"}{0 :1}})");
  EXPECT_EQ(decoded.completion->tool_calls.size(), 1U);
}

TEST(OpenAiStream, ACallWithoutANameIsAnError) {
  EXPECT_EQ(decode({call(R"({"index":0,"id":"a","function":{"arguments":"{}"}})"), delta("", R"("tool_calls")")})
                .completion.error()
                .code,
            Errc::failed);
}

TEST(OpenAiStream, OnlyAFinishedAnswerHasCallsToRun) {
  const std::string read = call(R"({"index":0,"id":"a","function":{"name":"read","arguments":"{}"}})");
  const std::string write =  // a cut text that is valid JSON
      call(R"({"index":1,"id":"b","function":{"name":"write","arguments":"{\"content\":\"WRIT\"}"}})");
  struct Row {
    std::string finish;
    StopReason stop;
    std::size_t runs;
    std::size_t cut;
  };
  for (const Row& row : {Row{R"("tool_calls")", StopReason::tool_calls, 2, 0}, Row{R"("stop")", StopReason::tool_calls, 2, 0},
                         Row{R"("length")", StopReason::max_tokens, 0, 2}, Row{R"("max_tokens")", StopReason::max_tokens, 0, 2},
                         Row{R"("content_filter")", StopReason::refusal, 0, 0}, Row{R"("safety")", StopReason::refusal, 0, 0},
                         Row{R"("error")", StopReason::error, 0, 0}, Row{R"("abort")", StopReason::error, 0, 0},
                         Row{R"("a new reason")", StopReason::error, 0, 0}, Row{"null", StopReason::error, 0, 0},
                         Row{R"("")", StopReason::error, 0, 0}}) {
    const auto decoded = decode({read, write, delta("", row.finish), "[DONE]"});
    ASSERT_TRUE(decoded.completion) << row.finish;
    EXPECT_EQ(decoded.completion->stop, row.stop) << row.finish;
    EXPECT_EQ(decoded.completion->tool_calls.size(), row.runs) << row.finish;
    EXPECT_EQ(decoded.completion->cut_calls.size(), row.cut) << row.finish;
    EXPECT_EQ(decoded.completion->problem.empty(), row.stop != StopReason::error) << row.finish;
  }
  EXPECT_FALSE(decode({read, write}).completion) << "no finish at all";
  const auto refused = decode({read, delta(R"("refusal":"I will not")"), delta("", R"("tool_calls")")});
  EXPECT_TRUE(refused.completion->tool_calls.empty());
}

TEST(OpenAiStream, CallsWithEqualIdsStaySeparate) {
  const auto by_index = decode({call(R"({"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}})"),
                                call(R"({"index":1,"id":"a","function":{"name":"write","arguments":"{\"p\":"}})"),
                                call(R"({"index":1,"id":"a","function":{"arguments":"2}"}})"), delta("", R"("tool_calls")")});
  const auto without = decode({call(R"({"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}})"),
                               call(R"({"id":"a","function":{"name":"write","arguments":"{\"p\":"}})"),
                               call(R"({"id":"a","function":{"arguments":"2}"}})"), delta("", R"("tool_calls")")});
  const auto whole = decode_stream(
      R"({"choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[)"
      R"({"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}},{"id":"a","function":{"name":"write","arguments":"{\"p\":2}"}}]}}]})");
  for (const auto* decoded : {&by_index, &without, &whole}) {
    ASSERT_TRUE(decoded->completion);
    const std::vector<ToolCall>& calls = decoded->completion->tool_calls;
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0], (ToolCall{"a", "read", R"({"p":1})"}));
    EXPECT_EQ(calls[1].name, "write");
    EXPECT_EQ(calls[1].arguments, R"({"p":2})");
    EXPECT_NE(calls[1].id, "a");
    EXPECT_FALSE(calls[1].id.empty());
  }
}

TEST(OpenAiStream, ARepeatedCompleteCallIsASingleCall) {
  const std::string again = call(R"({"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}})");
  EXPECT_EQ(decode({again, again, delta("", R"("tool_calls")")}).completion->tool_calls.size(), 1U);
}

TEST(OpenAiStream, AnEmptyAnswerIsAnError) {
  EXPECT_EQ(decode({delta("", R"("stop")"), "[DONE]"}).completion->problem, "The model answered nothing.");
  EXPECT_EQ(decode({"[DONE]"}).completion->stop, StopReason::error);
  EXPECT_EQ(decode({R"({"choices":[]})", "[DONE]"}).completion->stop, StopReason::error);
  EXPECT_EQ(decode_stream(R"({"choices":[]})").completion->stop, StopReason::error);
  EXPECT_EQ(decode({delta(R"("content":" \n")", R"("stop")")}).completion->stop, StopReason::error);
  const auto thought = decode({delta(R"("reasoning_content":"Hm.")", R"("stop")")});
  EXPECT_EQ(thought.completion->problem, "The model ended its answer after thinking, without a word.");
  const auto half = decode({delta(R"("content":"Half")", R"("abort")"), "[DONE]"});
  EXPECT_EQ(half.completion->content, "Half");
  EXPECT_EQ(half.completion->problem, "The server broke its answer off (\"abort\").");
  EXPECT_EQ(decode({delta("", R"("length")")}).completion->stop, StopReason::max_tokens) << "a cut answer keeps its reason";
}

TEST(OpenAiStream, HalfASurrogateInArgumentsIsReplaced) {
  const auto decoded =
      decode({call(R"({"index":0,"id":"a","function":{"name":"say","arguments":"{\"text\":\"\\ud99c \\ud83d\\ude00\"}"}})"),
              delta("", R"("tool_calls")")});
  EXPECT_EQ(decoded.completion->tool_calls[0].arguments, R"({"text":"\ufffd \ud83d\ude00"})");
}

TEST(OpenAiStream, Refusals) {
  EXPECT_EQ(decode({delta(R"("content":"No")"), delta("", R"("content_filter")")}).completion->stop, StopReason::refusal);
  const auto said = decode({delta(R"("refusal":"I will not")"), delta("", R"("stop")")});
  EXPECT_EQ(said.completion->stop, StopReason::refusal);
  EXPECT_EQ(said.completion->content, "I will not");
}

TEST(OpenAiStream, TheEndMarkMayBeMissing) {
  EXPECT_TRUE(decode({delta(R"("content":"x")"), delta("", R"("stop")")}).completion);
  EXPECT_TRUE(decode({delta(R"("content":"x")"), "[DONE]"}).completion);
  EXPECT_EQ(decode_stream("data: " + delta(R"("content":"x")", R"("stop")")).completion->content, "x")
      << "nor the last blank line";
}

TEST(OpenAiStream, ACutStreamIsDisconnected) {
  const auto decoded = decode({delta(R"("content":"x")")});
  EXPECT_EQ(decoded.completion.error().code, Errc::disconnected);
  EXPECT_EQ(decode_stream("").completion.error().code, Errc::disconnected);
}

TEST(OpenAiStream, ErrorsInTheStream) {
  EXPECT_EQ(decode({R"({"error":{"message":"busy","type":"server_error"}})"}).completion.error().code, Errc::overloaded);
  EXPECT_EQ(decode({R"({"error":{"message":"slow down","code":429}})"}).completion.error().code, Errc::overloaded);
  EXPECT_EQ(decode({R"({"error":{"message":"This model's maximum context length is 5"}})"}).completion.error().code,
            Errc::invalid_params);
  const auto text = decode({R"({"error":"out of cheese"})"});
  EXPECT_EQ(text.completion.error().code, Errc::failed);
  EXPECT_NE(text.completion.error().message.find("out of cheese"), std::string::npos);
}

TEST(OpenAiStream, AnAnswerWithoutAStream) {
  const auto decoded = decode_stream(
      "\n "
      R"({"model":"m","choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"reasoning_content":"Hm",)"
      R"("tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}]}}],"usage":{"prompt_tokens":1,"completion_tokens":2}})",
      7);
  ASSERT_TRUE(decoded.completion) << decoded.completion.error().message;
  EXPECT_EQ(decoded.trace, "(Hm)[0 a read]{0 {}}");
  EXPECT_EQ(decoded.completion->usage, (Usage{1, 2, 0}));
}

TEST(OpenAiStream, AForeignAnswerIsNamed) {
  EXPECT_EQ(decode({"[1]"}).completion.error().code, Errc::failed);
  EXPECT_NE(decode({R"({"choices":[{"delta":{"tool_calls":[{"id":7}]}}]})"})
                .completion.error()
                .message.find("$.choices[0].delta.tool_calls[0].id"),
            std::string::npos);
}

TEST(OpenAiStream, AnAnswerWithoutEndIsStopped) {
  std::string body;
  for (int i = 0; i < 100; ++i) body += test::data(delta(R"("content":"0123456789")"));
  EXPECT_NE(decode_stream(body, 0, 500).completion.error().message.find("longer than 500 bytes"), std::string::npos);
}

TEST(OpenAiStream, ACountOfZeroSetsNothing) {
  const auto decoded =
      decode({R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1}})", delta(R"("content":"Hi")"),
              delta("", R"("stop")"), R"({"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":4}})", "[DONE]"});
  EXPECT_EQ(decoded.completion->usage, (Usage{9, 4, 0}));
}

// The index grows with each piece.
TEST(OpenAiStream, PiecesUnderADriftingIndexContinueTheCall) {
  const auto decoded = decode({call(R"({"index":0,"id":"a","type":"function","function":{"name":"write","arguments":""}})"),
                               call(R"({"index":1,"function":{"arguments":"{\"p\""}})"),
                               call(R"({"index":2,"function":{"arguments":":1}"}})"), delta("", R"("tool_calls")"), "[DONE]"});
  ASSERT_TRUE(decoded.completion) << decoded.completion.error().message;
  EXPECT_EQ(decoded.completion->tool_calls, (std::vector<ToolCall>{{"a", "write", R"({"p":1})"}}));
}

// Two calls share index 0, and the rest of the second one comes under index 1, or under the index of the first one.
TEST(OpenAiStream, PiecesUnderACollidingIndexContinueTheCallInProgress) {
  const std::vector<ToolCall> both{{"a", "write", R"({"p":1})"}, {"b", "write", R"({"p":2})"}};
  const std::string first = call(R"({"index":0,"id":"a","function":{"name":"write","arguments":"{\"p\":1}"}})");
  for (const auto& [begun, rest] : {std::pair(0, 1), std::pair(1, 0)}) {
    const auto index = [](int i) { return R"({"index":)" + std::to_string(i); };
    const auto decoded =
        decode({first, call(index(begun) + R"(,"id":"b","function":{"name":"write","arguments":"{\"p\""}})"),
                call(index(rest) + R"(,"function":{"arguments":":2}"}})"), delta("", R"("tool_calls")"), "[DONE]"});
    ASSERT_TRUE(decoded.completion) << decoded.completion.error().message;
    EXPECT_EQ(decoded.completion->tool_calls, both) << rest;
  }
}

TEST(OpenAiStream, AFullContextWithinTheStreamSaysWhatToDo) {
  const auto decoded = decode({R"({"error":{"message":"This model's maximum context length is 8192 tokens","code":400}})"});
  ASSERT_FALSE(decoded.completion);
  EXPECT_EQ(decoded.completion.error().code, Errc::invalid_params);
  EXPECT_TRUE(decoded.completion.error().message.ends_with(too_long_cure)) << decoded.completion.error().message;
}

}  // namespace
}  // namespace parlance::model
