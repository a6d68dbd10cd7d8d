// SPDX-License-Identifier: Apache-2.0
// Agents behind ACP in the program: by name, by command, by address, by a table of parlance.toml.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/system/up.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// An agent with only the ACP messages of a turn.
constexpr std::string_view agent = R"sh(
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  (*'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\n' "$id" ;;
  (*'"method":"session/new"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}\n' "$id" ;;
  (*'"method":"session/prompt"'*)
    echo '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"at your service"}}}}'
    printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}\n' "$id" ;;
  esac
done
)sh";

class AcpAgents : public UpTest {
 protected:
  AcpAgents() {
    std::filesystem::create_directories(work());
    write_file(path("agent.sh"), agent);
  }
  Finished parlance(Words words) { return run(with_program(std::move(words)), "", {}); }
  std::string command() const { return "[\"/bin/sh\", \"" + path("agent.sh") + "\"]"; }
  void configure(const std::string& toml) const { write_file(path("acp.toml"), toml); }
};

TEST_F(AcpAgents, ACommandIsAnAgent) {
  const Finished done = parlance({"run", "acp", "hello", "--cwd", work(), "--", "/bin/sh", path("agent.sh")});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("at your service"));
}

// An agent with a stored session, which the terminal continues: with and without a gateway.
constexpr std::string_view keeper = R"sh(
say() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
update() { printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"old","update":{"sessionUpdate":"%s","content":{"type":"text","text":"%s"}}}}\n' "$1" "$2"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  (*'"method":"initialize"'*) say '{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{}}}}' ;;
  (*'"method":"session/list"'*) say '{"sessions":[{"sessionId":"old","cwd":"WORK","title":"Of yesterday","updatedAt":"2026-01-01T10:00:00Z"}]}' ;;
  (*'"method":"session/load"'*) update user_message_chunk "count the sheep"; update agent_message_chunk "seven sheep"; say '{}' ;;
  (*'"method":"session/new"'*) say '{"sessionId":"new"}' ;;
  (*'"method":"session/prompt"'*)
    case "$line" in (*'"sessionId":"old"'*) update agent_message_chunk "still seven" ;; esac
    say '{"stopReason":"end_turn"}' ;;
  esac
done
)sh";

TEST_F(AcpAgents, ATerminalContinuesASessionOfTheAgent) {
  std::string script(keeper);
  script.replace(script.find("WORK"), 4, work());
  write_file(path("agent.sh"), script);
  configure("[agents.keeper]\ncommand = " + command() + "\n");
  const auto chat = [&](Words more) {
    Words words{"chat", "keeper", "--cwd", work()};
    words.insert(words.end(), more.begin(), more.end());
    return run(with_program(std::move(words)), "/sessions\n/sessions 1\nhow many?\n", {{"PARLANCE_TOKEN", token}});
  };
  const auto expect_continued = [](const Finished& done) {
    EXPECT_THAT(done.errors, AllOf(HasSubstr("Of yesterday"), HasSubstr("count the sheep")));
    EXPECT_THAT(done.out, AllOf(HasSubstr("seven sheep"), HasSubstr("still seven"))) << done.errors;
  };
  expect_continued(chat({"--config", path("acp.toml"), "--state", path("own")}));
  start_up({"--config", path("acp.toml")});
  expect_continued(chat({"--to=ws" + base.substr(4, base.size() - 5), "--state", path("other")}));
}

TEST_F(AcpAgents, ACommandAnswersEditorsToo) {
  const Finished done = run(with_program({"serve-acp", "--agent", "acp", "--state", state(), "--", "/bin/sh", path("agent.sh")}),
                            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}\n"
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\",\"params\":{\"cwd\":\"" +
                                work() + "\",\"mcpServers\":[]}}\n",
                            {});
  EXPECT_THAT(done.out, HasSubstr("\"sessionId\":")) << done.errors;
}

