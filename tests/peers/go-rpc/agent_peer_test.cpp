// SPDX-License-Identifier: Apache-2.0
// Go's own net/rpc against our programs: its client calls `parlance agent`, `parlance rpc call` and our client call its server.
#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <gmock/gmock.h>

#include "parlance/driver/gorpc/agent_link.h"
#include "parlance/driver/gorpc/chat_call.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/transport/sockets.h"
#include "tests/peers/go-rpc/go_client.h"

namespace parlance::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

INSTANTIATE_TEST_SUITE_P(Go, GoClientWithCodec, testing::Values("gob", "json"), [](const auto& tested) { return tested.param; });

TEST_P(GoClientWithCodec, ChatsUnderBothServiceNames) {
  EXPECT_EQ(content(only({"chat", "grüße"})), "echo: grüße");
  EXPECT_EQ(content(only({"-service", "Agent", "chat", "hello"})), "echo: hello");
  const auto twice = all({"twice"});
  ASSERT_EQ(twice.size(), 2U);
  EXPECT_EQ(content(twice[0]), "echo: one");
  EXPECT_EQ(content(twice[1]), "echo: two");
}

TEST_P(GoClientWithCodec, GetsToolCallsForItsOfferedTools) {
  const auto call = only({"chat-tools"});
  EXPECT_EQ(text_at(call, {"reply", "Tools", "0", "Function", "Name"}), "read_file");
  EXPECT_EQ(parsed(text_at(call, {"reply", "Tools", "0", "Function", "Arguments"})), parsed(R"({"path":"a.txt"})"));
  EXPECT_EQ(text_at(call, {"reply", "Tools", "0", "Type"}), "function");
  EXPECT_NE(text_at(call, {"reply", "Tools", "0", "ID"}), "");
  EXPECT_THAT(content(only({"chat-toolcalls"})), StartsWith("after the calls: "));
}

TEST_P(GoClientWithCodec, SendsResultsOfEveryKind) {
  // Results without their calls reach the model as separate messages, and the last is echoed.
  for (const auto& [kind, value] :
       std::vector<std::pair<std::string, std::string>>{{"string", "file contents: 你好"},
                                                        {"int", "42"},
                                                        {"float", "0.75"},
                                                        {"bool", "true"},
                                                        {"bytes", "AAH+/w=="},
                                                        {"slice", R"(["a",1,2.5])"},
                                                        {"strings", R"(["x","y"])"},
                                                        {"map", R"({"success":true})"},
                                                        {"nested", R"({"items":[{"n":7}]})"},
                                                        {"custom", R"({"Path":"a.txt","Lines":3,"Ok":true})"}}) {
    EXPECT_THAT(content(only({"chat-results", kind})), EndsWith("\n" + value)) << kind;
    EXPECT_THAT(content(only({"chat-results", "nil", "int", kind})), EndsWith("\n" + value)) << kind;
  }
  EXPECT_THAT(content(only({"chat-results", "nil"})), StartsWith("echo: "));
  // A type registered only by the client: Go's server refuses such values, ours reads the stream's own description.
  EXPECT_THAT(content(only({"chat-results", "unshared"})), HasSubstr(R"({"A":1})"));
}

TEST_P(GoClientWithCodec, CountsAndMemory) {
  EXPECT_TRUE(is_stats(only({"stats"})));
  const auto stored = document(only({"store", "I prefer green tea", "preference", "0.8"}));
  EXPECT_EQ(text_at(stored, {"action"}), "created");
  const std::string id = text_at(stored, {"id"});
  const auto found = document(only({"search", "green tea", "preference", "5", "0.5"}));
  EXPECT_EQ(found.integer_or("count", 0), 1);
  EXPECT_EQ(text_at(found, {"items", "0", "id"}), id);
  const auto got = document(only({"get", id}));
  EXPECT_EQ(text_at(got, {"text"}), "I prefer green tea");
  EXPECT_EQ(text_at(got, {"importance"}), "0.8");
  EXPECT_EQ(error(only({"get", "mem-99"})), "memory not found: mem-99");
  EXPECT_EQ(error(only({"get"})), "path is required");
  EXPECT_EQ(error(only({"search"})), "query is required");
  EXPECT_EQ(error(only({"store"})), "text is required");
  EXPECT_EQ(only({"stats"}).find("reply")->find("Stats")->integer_or("memories", 0), 1);

  const auto memory = all({"memory"});
  ASSERT_EQ(memory.size(), 5U);
  EXPECT_EQ(text_at(document(memory[0]), {"action"}), "created");
  EXPECT_EQ(text_at(document(memory[1]), {"action"}), "duplicate");
  EXPECT_EQ(text_at(document(memory[1]), {"id"}), text_at(document(memory[0]), {"id"}));
  EXPECT_EQ(text_at(document(memory[2]), {"items", "0", "text"}), "I prefer dark mode");
  EXPECT_EQ(error(memory[4]), "memory not found: mem-99");
}

