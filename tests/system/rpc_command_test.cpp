// SPDX-License-Identifier: Apache-2.0
// gob and net/rpc from a shell.
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class RpcCommand : public ProgramTest {};

TEST_F(RpcCommand, GobGoesThereAndBack) {
  const std::string type = "struct File { Name string; Size int; Tags []string; More map[string]float64; Any interface{} }";
  const std::string values = R"({"Name":"a","Size":-3,"Tags":["x","y"],"More":{"k":0.5},"Any":{"deep":[1,"two",null]}})"
                             "\n"
                             R"({"Name":"b"})"
                             "\n";
  const Finished encoded = parlance({"gob", "encode", type}, values);
  ASSERT_EQ(encoded.code, 0) << encoded.errors;
  const auto values_in = [](const std::string& lines_text) {
    std::vector<json::Value> found;
    std::istringstream lines(lines_text);
    for (std::string line; std::getline(lines, line);)
      if (const json::Value message = parsed(line); message.find("value") != nullptr) found.push_back(*message.find("value"));
    return found;
  };
  const Finished dumped = parlance({"gob", "dump"}, encoded.out);
  ASSERT_EQ(dumped.code, 0) << dumped.errors;
  const auto back = values_in(dumped.out);
  ASSERT_EQ(back.size(), 2U) << dumped.out;
  EXPECT_EQ(at(back[0], {"Name"}), json::Value("a"));
  EXPECT_EQ(at(back[0], {"Size"}), json::Value(-3));
  EXPECT_EQ(at(back[0], {"Tags"}), parsed(R"(["x","y"])"));
  EXPECT_EQ(at(back[0], {"More"}), parsed(R"({"k":0.5})"));
  EXPECT_EQ(at(back[1], {"Name"}), json::Value("b"));
  EXPECT_THAT(dumped.out, HasSubstr("two"));

  const Finished hex = parlance({"gob", "encode", type, "--hex"}, values);
  EXPECT_EQ(parlance({"gob", "dump", "--hex"}, hex.out).out, dumped.out);
  write_file(path("stream.bin"), encoded.out);
  EXPECT_EQ(parlance({"gob", "dump", path("stream.bin")}).out, dumped.out);
  EXPECT_THAT(parlance({"gob", "dump", "--text", path("stream.bin")}).out, HasSubstr("struct File { Name string; Size int"));
  const Finished wrong = parlance({"gob", "encode", type}, "{\"Name\":\"a\"}\n{\"Name\":7}\n");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("line 2"));
  EXPECT_EQ(parlance({"gob", "encode", "struct {"}, "{}").code, 2);
  EXPECT_EQ(parlance({"gob", "dump", path("none.bin")}).code, 1);
  EXPECT_EQ(parlance({"gob", "dump", "--hex"}, "xyz").code, 2);
}

TEST_F(RpcCommand, AShellCommandIsAMethod) {
  const std::string socket = path("rpc.sock");
  const auto server = launch(with_program({"rpc", "serve", socket, R"(RPCService.Stats=echo '{"Stats":{"messages":7}}')",
                                           "RPCService.Chat=cat >chat.json; echo '{\"Content\":\"heard\"}'",
                                           "RPCService.MemoryGet=echo 'no such thing' >&2; exit 3", "Shop.Price=cat",
                                           "Shop.Order=cat >order.json; echo '{}'"}));
  until([&] { return !server->lines.empty() || server->ended(); }, "the server");
  ASSERT_FALSE(server->ended()) << server->errors;
  EXPECT_EQ(mode_of(socket), 0600U);
  const auto call = [&](Words words) {
    words.insert(words.begin(), {"rpc", "call", socket});
    return parlance(words);
  };
  const Finished stats = call({"RPCService.Stats"});
  EXPECT_EQ(at(parsed(stats.out), {"Stats", "messages"}), json::Value(7)) << stats.errors;
  const Finished chat = call({"RPCService.Chat", R"({"messages":[{"role":"user","content":"hi"}]})"});
  EXPECT_EQ(text_at(parsed(chat.out), {"Content"}), "heard") << chat.errors;
  EXPECT_EQ(text_at(parsed(read_file(path("chat.json"))), {"Messages", "0", "Content"}), "hi");
  const Finished failed = call({"RPCService.MemoryGet", R"({"Path":"x"})"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.errors, HasSubstr("no such thing"));
  EXPECT_EQ(parsed(call({"Shop.Price", R"({"of":["tea",2]})", "--codec", "json"}).out), parsed(R"({"of":["tea",2]})"));
  // More than the capacity of all pipes: the command answers before the end of its input.
  const std::string large = R"({"of":")" + std::string(1 << 20, 'x') + "\"}";
  EXPECT_EQ(parlance({"rpc", "call", socket, "Shop.Price", "-", "--codec", "json"}, large).out, large + "\n");
  // Over gob both types are inferred from the JSON: each object of the reply becomes a struct.
  const Finished ordered = call({"Shop.Order", R"({"of":["tea"],"count:uint":2})"});
  EXPECT_EQ(ordered.code, 0) << ordered.errors;
  EXPECT_EQ(parsed(call({"Shop.Price", R"({"of":["tea",2],"at:map[string]int":{"noon":3}})"}).out),
            parsed(R"({"Of":["tea",2],"At":{"Noon":3}})"));
  EXPECT_EQ(parsed(read_file(path("order.json"))), parsed(R"({"Of":["tea"],"Count":2})"));
  EXPECT_EQ(call({"Shop.Order", R"({"a b":2})"}).code, 2);
  EXPECT_THAT(call({"Nope.Stats"}).errors, HasSubstr("rpc: can't find service Nope.Stats"));
  // The parameters from stdin.
  const Finished piped = parlance({"rpc", "call", socket, "RPCService.Chat", "-"}, R"({"Messages":[{"Content":"from a pipe"}]})");
  EXPECT_EQ(piped.code, 0) << piped.errors;
  EXPECT_THAT(read_file(path("chat.json")), HasSubstr("from a pipe"));

  server->child().signal_group(SIGTERM);
  EXPECT_EQ(get(server->child().wait()).code, 0);
  EXPECT_FALSE(std::filesystem::exists(socket));
}

