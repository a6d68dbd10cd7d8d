// SPDX-License-Identifier: Apache-2.0
// OpenAI's API from the serving side: whole answers as in tests/golden/openai, refused requests, disconnecting clients.
#include "parlance/face/openai/chat_over_openai.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"
#include "parlance/transport/http/limits.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;
using model::ChatRequest;
using model::ChunkSink;
using model::Completion;
using test::completions;
using test::GatewayBench;
using testing::HasSubstr;

// ---- golden ------------------------------------------------------------------------------------------------------------
// `>` is the request's body, `<` the status, the type and every line of the answer's body.

struct Transcript {
  std::string comments, request;
  std::vector<std::string> answer;
};

std::string path_of(const std::string& name) { return PARLANCE_SOURCE_DIR "/tests/golden/openai/" + name + ".transcript"; }

Transcript read_transcript(const std::string& name) {
  Transcript transcript;
  std::ifstream file(path_of(name));
  EXPECT_TRUE(file) << path_of(name);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) transcript.comments += line + "\n";
    if (line.starts_with("> ")) transcript.request = line.substr(2);
    if (line.starts_with("<")) transcript.answer.push_back(line.size() > 2 ? line.substr(2) : "");
  }
  return transcript;
}

void expect_golden(const std::string& name, test::FakeAgent::ChatScript script) {
  const Transcript wanted = read_transcript(name);
  GatewayBench bench;
  bench.agent.chat_script = std::move(script);
  const HttpResponse answer = bench.send("POST", completions, wanted.request);
  std::vector<std::string> got{std::to_string(answer.status) + " " + GatewayBench::header(answer, "Content-Type")};
  std::istringstream body(answer.body);
  for (std::string line; std::getline(body, line);) got.push_back(line);
  if (std::getenv("GOLDEN_UPDATE") != nullptr) {
    std::ofstream file(path_of(name));
    file << wanted.comments << "> " << wanted.request << "\n";
    for (const std::string& line : got) file << (line.empty() ? "<" : "< " + line) << "\n";
  }
  EXPECT_EQ(got, wanted.answer) << name;
}

Completion with_calls() {
  return {.content = "",
          .tool_calls = {{.id = "call_1", .name = "read", .arguments = R"({"path":"a.txt"})"},
                         {.id = "call_2", .name = "list", .arguments = "{}"}},
          .stop = model::StopReason::tool_calls,
          .usage = {.input_tokens = 20, .output_tokens = 9},
          .model = "rehearsal"};
}

TEST(ChatOverOpenAi, AnswersAtOnce) {
  expect_golden("answer", [](const ChatRequest&, ChunkSink&) -> Task<Result<Completion>> {
    co_return Completion{.content = "Hello, Ann.\n\"Quoted\".",
                         .reasoning = "a name",
                         .usage = {.input_tokens = 7, .output_tokens = 2, .cached_tokens = 4},
                         .model = "rehearsal"};
  });
}

TEST(ChatOverOpenAi, AnswersWithToolCalls) {
  expect_golden("answer_tools", [](const ChatRequest&, ChunkSink&) -> Task<Result<Completion>> { co_return with_calls(); });
}

TEST(ChatOverOpenAi, EstimatesUnreportedTokens) {
  expect_golden("answer_untold_usage", [](const ChatRequest&, ChunkSink&) -> Task<Result<Completion>> {
    co_return Completion{.content = "four of these"};
  });
}

TEST(ChatOverOpenAi, StreamsTextAndThoughts) {
  expect_golden("stream", [](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
    for (const char* piece : {"hm", "…"}) (void)chunks.on_chunk(model::ReasoningDelta{.text = piece});
    for (const char* piece : {"Hel", "lo."}) (void)chunks.on_chunk(model::TextDelta{.text = piece});
    co_return Completion{
        .content = "Hello.", .reasoning = "hm…", .usage = {.input_tokens = 7, .output_tokens = 2}, .model = "rehearsal"};
  });
}

TEST(ChatOverOpenAi, StreamsToolCallsInPieces) {
  expect_golden("stream_tools", [](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
    (void)chunks.on_chunk(model::ToolCallStart{.index = 0, .id = "call_1", .name = "read"});
    for (const char* piece : {R"({"path":)", R"("a.txt"})"})
      (void)chunks.on_chunk(model::ToolCallDelta{.index = 0, .arguments = piece});
    (void)chunks.on_chunk(model::ToolCallStart{.index = 1, .id = "call_2", .name = "list"});
    (void)chunks.on_chunk(model::ToolCallDelta{.index = 1, .arguments = "{}"});
    co_return with_calls();
  });
}