TEST_P(GoClientWithCodec, ErrorsAreTextsAndTheConnectionGoesOn) {
  const auto expect = [&](const char* word, const std::string& text) {
    const auto lines = all({word});
    ASSERT_EQ(lines.size(), 2U) << word;
    EXPECT_EQ(error(lines[0]), text);
    EXPECT_TRUE(is_stats(lines[1])) << word;
  };
  expect("unknown-method", "rpc: can't find method RPCService.NoSuchMethod");
  expect("unknown-service", "rpc: can't find service Nope.Chat");
  expect("ill-formed", "rpc: service/method request ill-formed: Chat");
  EXPECT_EQ(error(only({"chat", "error:agent busy"})), "agent busy");
  const auto pulse = all({"pulse"});
  ASSERT_EQ(pulse.size(), 2U);
  EXPECT_EQ(error(pulse[0]), "rpc: can't find method RPCService.PulseAdd");
  EXPECT_EQ(error(pulse[1]), "rpc: can't find method RPCService.PulseStatus");
}

TEST_P(GoClientWithCodec, GetsEverythingOverASingleConnection) {
  const auto sequence = all({"sequence"});
  ASSERT_EQ(sequence.size(), 6U);
  EXPECT_EQ(content(sequence[0]), "echo: one");
  EXPECT_EQ(content(sequence[1]), "echo: two");
  EXPECT_TRUE(is_stats(sequence[2]));
  EXPECT_EQ(text_at(document(sequence[3]), {"action"}), "created");
  EXPECT_EQ(document(sequence[4]).integer_or("count", 0), 1);
  EXPECT_EQ(content(sequence[5]), "echo: four");

  const auto everything = all({"all"});
  ASSERT_EQ(everything.size(), 11U);
  for (std::size_t i = 0; i < everything.size(); ++i)
    EXPECT_EQ(everything[i].find("error") != nullptr, i == 4 || i >= 9) << json::to_text(everything[i]);
  EXPECT_EQ(error(everything[4]), "agent busy");
}

TEST_P(GoClientWithCodec, RepliesArriveInTheOrderOfCompletion) {
  const auto lines = all({"pipeline", "400", "10", "20"});
  ASSERT_EQ(lines.size(), 3U);
  std::vector<std::string> contents;
  for (const auto& line : lines) contents.push_back(content(line));
  EXPECT_EQ(contents.back(), "slept for a while, piece by piece by piece by piece");
  EXPECT_THAT(std::vector(contents.begin(), contents.end() - 1),
              testing::UnorderedElementsAre("echo: sleep:10", "echo: sleep:20"));
}

TEST_P(GoClientWithCodec, ClosesEarlyOrStaysSilentAndTheAgentContinues) {
  EXPECT_NE(at(only({"early-close", "400"}), {"error"}), json::Value()) << "the client closed before the reply";
  EXPECT_TRUE(all({"idle", "20"}).empty());
  EXPECT_EQ(content(only({"chat", "still here"})), "echo: still here");
}

TEST_F(GoClient, ArgumentsOfAnotherTypeAreRefused) {
  const auto lines = calls({"wrong-args"});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(error(lines[0]), StartsWith("gob: type mismatch: no fields matched"));
  EXPECT_TRUE(is_stats(lines[1]));
}

// A Go client that fails to encode an argument leaves its header in the buffer. Go's server stays out of step; ours recovers.
TEST_F(GoClient, AStreamBrokenByTheClientRecovers) {
  const auto lines = calls({"unregistered"});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(text_at(lines[0], {"error"}), "gob: type not registered for interface: proto.Secret");
  EXPECT_EQ(at(lines[0], {"from_server"}), json::Value(false));
  EXPECT_TRUE(is_stats(lines[1]));
}

