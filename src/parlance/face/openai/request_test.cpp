// SPDX-License-Identifier: Apache-2.0
// Conversion of OpenAI requests, and refusals.
#include "parlance/face/openai/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/face/openai/imported_chat.h"
#include "parlance/hub/conversation/tool_event.h"

namespace parlance::face {
namespace {

using model::ChatRequest;
using testing::HasSubstr;

ChatRequest chat_of(std::string_view body) {
  const auto request = openai::read_request(body);
  EXPECT_TRUE(request) << (request ? "" : request.error().message);
  if (!request) return {};
  auto chat = openai::to_chat(*request);
  EXPECT_TRUE(chat) << (chat ? "" : chat.error().message);
  return chat ? *std::move(chat) : ChatRequest{};
}

TEST(OpenAiRequest, AWholeToolLoop) {
  const ChatRequest chat = chat_of(
      R"({"model":"gpt-x","max_tokens":50,"max_completion_tokens":60,"temperature":0.5,"reasoning_effort":"high","messages":[
    {"role":"developer","content":"Be brief."},
    {"role":"user","content":[{"type":"text","text":"Read"},{"type":"text","text":"both."}]},
    {"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}},{"id":"2","type":"function","function":{"name":"read","arguments":{"path":"b"}}}]},
    {"role":"tool","tool_call_id":"1","content":"A"},
    {"role":"tool","tool_call_id":"2","content":[{"type":"text","text":"B"}]},
    {"role":"assistant","content":"Done."}],
    "tools":[{"type":"function","function":{"name":"read","description":"Reads.","parameters":{"type":"object"}}},{"type":"function","function":{"name":"stop"}}]})");
  EXPECT_EQ(chat.max_tokens, 60);
  EXPECT_EQ(chat.temperature, 0.5);
  EXPECT_EQ(chat.think, model::Think::on);
  ASSERT_EQ(chat.messages.size(), 5U);
  EXPECT_EQ(chat.messages[0], (model::Message{.role = model::Role::system, .content = "Be brief."}));
  EXPECT_EQ(chat.messages[1].content, "Read\nboth.");
  EXPECT_EQ(chat.messages[2].tool_calls,
            (std::vector<model::ToolCall>{{.id = "1", .name = "read", .arguments = R"({"path":"a"})"},
                                          {.id = "2", .name = "read", .arguments = R"({"path":"b"})"}}));
  EXPECT_EQ(chat.messages[3],
            (model::Message{.role = model::Role::tool,
                            .tool_results = {{.call_id = "1", .content = "A"}, {.call_id = "2", .content = "B"}}}))
      << "all results of one step together";
  ASSERT_EQ(chat.tools.size(), 2U);
  EXPECT_EQ(chat.tools[0].parameters, R"({"type":"object"})");
  EXPECT_EQ(chat.tools[1].parameters, "");
}

TEST(OpenAiRequest, PicturesAndFilesAreAttachments) {
  const ChatRequest chat = chat_of(R"({"messages":[{"role":"user","content":[
    {"type":"text","text":"What is this?"},
    {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw==","detail":"low"}},
    {"type":"input_image","image_url":"data:image/gif;base64,R0lGOA=="},
    {"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERg=="}},
    {"type":"input_file","filename":"b.txt","file_data":"data:text/plain;charset=utf-8,a%20b"}]}]})");
  ASSERT_EQ(chat.messages.size(), 1U);
  EXPECT_EQ(chat.messages[0].content, "What is this?");
  EXPECT_EQ(chat.messages[0].attachments, (std::vector<model::Attachment>{
                                              {.media_type = "image/png", .data = "\x89PNG"},
                                              {.media_type = "image/gif", .data = "GIF8"},
                                              {.media_type = "application/pdf", .name = "a.pdf", .data = "%PDF"},
                                              {.media_type = "text/plain", .name = "b.txt", .data = "a b"},
                                          }));
}