// Agents over net/rpc stream text and send tool calls at the end; older agents send everything at the end.
TEST(ChatOverOpenAi, StreamsAnAnswerSentOnlyAtTheEnd) {
  expect_golden("stream_at_the_end", [](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
    (void)chunks.on_chunk(model::TextDelta{.text = "Let me "});
    Completion completion = with_calls();
    completion.content = "Let me look.";
    completion.reasoning = "to look";
    co_return completion;
  });
}

TEST(ChatOverOpenAi, AnErrorBeforeTheFirstPieceIsAnHttpError) {
  expect_golden("stream_fails_at_once", [](const ChatRequest&, ChunkSink&) -> Task<Result<Completion>> {
    co_return fail(Errc::disconnected, "timeout waiting for agent");
  });
}

TEST(ChatOverOpenAi, AnErrorLaterEndsTheStream) {
  expect_golden("stream_fails_later", [](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
    (void)chunks.on_chunk(model::TextDelta{.text = "Hel"});
    co_return fail(Errc::failed, "the model said \"no\"");
  });
}

// ---- requests ------------------------------------------------------------------------------------------------------------

TEST(ChatOverOpenAi, AttachmentsReachTheAgentOnBothWays) {
  for (const char* tools : {"", R"(,"tools":[{"type":"function","function":{"name":"a"}}])"}) {
    GatewayBench bench;
    const HttpResponse answer = bench.send(
        "POST", completions,
        R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}]},
            {"role":"assistant","content":"A picture."},
            {"role":"user","content":[{"type":"text","text":"And this?"},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERg=="}}]}])" +
            std::string(tools) + "}");
    EXPECT_EQ(answer.status, 200) << answer.body;
    ASSERT_EQ(bench.agent.requests.size(), 1U);
    const auto& messages = bench.agent.requests[0].messages;
    ASSERT_EQ(messages.size(), 3U);
    EXPECT_EQ(messages[0].attachments, (std::vector<model::Attachment>{{.media_type = "image/png", .data = "\x89PNG"}}));
    EXPECT_EQ(messages[2].attachments,
              (std::vector<model::Attachment>{{.media_type = "application/pdf", .name = "a.pdf", .data = "%PDF"}}));
  }
}

struct Refused {
  std::string_view body;
  std::string_view param;  // "null" when the whole document is wrong
};

TEST(ChatOverOpenAi, AnInvalidRequestIsAnsweredWithThePlace) {
  GatewayBench bench;
  for (const auto& [body, param] : std::initializer_list<Refused>{
           {"", "null"},
           {"{", "null"},
           {"[]", "null"},
           {"{}", "messages"},
           {R"({"messages":[]})", "messages"},
           {R"({"messages":"hi"})", "messages"},
           {R"({"messages":[{"content":"x"}]})", "messages[0].role"},
           {R"({"messages":[{"role":"robot","content":"x"}]})", "messages[0].role"},
           {R"({"messages":[{"role":"user","content":5}]})", "messages[0].content"},
           {R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]})",
            "messages[0].content[0].image_url.url"},
           {R"({"messages":[{"role":"user","content":[{"type":"text"}]}]})", "messages[0].content[0].text"},
           {R"({"messages":[{"role":"user","content":"x"},{"role":"tool","content":"x"}]})", "messages[1].tool_call_id"},
           {R"({"messages":[{"role":"user","content":"x","tool_calls":[{"function":{"name":"a"}}]}]})", "messages[0].tool_calls"},
           {R"({"messages":[{"role":"assistant","tool_calls":[{"id":"1"}]}]})", "messages[0].tool_calls[0].function"},
           {R"({"messages":[{"role":"user","content":"x"}],"n":2})", "n"},
           {R"({"messages":[{"role":"user","content":"x"}],"max_tokens":0})", "max_tokens"},
           {R"({"messages":[{"role":"user","content":"x"}],"temperature":3})", "temperature"},
           {R"({"messages":[{"role":"user","content":"x"}],"temperature":"hot"})", "temperature"},
           {R"({"messages":[{"role":"user","content":"x"}],"tools":[{"type":"custom","function":{"name":"a"}}]})", "tools"},
           {R"({"messages":[{"role":"user","content":"x"}],"tool_choice":"maybe"})", "tool_choice"},
           {R"({"messages":[{"role":"user","content":"x"}],"tool_choice":{"function":{"name":"a"}}})",
            "tool_choice.function.name"},
       }) {
    const HttpResponse answer = bench.send("POST", completions, std::string(body));
    EXPECT_EQ(answer.status, 400) << body;
    const auto error = json::parse(answer.body);
    ASSERT_TRUE(error) << answer.body;
    const json::Value* inner = error->find("error");
    ASSERT_NE(inner, nullptr) << answer.body;
    EXPECT_EQ(inner->text_or("param", "null"), param) << body << " -> " << answer.body;
    EXPECT_EQ(inner->text_or("type", ""), "invalid_request_error");
    EXPECT_FALSE(inner->text_or("message", "").empty());
  }
  EXPECT_TRUE(bench.agent.requests.empty());
}