TEST_F(GoClient, WaitsForAMissingAgent) {
  const Finished finished = run({PARLANCE_GO_PEERS "/peer-client", "-sock", path("nobody.sock"), "-wait", "10ms", "stats"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.out, HasSubstr("timeout waiting for agent at "));
}

// ---- our client, Go's server -----------------------------------------------------------------------------------------------

class GoServer : public GoTest {
 protected:
  // Gives the address for our clients.
  std::string serve(Words words) {
    words.insert(words.begin(), PARLANCE_GO_PEERS "/peer-server");
    server = launch(words);
    until([&] { return !server->lines.empty() || server->ended(); }, "Go's server");
    if (server->ended()) throw std::runtime_error(server->errors);
    return text_at(parsed(server->lines.front()), {"ready"});
  }
  std::string serve_unix(Words more = {}) {
    more.insert(more.begin(), {"-sock", socket()});
    return serve(std::move(more));
  }
  std::string serve_tcp(Words more = {}) {
    more.insert(more.begin(), {"-tcp", "127.0.0.1:0"});
    return serve(std::move(more));
  }
  Finished call(const std::string& address, const std::string& method, const std::string& parameters = "{}", Words more = {}) {
    Words words{"rpc", "call", address, method, parameters};
    words.insert(words.end(), more.begin(), more.end());
    return parlance(words);
  }
  // Everything once, from a shell.
  void expect_all_methods(const std::string& address, const Words& more) {
    const auto reply = [&](const std::string& method, const std::string& parameters) {
      const Finished finished = call(address, method, parameters, more);
      EXPECT_EQ(finished.code, 0) << method << ": " << finished.errors;
      return finished.code == 0 ? parsed(finished.out) : json::Value();
    };
    EXPECT_EQ(text_at(reply("RPCService.Chat", R"({"Messages":[{"Role":"user","Content":"hello"}]})"), {"Content"}),
              "echo: hello");
    EXPECT_EQ(text_at(reply("Agent.Chat", R"({"messages":[{"role":"user","content":"call:read_file"}]})"),
                      {"Tools", "0", "Function", "Name"}),
              "read_file");
    EXPECT_EQ(at(reply("RPCService.Stats", "{}"), {"Stats"}), parsed(R"({"sessions":10,"messages":150,"tools_calls":45})"));
    EXPECT_EQ(parsed(text_at(reply("RPCService.MemoryStore", R"({"Text":"I like tea","Category":"preference","Importance":0.9})"),
                             {"Result"})),
              parsed(R"({"action":"created","id":"mem-1"})"));
    EXPECT_EQ(parsed(text_at(reply("RPCService.MemorySearch", R"({"Query":"tea","Limit":3,"minScore":0.5})"), {"Result"}))
                  .integer_or("count", 0),
              1);
    EXPECT_EQ(text_at(parsed(text_at(reply("RPCService.MemoryGet", R"({"Path":"mem-1"})"), {"Result"})), {"text"}), "I like tea");
    const auto refused = [&](const std::string& method, const std::string& parameters, const std::string& text) {
      const Finished finished = call(address, method, parameters, more);
      EXPECT_EQ(finished.code, 1);
      EXPECT_THAT(finished.errors, HasSubstr(text));
    };
    refused("RPCService.Chat", R"({"Messages":[{"Content":"error:agent busy"}]})", "agent busy");
    refused("RPCService.MemoryGet", R"({"Path":"mem-99"})", "memory not found: mem-99");
    refused("Nope.Chat", "{}", "rpc: can't find service Nope.Chat");
  }

  Task<Result<std::unique_ptr<Peer>>> connect(std::string address, gorpc::ClientSettings settings = {}) {
    PARLANCE_CO_TRY(stream, co_await connect_to(loop, address));
    co_return co_await gorpc::connect(loop, std::move(stream), std::move(settings));
  }
  static Task<void> run_peer(Peer& peer) { static_cast<void>(co_await peer.run()); }
  static gorpc::ChatArgs saying(std::string text) { return {.messages = {{.role = "user", .content = std::move(text)}}}; }

  std::unique_ptr<Program> server;
};

TEST_F(GoServer, AnswersUsOverAUnixSocket) { expect_all_methods(serve_unix(), {}); }
TEST_F(GoServer, AnswersUsOverTcp) { expect_all_methods(serve_tcp(), {}); }
TEST_F(GoServer, AnswersUsInJson) { expect_all_methods(serve_unix({"-codec", "json"}), {"--codec", "json"}); }
TEST_F(GoServer, AnswersUsBehindHttpConnect) { expect_all_methods(serve_tcp({"-http"}), {"--http", "/_goRPC_"}); }
TEST_F(GoServer, AnswersUsBehindHttpConnectOnAUnixSocket) { expect_all_methods(serve_unix({"-http"}), {"--http", "/_goRPC_"}); }

TEST_F(GoServer, AnswersUnknownMethodsInJsonToo) {
  const std::string address = serve_unix({"-codec", "json"});
  const Finished pulse = call(address, "RPCService.PulseAdd", R"({"Title":"t"})", {"--codec", "json"});
  EXPECT_EQ(pulse.code, 0) << pulse.errors;
  EXPECT_EQ(text_at(parsed(pulse.out), {"Status"}), "pending");
}

TEST_F(GoServer, ReportsUninitializedParts) {
  const std::string address = serve_unix({"-uninitialized"});
  for (const auto& [method, text] :
       std::vector<std::pair<std::string, std::string_view>>{{"Chat", gorpc::agent_not_initialized},
                                                             {"Stats", gorpc::storage_not_initialized},
                                                             {"MemorySearch", gorpc::memory_not_initialized},
                                                             {"MemoryGet", gorpc::memory_not_initialized},
                                                             {"MemoryStore", gorpc::memory_not_initialized}}) {
    const Finished finished = call(address, "RPCService." + method);
    EXPECT_EQ(finished.code, 1);
    EXPECT_EQ(finished.errors, "parlance: RPCService." + method + ": " + std::string(text) + "\n");
  }
}

TEST_F(GoServer, IsWaitedForAndThenGivenUp) {
  driver::AgentLink link(loop, socket());
  const auto none = get(link.call(gorpc::stats, {}, {}, 30ms));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "timeout waiting for agent at " + socket());
  // A late server is found without another call.
  serve_unix();
  EXPECT_TRUE(get(link.call(gorpc::stats, {}, {}, long_enough)));
}