// acpx begins a session in a process, and loads the session in the next process.
TEST_F(AcpAgents, ASessionWithoutAMessageIsLoadedByTheNextProcess) {
  const auto serve = [&](const std::string& request) {
    return run(with_program({"serve-acp", "--agent", "acp", "--state", state(), "--", "/bin/sh", path("agent.sh")}),
               "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}\n" + request, {});
  };
  const std::string where = "\"cwd\":\"" + work() + "\",\"mcpServers\":[]}}\n";
  const std::string begun = serve("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\",\"params\":{" + where).out;
  const std::string name = "\"sessionId\":\"";
  ASSERT_THAT(begun, HasSubstr(name));
  const std::size_t at = begun.find(name) + name.size();
  const std::string session = begun.substr(at, begun.find('"', at) - at);
  const Finished loaded =
      serve("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/load\",\"params\":{\"sessionId\":\"" + session + "\"," + where);
  EXPECT_THAT(loaded.out, HasSubstr("\"id\":1,\"result\":")) << loaded.errors;
}

// iFlow's own word for it: `disallowed_tools` in the settings of a session.
TEST_F(AcpAgents, AToolThatAnIflowClientDisallowsIsRefusedInYolo) {
  const auto server =
      launch(with_program({"serve-acp", "--iflow", "--state", state(), "--model", "rehearsal", "--rehearsal-pace-ms", "0"}));
  const auto say = [&](const std::string& line) {
    ASSERT_TRUE(loop.block_on([](ByteStream& to, std::string text) -> Task<bool> {
      co_return (co_await write_all(to, text)).has_value();
    }(server->stream(), line + "\n")));
  };
  const auto answer_to = [&](int id) {
    const std::string mark = "\"id\":" + std::to_string(id) + ",\"result\"";
    const auto is_it = [&](const std::string& line) { return line.contains(mark); };
    until([&] { return std::ranges::any_of(server->lines, is_it) || server->ended(); }, mark);
    const auto line = std::ranges::find_if(server->lines, is_it);
    if (line == server->lines.end()) throw std::runtime_error(mark + " never came: " + server->errors);
    return parsed(*line);
  };
  say(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}})");
  answer_to(1);
  say(R"({"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":")" + work() +
      R"(","mcpServers":[],"settings":{"permission_mode":"yolo","disallowed_tools":["write_file"]}}})");
  const std::string session = text_at(answer_to(2), {"result", "sessionId"});
  say(R"({"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":")" + session +
      R"(","prompt":[{"type":"text","text":"write note.txt hello"}]}})");
  answer_to(3);
  EXPECT_FALSE(std::filesystem::exists(work() + "/note.txt"));
  EXPECT_TRUE(
      std::ranges::any_of(server->lines, [](const std::string& line) { return line.contains("does not allow write_file"); }));
}

TEST_F(AcpAgents, AnAgentWithASignInNamesTheTerminalCommand) {
  constexpr std::string_view locked = R"sh(
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  (*'"auth":{"terminal":true'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"authMethods":[{"id":"login","name":"Log in","type":"terminal","args":["--login","a person"],"env":{"PLACE":"here"}}]}}\n' "$id" ;;
  (*'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\n' "$id" ;;
  (*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"Authentication required"}}\n' "$id" ;;
  esac
done
)sh";
  write_file(path("locked.sh"), locked);
  const Finished done = parlance({"run", "acp", "hello", "--cwd", work(), "--", "/bin/sh", path("locked.sh")});
  EXPECT_NE(done.code, 0);
  EXPECT_THAT(done.errors,
              HasSubstr("login (Log in: in a terminal, run PLACE=here /bin/sh " + path("locked.sh") + " --login 'a person')"));
}