TEST(ChatOverOpenAi, ErrorsOfTheAgentHaveTheirStatus) {
  for (const auto& [code, status, retry] : std::initializer_list<std::tuple<Errc, int, std::string_view>>{
           {Errc::invalid_params, 400, "false"},
           {Errc::denied, 403, "false"},
           {Errc::not_found, 404, "false"},
           {Errc::failed, 502, "false"},
           {Errc::internal, 500, "false"},
           {Errc::overloaded, 503, "true"},
           {Errc::disconnected, 503, "true"},
           {Errc::deadline_exceeded, 504, "true"},
       }) {
    GatewayBench bench;
    bench.agent.chat_script = [code](const ChatRequest&, ChunkSink&) -> Task<Result<Completion>> {
      co_return fail(code, "so it is");
    };
    const HttpResponse answer = bench.send("POST", completions, R"({"messages":[{"role":"user","content":"x"}]})");
    EXPECT_EQ(answer.status, status) << to_string(code);
    EXPECT_EQ(GatewayBench::header(answer, "X-Should-Retry"), retry) << to_string(code);
    EXPECT_THAT(answer.body, HasSubstr("so it is"));
    EXPECT_THAT(answer.body, HasSubstr("\"code\":\"" + std::string(to_string(code)) + '"'));
  }
}

TEST(ChatOverOpenAi, AnInvalidBodyIsReportedByItsKind) {
  GatewayBench bench;
  const auto message = [&](std::string body) {
    const auto answer = json::parse(bench.send("POST", completions, std::move(body)).body);
    return answer ? std::string(answer->find("error")->text_or("message", "")) : "no JSON";
  };
  const std::string wanted = R"(expected a JSON object: {"model": …, "messages": […]})";
  EXPECT_EQ(message(""), "the request has no body; " + wanted);
  EXPECT_THAT(message("hello"), testing::StartsWith("the request's body is no JSON (" + wanted + "): "));
  EXPECT_THAT(message("{\"messages\":"), testing::StartsWith("the request's body is no JSON (" + wanted + "): "));
  for (const char* body : {"null", "[]", "5", "\"x\""})
    EXPECT_EQ(message(body), "the request's body is JSON, but no object; " + wanted) << body;
}

// ---- disconnecting clients -----------------------------------------------------------------------------------------------

TEST(ChatOverOpenAi, ADisconnectedClientCancelsTheChat) {
  for (const bool streams : {false, true}) {
    for (const bool after_a_piece : {false, true}) {
      GatewayBench bench;
      Signal never(bench.loop);
      bench.agent.chat_script = [&](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
        if (after_a_piece) (void)chunks.on_chunk(model::TextDelta{.text = "Hel"});
        co_await never.wait();
        co_return Completion{};
      };
      std::string body;
      {
        Scope scope(bench.loop);
        const auto ask = [&]() -> Task<void> {
          const std::string stream = streams ? R"(,"stream":true})" : "}";
          co_await bench.client.stream(
              bench.request("POST", completions, R"({"messages":[{"role":"user","content":"x"}])" + stream),
              [&](BytesView piece) -> Result<void> {
                body += piece;
                return {};
              });
        };
        scope.start(ask());
        bench.until([&] { return bench.agent.running_chats == 1 && (!(streams && after_a_piece) || !body.empty()); });
      }
      bench.until([&] { return bench.agent.running_chats == 0; });
    }
  }
}