TEST_F(GoServer, OfTheDeployedNameIsReachedAndFoundAgainAfterItsDeath) {
  serve_unix({"-services", "Agent"});
  driver::AgentLink link(loop, socket());
  const auto stats = get(link.call(gorpc::stats, {}));
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(stats->stats.at("messages"), 150);

  const auto chat = [&](std::string text) { return link.call(gorpc::chat, saying(std::move(text))); };
  std::optional<Result<gorpc::ChatReply>> dying;
  const auto die = [&]() -> Task<void> { dying = co_await chat("panic"); };
  Scope scope(loop);
  scope.start(die());
  until([&] { return dying.has_value(); }, "the call that its server died of");
  ASSERT_FALSE(*dying);
  EXPECT_EQ(dying->error().code, Errc::disconnected);
  serve_unix({"-services", "Agent"});
  const auto again = get(chat("back"));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->content, "echo: back");
  EXPECT_EQ(std::ranges::count_if(server->lines, [](const std::string& line) { return line.find("panic") != std::string::npos; }),
            0)
      << "nothing is repeated";
}

// A Go agent lacks ChatStream: its text arrives at the end.
TEST_F(GoServer, IsReachedThroughAListenerToo) {
  class Listener final : public driver::ChatListener {
   public:
    void on_text(std::string_view piece) override { text += piece; }
    void on_thought(std::string_view) override {}
    std::string text;
  } listener;
  serve_unix();
  driver::AgentLink link(loop, socket());
  const auto reply = get(driver::call_chat(link, saying("hello"), listener));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(listener.text, "echo: hello");
  const auto failed = get(driver::call_chat(link, saying("error:no"), listener));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no");
}