TEST(OpenAiRequest, UnsupportedAttachmentIsRefusedWithARemedy) {
  const auto refused = [](std::string_view part, std::string_view role = "user") {
    const auto request =
        openai::read_request(R"({"messages":[{"role":")" + std::string(role) + R"(","content":[)" + std::string(part) + "]}]}");
    EXPECT_TRUE(request) << part;
    const auto chat = openai::to_chat(*request);
    return chat ? "taken" : chat.error().message;
  };
  EXPECT_EQ(refused(R"({"type":"image_url","image_url":{"url":"https://example.org/a.png"}})"),
            "$.messages[0].content[0].image_url.url: this gateway fetches nothing from the network for a client; send it in the "
            "request, as a data: URL");
  EXPECT_THAT(refused(R"({"type":"image_url","image_url":{"url":"a.png"}})"), HasSubstr("url: expected a data: URL"));
  EXPECT_THAT(refused(R"({"type":"image_url","image_url":{"url":"data:image/png;base64,!"}})"),
              HasSubstr("its base64 is broken"));
  EXPECT_THAT(refused(R"({"type":"image_url","image_url":{"url":"data:image/png;base64,"}})"), HasSubstr("the file is empty"));
  EXPECT_THAT(refused(R"({"type":"image_url","image_url":{"url":"data:text/plain,a"}})"), HasSubstr("this is no picture"));
  EXPECT_THAT(refused(R"({"type":"image_url","image_url":{"url":"data:image/png;base64,aGVsbG8="}})"),
              HasSubstr("image_url.url: the data is no picture"));
  EXPECT_THAT(refused(R"({"type":"image_url"})"), HasSubstr("content[0].image_url: missing"));
  EXPECT_THAT(refused(R"({"type":"file","file":{"file_id":"file-1"}})"), HasSubstr("file.file_id: no files are kept"));
  EXPECT_THAT(refused(R"({"type":"input_file","file_url":"https://example.org/a.pdf"})"),
              HasSubstr("file_url: no files are kept or fetched"));
  EXPECT_THAT(refused(R"({"type":"input_audio","input_audio":{"data":"","format":"wav"}})"),
              HasSubstr("only parts of type text, image_url and file"));
  EXPECT_THAT(refused(R"({"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}})", "system"),
              HasSubstr("come with messages of the role user"));
  EXPECT_THAT(
      refused(R"({"type":"image_url","image_url":{"url":"data:image/png;base64,)" + std::string(5'500'000, 'A') + R"("}})"),
      HasSubstr("at most 3932160: make it smaller"));
}

TEST(OpenAiRequest, ResultsInTheFormatOfDeployedClients) {
  const ChatRequest chat = chat_of(
      R"({"messages":[{"role":"tool","content":"","tool_results":[{"id":"1","type":"function","result":{"a":1}},{"id":"2","result":"text"}]}]})");
  EXPECT_EQ(chat.messages[0].tool_results,
            (std::vector<model::ToolResult>{{.call_id = "1", .content = R"({"a":1})"}, {.call_id = "2", .content = "text"}}));
}

TEST(OpenAiRequest, ToolChoiceNarrowsTheOffer) {
  const auto tools_with = [](std::string_view choice) {
    std::string names;
    for (const auto& tool :
         chat_of(R"({"messages":[{"role":"user","content":"x"}],"tool_choice":)" + std::string(choice) +
                 R"(,"tools":[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b"}}]})")
             .tools)
      names += tool.name;
    return names;
  };
  EXPECT_EQ(tools_with("null"), "ab");
  EXPECT_EQ(tools_with(R"("auto")"), "ab");
  EXPECT_EQ(tools_with(R"("required")"), "ab");
  EXPECT_EQ(tools_with(R"("none")"), "");
  EXPECT_EQ(tools_with(R"({"type":"function","function":{"name":"b"}})"), "b");
}

TEST(OpenAiRequest, TheShapeOfTheAnswer) {
  const auto shape = [](std::string_view format) -> std::string {
    const auto request =
        openai::read_request(R"({"messages":[{"role":"user","content":"x"}],"response_format":)" + std::string(format) + "}");
    EXPECT_TRUE(request) << format;
    const auto wanted = openai::shape_of(*request);
    if (!wanted) return wanted.error().message;
    return *wanted ? (*wanted)->schema : "text";
  };
  EXPECT_EQ(shape("null"), "text");
  EXPECT_EQ(shape(R"({"type":"text"})"), "text");
  EXPECT_EQ(shape(R"({"type":"json_object"})"), R"({"type":"object"})");
  EXPECT_EQ(shape(R"({"type":"json_schema","json_schema":{"name":"a","schema":{"type":"object","required":["b"]}}})"),
            R"({"type":"object","required":["b"]})");
  for (const char* wrong : {R"({"type":"json_schema"})", R"({"type":"grammar"})", R"("text")"})
    EXPECT_THAT(shape(wrong), testing::StartsWith("$.response_format: expected type text")) << wrong;
}

std::string refusal_of(std::string_view members) {
  const auto request = openai::read_request(R"({"messages":[{"role":"user","content":"x"}],)" + std::string(members) + "}");
  EXPECT_TRUE(request) << members;
  const auto chat = openai::to_chat(*request);
  return chat ? "" : chat.error().message;
}