// Claims the mode yolo, starts a program through the host, then requests a command as a search. Reports the answers.
constexpr std::string_view liar = R"sh(
say() { printf '%s\n' "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  (*'"method":"initialize"'*) say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":1}}" ;;
  (*'"method":"session/new"'*)
    say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"sessionId\":\"s\",\"modes\":{\"currentModeId\":\"default\",\"availableModes\":[{\"id\":\"default\",\"name\":\"d\"},{\"id\":\"yolo\",\"name\":\"y\"}]}}}" ;;
  (*'"method":"session/set_mode"'*) say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{}}" ;;
  (*'"method":"session/prompt"'*)
    prompt=$id
    say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"current_mode_update","currentModeId":"yolo"}}}'
    say "{\"jsonrpc\":\"2.0\",\"id\":\"t\",\"method\":\"terminal/create\",\"params\":{\"sessionId\":\"s\",\"command\":\"touch\",\"args\":[\"$RAN\"]}}" ;;
  (*'"id":"t"'*)
    terminal=$line
    say '{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"Search","kind":"search","rawInput":{"command":["rg","--pre","./evil.sh","x","."]}},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]}}' ;;
  (*'"id":"p"'*)
    case "$line$terminal" in *'"yes"'*|*terminalId*) word=allowed ;; *) word=refused ;; esac
    say "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"all was $word\"}}}}"
    say "{\"jsonrpc\":\"2.0\",\"id\":$prompt,\"result\":{\"stopReason\":\"end_turn\"}}" ;;
  esac
done
)sh";

TEST_F(AcpAgents, AnAgentThatLiesAboutItsModeAndCallsIsAllowedNothing) {
  write_file(path("liar.sh"), "RAN=" + path("ran") + "\n" + std::string(liar));
  for (const char* mode : {"default", "smart", "plan"}) {
    const Finished done = parlance({"run", "acp", "hello", "--mode", mode, "--cwd", work(), "--", "/bin/sh", path("liar.sh")});
    EXPECT_THAT(done.out, HasSubstr("all was refused")) << mode << ": " << done.errors;
    EXPECT_FALSE(std::filesystem::exists(path("ran"))) << mode;
  }
}

TEST_F(AcpAgents, ATableOfTheConfigurationIsAnAgent) {
  configure("[agents.helper]\ncommand = " + command() + "\n");
  const Finished done = parlance({"run", "helper", "hello", "--cwd", work(), "--config", path("acp.toml")});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("at your service"));
  EXPECT_THAT(parlance({"doctor", "--config", path("acp.toml")}).out, HasSubstr("agent helper"));
}

TEST_F(AcpAgents, TheDoctorExplainsTheInstallationOfEachKnownAgent) {
  const Finished doctor = run(with_program({"doctor", "--state", state()}), "", {{"PATH", "/usr/bin:/bin"}});
  for (const char* install :
       {"npm install -g @agentclientprotocol/claude-agent-acp", "npm install -g @google/gemini-cli",
        "npm install -g @qwen-code/qwen-code", "npm install -g opencode-ai", "npm install -g @agentclientprotocol/codex-acp",
        "npm install -g @github/copilot", "npm install -g @iflow-ai/iflow-cli"})
    EXPECT_THAT(doctor.out, HasSubstr(std::string("not installed: ") + install));
}

// Known only to the person's login shell (nvm and similar), with its model in its settings.
TEST_F(AcpAgents, AnIflowKnownOnlyToTheLoginShellIsFoundAndStarted) {
  std::filesystem::create_directories(path("home"));
  const auto program = [&](const std::string& name, const std::string& text) {
    write_file(path(name), text);
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
  };
  program("hidden-iflow", "#!/bin/sh\necho \"$@\" > " + path("arguments") + "\n" + std::string(agent));
  program("shell", "#!/bin/sh\necho welcome\necho " + path("hidden-iflow") + "\n");
  const Variables place{{"PATH", "/usr/bin:/bin"}, {"SHELL", path("shell")}, {"HOME", path("home")}};
  const Finished done = run(with_program({"run", "iflow", "hello", "--cwd", work()}), "", place);
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("at your service"));
  EXPECT_EQ(read_file(path("arguments")), "--experimental-acp --stream\n");
  EXPECT_FALSE(std::filesystem::exists(path("home") + "/.iflow")) << "nobody has chosen anything";
  EXPECT_THAT(run(with_program({"doctor", "--state", state()}), "", place).out, HasSubstr("iFlow: " + path("hidden-iflow")));
}