// Methods of our agent beyond the first net/rpc programs.
TEST_F(RpcCommand, TheAgentListsAndForgetsAndSaysWhatItCanDo) {
  const std::string socket = path("agent.sock");
  const auto agent = launch(with_program({"agent", "--socket", socket, "--state", path("state"), "--model", "rehearsal"}));
  until([&] { return !agent->lines.empty() || agent->ended(); }, "the agent");
  ASSERT_FALSE(agent->ended()) << agent->errors;
  const auto call = [&](const std::string& method, const std::string& parameters = "{}") {
    const Finished finished = parlance({"rpc", "call", socket, "RPCService." + method, parameters});
    EXPECT_EQ(finished.code, 0) << method << ": " << finished.errors;
    return finished.code == 0 ? parsed(finished.out) : json::Value();
  };
  const auto result = [&](const std::string& method, const std::string& parameters = "{}") {
    return parsed(text_at(call(method, parameters), {"Result"}));
  };
  const json::Value abilities = call("Abilities");
  EXPECT_EQ(at(abilities, {"Attachments"}), json::Value(true)) << json::to_text(abilities);

  const auto ids = [&](const std::string& parameters) {
    std::vector<std::string> all;
    const json::Value list = result("MemoryList", parameters);
    const json::Value* memories = list.find("items");
    EXPECT_NE(memories, nullptr) << json::to_text(list);
    if (memories != nullptr)
      for (const json::Value& memory : *memories->array()) all.push_back(text_at(memory, {"id"}));
    return all;
  };
  EXPECT_TRUE(ids("{}").empty());
  const std::string tea = text_at(result("MemoryStore", R"({"Text":"Ada drinks green tea","Category":"preference"})"), {"id"});
  const std::string port =
      text_at(result("MemoryStore", R"({"Text":"The gateway listens on port 55003","Category":"fact"})"), {"id"});
  EXPECT_EQ(ids("{}"), (std::vector<std::string>{port, tea})) << "the newest first";
  EXPECT_EQ(ids(R"({"Limit":1})"), std::vector<std::string>{port});
  EXPECT_EQ(ids(R"({"Before":")" + port + "\"}"), std::vector<std::string>{tea});
  EXPECT_EQ(ids(R"({"Category":"preference"})"), std::vector<std::string>{tea});
  EXPECT_TRUE(ids(R"({"Conversation":"conv_none"})").empty());
  call("MemoryForget", R"({"Path":")" + tea + "\"}");
  EXPECT_EQ(ids("{}"), std::vector<std::string>{port});
  const Finished again = parlance({"rpc", "call", socket, "RPCService.MemoryForget", R"({"Path":")" + tea + "\"}"});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.errors, HasSubstr("memory not found: " + tea));
  const Finished nothing = parlance({"rpc", "call", socket, "RPCService.MemoryForget"});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.errors, HasSubstr("path is required"));
}

TEST_F(RpcCommand, AMethodServedOverTcpPicksItsPort) {
  const auto server =
      launch(with_program({"rpc", "serve", "127.0.0.1:0", R"(RPCService.Stats=echo '{"Stats":{"messages":7}}')"}));
  until([&] { return !server->lines.empty() || server->ended(); }, "the server");
  ASSERT_FALSE(server->lines.empty()) << server->errors;
  const std::string& line = server->lines.front();
  const std::string address = line.substr(line.find("tcp:"));
  EXPECT_THAT(address, StartsWith("tcp:127.0.0.1:"));
  const Finished stats = parlance({"rpc", "call", address, "RPCService.Stats"});
  EXPECT_EQ(stats.code, 0) << stats.errors;
  EXPECT_EQ(parlance({"rpc", "call", address, "RPCService.Stats", "{}", "--http", "/_goRPC_"}).code, 0)
      << "behind HTTP CONNECT as well";
}

}  // namespace
}  // namespace parlance::test