TEST(ChatOverOpenAi, PiecesArriveWhileTheModelStillWrites) {
  GatewayBench bench;
  Signal more(bench.loop);
  bench.agent.chat_script = [&](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
    (void)chunks.on_chunk(model::TextDelta{.text = "first"});
    co_await more.wait();
    co_return Completion{.content = "first and last"};
  };
  std::string body;
  bool ended = false;
  Scope scope(bench.loop);
  const auto ask = [&]() -> Task<void> {
    co_await bench.client.stream(
        bench.request("POST", completions, R"({"messages":[{"role":"user","content":"x"}],"stream":true})"),
        [&](BytesView piece) -> Result<void> {
          body += piece;
          return {};
        });
    ended = true;
  };
  scope.start(ask());
  bench.until([&] { return body.find("first") != std::string::npos; });
  EXPECT_FALSE(ended);
  more.notify_all();
  bench.until([&] { return ended; });
  EXPECT_TRUE(body.ends_with("data: [DONE]\n\n"));
}

TEST(ChatOverOpenAi, AClientThatDoesNotReadDoesNotFillTheMemory) {
  GatewayBench bench;
  std::optional<Error> refused;
  bench.agent.chat_script = [&](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
    for (int i = 0; i < 100'000 && !refused; ++i)  // without ever letting the loop write
      if (auto taken = chunks.on_chunk(model::TextDelta{.text = std::string(1000, 'x')}); !taken) refused = taken.error();
    co_return fail(refused.value_or(Error{.message = "all was taken"}));
  };
  bench.send(
      "POST", completions,
      R"({"messages":[{"role":"user","content":"x"}],"stream":true,"tools":[{"type":"function","function":{"name":"a"}}]})");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, Errc::disconnected);
}

// An exchange without a network, for virtual time.
class FakeExchange final : public HttpExchange {
 public:
  explicit FakeExchange(std::string body) { request_.body = std::move(body); }
  const ServerRequest& request() const override { return request_; }
  Task<Result<void>> respond(HttpReply reply) override {
    written += std::to_string(reply.status) + " " + reply.body;
    co_return Result<void>{};
  }
  Task<Result<void>> begin(int status, std::vector<HttpHeader>) override {
    written += std::to_string(status) + "\n";
    co_return Result<void>{};
  }
  Task<Result<void>> write(std::string bytes) override {
    written += bytes;
    co_return Result<void>{};
  }
  Task<Result<void>> end() override {
    ended = true;
    co_return Result<void>{};
  }
  Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view, std::vector<HttpHeader>) override {
    co_return fail(Errc::invalid_request, "no WebSocket");
  }
  std::string written;
  bool ended = false;

 private:
  ServerRequest request_;
};

// Proxies cut silent streams, and models think for minutes.
TEST(ChatOverOpenAi, SilenceIsFilledWithComments) {
  hub::test::Bench bench;
  Loop& loop = bench.loop;
  test::FakeAgent agent;
  agent.chat_script = [&](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
    co_await sleep_for(loop, 2 * limits::sse_keep_alive + 1s);
    (void)chunks.on_chunk(model::TextDelta{.text = "at last"});
    co_await sleep_for(loop, limits::sse_keep_alive + 1s);
    co_return fail(Errc::failed, "and then nothing");
  };
  bench.hub->add_agent(std::make_unique<test::FakeChatProvider>(loop, agent));
  const face::ServedModels models(*bench.hub, agent);
  face::ChatViaHub chats(loop, {.folder = "/project"});
  face::ChatOverOpenAi openai(loop, chats, agent, models);
  FakeExchange exchange(R"({"stream":true,"messages":[{"role":"user","content":"x"}]})");
  loop.block_on(openai.create(exchange, *bench.hub));
  EXPECT_TRUE(exchange.ended);
  std::string kinds;
  std::istringstream lines(exchange.written);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty())
      kinds += line.starts_with(":") ? ':' : line.starts_with("data: {\"error\"") ? 'e' : line.starts_with("data: ") ? 'd' : 's';
  EXPECT_EQ(kinds, "s::d:e");
}

}  // namespace
}  // namespace parlance::app