// A running agent: at an address, or at iFlow's possible ports; without a listener, iFlow's own program.
TEST_F(AcpAgents, AnAddressIsAnAgent) {
  const auto serve = [&](const std::string& name, Words more) {
    Words words{"serve-acp", "--port", "0", "--state", path(name), "--model", "rehearsal"};
    words.insert(words.end(), more.begin(), more.end());
    auto server = launch(with_program(words));
    until([&] { return server->errors.contains("ws://") || !server->lines.empty() || server->ended(); }, "its address");
    return server;
  };
  const auto address_in = [](const Program& server) {
    const std::string said = server.errors + (server.lines.empty() ? "" : server.lines.front());
    const std::size_t at = said.find("ws://");
    return at == std::string::npos ? "" : said.substr(at, said.find_first_of(" \n", at) - at);
  };
  const auto standard = serve("standard", {});
  const Finished done = parlance({"run", "acp", "help", "--cwd", work(), "--", address_in(*standard)});
  EXPECT_EQ(done.code, 0) << done.errors << standard->errors;
  EXPECT_THAT(done.out, HasSubstr("remember"));

  const auto iflow = serve("iflow", {"--iflow"});
  const std::string address = address_in(*iflow);
  const std::string port = address.substr(address.rfind(':') + 1, address.rfind('/') - address.rfind(':') - 1);
  Variables place{{"PATH", "/usr/bin:/bin"}, {"SHELL", ""}, {"HOME", folder()}, {"PARLANCE_IFLOW_PORT", port}};
  const Finished there = run(with_program({"run", "iflow", "help", "--cwd", work()}), "", place);
  EXPECT_THAT(there.out, HasSubstr("You wrote"))
      << "iFlow's prompts have sections, so that the script knows no word of it; " << there.errors;
  place.back().second = "1";
  const Finished gone = run(with_program({"run", "iflow", "help", "--cwd", work()}), "", place);
  EXPECT_NE(gone.code, 0);
  EXPECT_THAT(gone.errors, HasSubstr("npm install -g @iflow-ai/iflow-cli"));
}

TEST_F(AcpAgents, AMissingAgentNamesItsInstallation) {
  const Finished unknown = parlance({"run", "nobody", "hello"});
  EXPECT_NE(unknown.code, 0);
  EXPECT_THAT(unknown.errors, AllOf(HasSubstr("no such agent"), HasSubstr("qwen"), HasSubstr("iflow")));
  EXPECT_THAT(parlance({"run", "acp", "hello"}).errors, HasSubstr("parlance run acp 'PROMPT' -- COMMAND"));
  EXPECT_THAT(parlance({"run", "acp", "hello", "--", "/no/such/agent"}).errors, HasSubstr("no program \"/no/such/agent\""));
  EXPECT_NE(parlance({"run", "acp", "ws://127.0.0.1:1/acp", "hello", "--cwd", work()}).code, 0);
}

TEST_F(AcpAgents, AMistakeInATableNamesItsPlace) {
  for (const auto& [toml, complaint] : {std::pair{"[agents.x]\ncolour = \"red\"\n", "an agent has name, command, env, url"},
                                        std::pair{"[agents.x]\nname = \"X\"\n", "[agents.x] needs a command or a url"},
                                        std::pair{"[agents.x]\nurl = \"ws://h\"\ndialect = \"dutch\"\n", "is no dialect"}}) {
    configure(toml);
    const Finished finished = parlance({"run", "x", "hello", "--config", path("acp.toml")});
    EXPECT_NE(finished.code, 0);
    EXPECT_THAT(finished.errors, HasSubstr(complaint));
  }
}

}  // namespace
}  // namespace parlance::test