TEST_F(GoServer, ReadsAllOurMessages) {
  auto peer = get(connect(serve_unix()));
  ASSERT_TRUE(peer) << peer.error().message;
  Scope scope(loop);
  scope.start(run_peer(**peer));
  const auto chat = [&](gorpc::ChatArgs args) -> Task<Result<gorpc::ChatReply>> {
    co_return co_await (*peer)->call_named("RPCService.Chat", gorpc::chat, std::move(args));
  };

  gorpc::ChatArgs args = saying("json");
  args.messages.insert(args.messages.begin(),
                       {.role = "assistant",
                        .tool_calls = {{.id = "c1", .type = "function", .function = {.name = "f", .arguments = R"({"a":1})"}}}});
  args.tools.push_back(
      {.type = "function",
       .function = {.name = "f", .description = "does", .parameters = {{"type", {R"("object")"}}, {"required", {R"(["a"])"}}}}});
  args.stream = "ours alone";
  const auto answer = get(chat(args));
  ASSERT_TRUE(answer) << answer.error().message;
  const json::Value received = parsed(answer->content);
  EXPECT_EQ(text_at(received, {"Messages", "0", "ToolCalls", "0", "Function", "Arguments"}), R"({"a":1})");
  EXPECT_EQ(at(received, {"Tools", "0", "Function", "Parameters"}), parsed(R"({"type":"object","required":["a"]})"));

  gorpc::ChatArgs results{.messages = {{.role = "tool"}}};
  const std::vector<std::string> values{R"("text")",        "42", "0.5", "true", R"({"a":[1,"b",{"c":null}]})", "[]",
                                        "-9007199254740993"};
  for (const std::string& value : values)
    results.messages[0].tool_results.push_back({.id = "c", .type = "function", .result = {value}});
  const auto echoed = get(chat(results));
  ASSERT_TRUE(echoed) << echoed.error().message;
  ASSERT_THAT(echoed->content, StartsWith("results: "));
  const json::Value list = parsed(echoed->content.substr(9));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == "[]") continue;  // Go reads an empty slice as nil
    EXPECT_EQ(at(list, {std::to_string(i), "Result"}), parsed(values[i]));
  }

  const auto large = get(chat(saying("bytes:3000000")));
  ASSERT_TRUE(large) << large.error().message;
  EXPECT_EQ(large->content, std::string(3'000'000, 'x'));
}

TEST_F(GoServer, AnswersManyAtOnceInAnyOrder) {
  auto peer = get(connect(serve_tcp()));
  ASSERT_TRUE(peer) << peer.error().message;
  Scope scope(loop);
  scope.start(run_peer(**peer));
  std::vector<std::string> contents;
  const auto one = [&](std::string text) -> Task<void> {
    const auto reply = co_await (*peer)->call_named("RPCService.Chat", gorpc::chat, saying(std::move(text)));
    contents.push_back(reply ? reply->content : reply.error().message);
  };
  scope.start(one("sleep:300"));
  for (int i = 0; i < 200; ++i) scope.start(one("n" + std::to_string(i)));
  until([&] { return contents.size() == 201; }, "201 replies");
  EXPECT_EQ(contents.back(), "echo: sleep:300");
  std::ranges::sort(contents);
  EXPECT_TRUE(std::ranges::adjacent_find(contents) == contents.end());
  EXPECT_TRUE(std::ranges::all_of(contents, [](const std::string& text) { return text.starts_with("echo: "); }));
}

TEST_F(GoServer, ADeadlineEndsACallAndTheLateReplyIsDropped) {
  auto peer = get(connect(serve_unix()));
  ASSERT_TRUE(peer) << peer.error().message;
  Scope scope(loop);
  scope.start(run_peer(**peer));
  const auto chat = [&](std::string text, Within time) -> Task<Result<gorpc::ChatReply>> {
    co_return co_await (*peer)->call_named("RPCService.Chat", gorpc::chat, saying(std::move(text)), time);
  };
  const auto late = get(chat("sleep:100", within(10ms)));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Errc::deadline_exceeded);
  until([&] { return (*peer)->stats().late_replies == 1; }, "the late reply");
  EXPECT_TRUE(get(chat("on", within(long_enough))));
  EXPECT_EQ(
      parlance({"rpc", "call", socket(), "RPCService.Chat", R"({"Messages":[{"Content":"sleep:60000"}]})", "--timeout", "0.05"})
          .code,
      5);
}

}  // namespace
}  // namespace parlance::test
