// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/hooks.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/driver/claude/limits.h"
#include "parlance/transport/http/http_server.h"
#include "parlance/transport/whole_file.h"

namespace parlance::driver {
namespace {

using ::testing::HasSubstr;

class ClaudeHooksTest : public ::testing::Test {
 protected:
  ClaudeHooksTest() : folder((std::filesystem::temp_directory_path() / "parlance-XXXXXX").string()) {
    if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no folder for the test");
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy"}) ::unsetenv(name);
  }
  ~ClaudeHooksTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  // The answer of the first hook to an input.
  Result<std::string> call(ClaudeHook hook, std::string input = R"({"tool_name":"Bash"})", std::string id = "parlance_hook_0") {
    ClaudeHooks hooks(loop, {std::move(hook)});
    const claude::HookCallback callback{.callback_id = std::move(id), .input = {std::move(input)}};
    auto output = loop.block_on(hooks.call(callback, folder));
    if (!output) return std::unexpected(std::move(output).error());
    return output->json;
  }
  void serve(HttpHandler handler) {
    auto listening = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, std::move(handler));
    if (!listening) throw std::runtime_error(listening.error().message);
    server = *std::move(listening);
    url = "http://127.0.0.1:" + std::to_string(server->port()) + "/hook";
  }
  std::string file(const std::string& name) const {
    std::ifstream in(folder + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Result<std::vector<ClaudeHook>> read(std::string_view text) {
    { std::ofstream(folder + "/hooks.json") << text; }
    return read_claude_hooks(folder + "/hooks.json");
  }

  Loop loop;
  std::string folder;
  std::unique_ptr<HttpServer> server;
  std::string url;
};

// PreToolUse that refuses: every version of Claude Code takes this for a no.
bool denies(const std::string& output) {
  const auto value = json::parse(output);
  const json::Value* specific = value ? value->find("hookSpecificOutput") : nullptr;
  return specific != nullptr && specific->text_or("permissionDecision", "") == "deny";
}

TEST_F(ClaudeHooksTest, CommandGetsInputAndFolderAndReturnsOutput) {
  const auto output = call({.event = "PreToolUse", .command = R"(cat > seen; echo ' { "continue" : true } ')"});
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(*output, R"({"continue":true})") << "in one line: it travels in one";
  EXPECT_EQ(file("seen"), R"({"tool_name":"Bash"})");
}

TEST_F(ClaudeHooksTest, SilentCommandHasNoOpinion) {
  EXPECT_EQ(*call({.event = "Stop", .command = "true"}, std::string(1 << 20, ' ')), "{}");
}

TEST_F(ClaudeHooksTest, AFailureGoesOnOrBlocksAsThePersonSaid) {
  for (const char* command : {"echo '{}'; exit 3", "echo 'no json'", "echo '[1]'", "kill -9 $$"}) {
    EXPECT_EQ(*call({.event = "PreToolUse", .command = command}), "{}") << command;
    EXPECT_EQ(*call({.event = "PreToolUse", .command = command, .on_failure = "continue"}), "{}") << command;
    EXPECT_TRUE(denies(*call({.event = "PreToolUse", .command = command, .on_failure = "block"}))) << command;
  }
  const auto why = call({.event = "PreToolUse", .command = "echo oh dear >&2; exit 3", .on_failure = "block"});
  EXPECT_THAT(*why, HasSubstr("exit code 3: oh dear"));
  const auto other = call({.event = "UserPromptSubmit", .command = "exit 1", .on_failure = "block"});
  EXPECT_EQ(json::parse(*other)->text_or("decision", ""), "block") << "events that are about no tool have another word for it";
}

TEST_F(ClaudeHooksTest, SlowCommandIsEndedAndMayFailClosed) {
  const std::string slow = "echo $$ > pid; exec sleep 1000";
  EXPECT_EQ(*call({.event = "PreToolUse", .command = slow, .timeout = 0.2}), "{}");
  const auto output = call({.event = "PreToolUse", .command = slow, .timeout = 0.2, .on_failure = "block"});
  EXPECT_TRUE(denies(*output));
  EXPECT_THAT(*output, HasSubstr("no answer in time"));
  if (const std::string pid = file("pid"); !pid.empty()) {  // the command may have ended before the write of its pid
    const std::string command = "/proc/" + pid.substr(0, pid.find('\n')) + "/cmdline";
    const auto runs = [&] { return read_whole_file(command).value_or("").starts_with("sleep"); };
    EXPECT_TRUE(loop.run_until([&] { return !runs(); }));
  }
}

TEST_F(ClaudeHooksTest, MoreOutputThanFitsIsAFailure) {
  const std::string flood = "yes '{}' | head -c " + std::to_string(limits::claude_hook_output_bytes + 100);
  EXPECT_TRUE(denies(*call({.event = "PreToolUse", .command = flood, .on_failure = "block"})));
}

TEST_F(ClaudeHooksTest, AnAddressGetsTheInputAsAPost) {
  std::string seen;
  serve([&](HttpExchange& exchange) -> Task<void> {
    const ServerRequest& request = exchange.request();
    const std::string* type = request.header("Content-Type");
    seen = request.method + " " + request.path + " " + (type != nullptr ? *type : "") + " " + request.body;
    static_cast<void>(co_await exchange.respond({.status = 200, .body = R"({"suppressOutput":true})"}));
  });
  EXPECT_EQ(*call({.event = "PostToolUse", .url = url}), R"({"suppressOutput":true})");
  EXPECT_EQ(seen, R"(POST /hook application/json {"tool_name":"Bash"})");
}

TEST_F(ClaudeHooksTest, UnreachableAddressFailsLikeACommand) {
  int status = 500;
  serve([&](HttpExchange& exchange) -> Task<void> {
    if (status == 0) co_await sleep_for(loop, std::chrono::hours(1));
    static_cast<void>(co_await exchange.respond({.status = status, .body = R"({"continue":true})"}));
  });
  EXPECT_EQ(*call({.event = "PreToolUse", .url = url}), "{}");
  EXPECT_THAT(*call({.event = "PreToolUse", .url = url, .on_failure = "block"}), HasSubstr("status 500"));
  status = 0;
  EXPECT_TRUE(denies(*call({.event = "PreToolUse", .url = url, .timeout = 0.2, .on_failure = "block"})));
  server.reset();
  EXPECT_TRUE(denies(*call({.event = "PreToolUse", .url = url, .on_failure = "block"})));
}

TEST_F(ClaudeHooksTest, UnknownHookIsAnError) {
  for (const char* id : {"parlance_hook_1", "parlance_hook_", "parlance_hook_x", "hook_0"})
    EXPECT_FALSE(call({.event = "Stop", .command = "true"}, "{}", id));
}

TEST_F(ClaudeHooksTest, OfferedTimeoutExceedsTheHooksTimeout) {
  const ClaudeHooks hooks(loop,
                          {{.event = "PreToolUse", .matcher = "Bash", .command = "true"},
                           {.event = "PostToolUse", .matcher = "Bash", .command = "true", .timeout = 2, .on_failure = "block"},
                           {.event = "Stop", .url = "http://h"}});
  claude::Initialize what;
  hooks.offer(what);
  ASSERT_EQ(what.hooks.value.size(), 3U);
  const claude::HookMatcher& first = what.hooks.value.at("PostToolUse").at(0);
  EXPECT_EQ(first.matcher, "Bash");
  EXPECT_EQ(first.callback_ids, std::vector<std::string>{"parlance_hook_1"});
  EXPECT_GT(first.timeout.value_or(0), 2) << "so that our answer comes before it stops waiting";
  EXPECT_EQ(first.on_failure, "block");
  EXPECT_EQ(what.hooks.value.at("Stop").at(0).callback_ids, std::vector<std::string>{"parlance_hook_2"});
  ASSERT_EQ(what.hooks.value.at("PreToolUse").size(), 1U) << "the gate runs these hooks";
  EXPECT_TRUE(ClaudeHooks::is_gate(what.hooks.value.at("PreToolUse").at(0).callback_ids.at(0)));
  EXPECT_EQ(what.hooks.value.at("PreToolUse").at(0).matcher, std::nullopt) << "for every tool";
  claude::Initialize none;
  ClaudeHooks(loop, {}).offer(none);
  EXPECT_EQ(none.hooks.value.size(), 1U);
}

// Before a tool: each matching hook in order, until a refusal.
TEST_F(ClaudeHooksTest, BeforeAToolTheStrictestHookCounts) {
  const auto says = [](std::string_view decision, std::string matcher = "") {
    return ClaudeHook{.event = "PreToolUse",
                      .matcher = std::move(matcher),
                      .command = R"(echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":")" +
                                 std::string(decision) + R"("}}')"};
  };
  const auto decided = [&](std::vector<ClaudeHook> all) {
    ClaudeHooks hooks(loop, std::move(all));
    return loop.block_on(hooks.before_tool("Bash", {.input = {R"({"tool_name":"Bash","tool_input":{"command":"a"}})"}}, folder));
  };
  EXPECT_EQ(decided({}).decision, "");
  EXPECT_EQ(decided({says("allow"), says("ask"), says("allow")}).decision, "ask");
  EXPECT_EQ(decided({says("allow"), says("deny"), says("allow")}).decision, "deny");
  EXPECT_TRUE(denies(decided({says("allow"), says("deny")}).output.json));
  EXPECT_EQ(decided({says("deny", "Write|Edit"), says("deny", "^B.t$")}).decision, "") << "they are for other tools";
  EXPECT_EQ(decided({says("perhaps")}).decision, "deny") << "an unknown word refuses";
  EXPECT_TRUE(denies(decided({says("perhaps")}).output.json));
  const auto changed =
      decided({{.event = "PreToolUse", .command = R"(echo '{"hookSpecificOutput":{"updatedInput":{"command":"b"}}}')"},
               {.event = "PreToolUse", .command = "cat > seen"}});
  ASSERT_TRUE(changed.input);
  EXPECT_EQ(json::to_text(*changed.input), R"({"command":"b"})");
  EXPECT_THAT(file("seen"), HasSubstr(R"("command":"b")")) << "the next hook sees the changed call";
}

TEST_F(ClaudeHooksTest, AFileWithMistakesIsRefusedWithTheirPlace) {
  EXPECT_TRUE(
      read(R"([{"event":"Stop","command":"true"},{"event":"PreToolUse","url":"http://h","on_failure":"block","timeout":1}])"));
  for (const auto& [text, place] : std::vector<std::pair<std::string, std::string>>{
           {R"([{"command":"true"}])", "event"},
           {R"([{"event":"Stop"}])", "either a command or a url"},
           {R"([{"event":"Stop","command":"a","url":"b"}])", "either a command or a url"},
           {R"([{"event":"Stop","command":"a","on_failure":"perhaps"}])", "on_failure"},
           {R"([{"event":"Stop","command":"a","timeout":0}])", "timeout"},
           {R"([{"event":"PreToolUse","matcher":"(","command":"a"}])", "matcher"},
           {R"({"event":"Stop"})", "hooks.json"}}) {
    const auto hooks = read(text);
    ASSERT_FALSE(hooks) << text;
    EXPECT_THAT(hooks.error().message, HasSubstr(place)) << text;
  }
  EXPECT_EQ(read_claude_hooks(folder + "/none.json").error().code, Errc::not_found);
}

}  // namespace
}  // namespace parlance::driver