TEST(OpenAiRequest, ParametersReachTheModel) {
  const ChatRequest chat = chat_of(
      R"({"messages":[{"role":"user","content":"x"}],"max_tokens":7,"temperature":0,"top_p":0.5,"presence_penalty":0,
          "frequency_penalty":-1,"seed":3,"stop":"END","parallel_tool_calls":false,"reasoning_effort":"minimal","tool_choice":"required",
          "tools":[{"type":"function","function":{"name":"a"}}]})");
  EXPECT_EQ(chat.max_tokens, 7);
  EXPECT_EQ(chat.temperature, 0.0);
  EXPECT_EQ(chat.think, model::Think::off);
  EXPECT_EQ(chat.parameters, (model::ChatParameters{.top_p = 0.5,
                                                    .frequency_penalty = -1,
                                                    .seed = 3,
                                                    .parallel_calls = false,
                                                    .stop = {"END"},
                                                    .effort = "minimal",
                                                    .must_call = true}))
      << "a penalty of 0 asks for nothing";
  EXPECT_EQ(chat_of(R"({"messages":[{"role":"user","content":"x"}],"stop":["a","b"]})").parameters.stop.size(), 2U);
}

TEST(OpenAiRequest, UnsupportedParameterIsRefusedByName) {
  for (const char* harmless : {R"("logprobs":false)", R"("top_logprobs":0)", R"("logit_bias":{})", R"("modalities":["text"])",
                               R"("functions":[])", R"("audio":null)", R"("user":"ann","metadata":{"a":"b"},"store":true)"})
    EXPECT_EQ(refusal_of(harmless), "") << harmless;
  EXPECT_EQ(refusal_of(R"("logprobs":true)"), "$.logprobs: not reported; leave it out");
  EXPECT_EQ(refusal_of(R"("functions":[{"name":"a"}])"), "$.functions: send tools; leave it out");
  for (const char* name : {"audio", "function_call", "logit_bias", "modalities", "prediction", "verbosity", "web_search_options"})
    EXPECT_THAT(refusal_of("\"" + std::string(name) + "\":{\"a\":1}"), testing::StartsWith("$." + std::string(name) + ": "));
  for (const char* wrong : {R"("top_p":1.5)", R"("temperature":-1)", R"("presence_penalty":3)", R"("stop":["a","b","c","d","e"])",
                            R"("stop":[1])", R"("max_tokens":0)"})
    EXPECT_THAT(refusal_of(wrong), HasSubstr(": expected ")) << wrong;
}

TEST(OpenAiRequest, ToolWithoutANameIsTheClientsFault) {
  const auto request = openai::read_request(
      R"({"messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"read"}},{"type":"function","function":{"name":""}}]})");
  ASSERT_TRUE(request);
  const auto chat = openai::to_chat(*request);
  ASSERT_FALSE(chat);
  EXPECT_EQ(chat.error().code, Errc::invalid_params);
  EXPECT_THAT(chat.error().message, HasSubstr("$.tools[1].function.name"));
}

TEST(OpenAiRequest, CutArgumentsOfAnEarlierCallRemainText) {
  ChatRequest chat = chat_of(R"({"messages":[
    {"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a"}},
      {"id":"2","type":"function","function":{"name":"read","arguments":"{\"path\":\"b\"}"}}]},
    {"role":"user","content":"Go on"}]})");
  const ImportedChat imported =
      import_chat(std::move(chat.messages), [](std::string_view prefix) { return std::string(prefix) + "1"; });
  std::vector<std::string> inputs;
  for (const hub::EventBody& event : imported.history.events)
    if (const auto* start = std::get_if<hub::event::ToolStart>(&event)) inputs.push_back(start->input_json);
  EXPECT_EQ(inputs, (std::vector<std::string>{R"("{\"path\":\"a")", R"({"path":"b"})"})) << "an event holds valid JSON";
}

TEST(OpenAiRequest, SystemMessagesAloneAreTheClientsFault) {
  const auto request =
      openai::read_request(R"({"messages":[{"role":"system","content":"x"},{"role":"developer","content":"y"}]})");
  ASSERT_TRUE(request);
  const auto chat = openai::to_chat(*request);
  ASSERT_FALSE(chat);
  EXPECT_EQ(chat.error().code, Errc::invalid_params);
  EXPECT_THAT(chat.error().message, testing::StartsWith("$.messages: only system messages"));
}

TEST(OpenAiRequest, ClientWithToolsRunsItsTools) {
  const auto brings = [](std::string_view more) {
    const auto request = openai::read_request(R"({"messages":[])" + std::string(more) + "}");
    EXPECT_TRUE(request) << more;
    return request && openai::brings_tools(*request);
  };
  constexpr std::string_view tools = R"(,"tools":[{"type":"function","function":{"name":"a"}}])";
  EXPECT_TRUE(brings(tools));
  EXPECT_TRUE(brings(std::string(tools) + R"(,"tool_choice":"none")"));
  EXPECT_TRUE(brings(R"(,"tool_choice":"none")")) << "wants none at all";
  for (const char* none : {"", R"(,"tools":null)", R"(,"tools":[])", R"(,"tool_choice":"auto")"})
    EXPECT_FALSE(brings(none)) << none;
}

}  // namespace
}  // namespace parlance::face
