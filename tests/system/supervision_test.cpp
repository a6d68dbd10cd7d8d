// SPDX-License-Identifier: Apache-2.0
// `parlance up` and `parlance agent` after the death of parts, or with another program in their place.
#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

#include "parlance/base/uri.h"
#include "parlance/process/limits.h"
#include "parlance/transport/sockets.h"
#include "tests/system/up.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Supervision : public UpTest {};

TEST_F(Supervision, ItsFilesArePrivateToTheOwner) {
  start_up();
  EXPECT_EQ(mode_of(ready_file()), 0600U);
  EXPECT_EQ(mode_of(socket()), 0600U);
  EXPECT_EQ(mode_of(state()), 0700U);
  for (const auto& entry : std::filesystem::directory_iterator(state())) EXPECT_EQ(mode_of(entry.path()), 0600U) << entry.path();
  EXPECT_EQ(at(ready, {"pid"}), json::Value(static_cast<std::int64_t>(up->child().pid())));
  EXPECT_EQ(text_at(ready, {"url"}), base + "#token=" + token);
  for (const std::string& line : up->lines)
    EXPECT_THAT(line, Not(HasSubstr(token))) << "stdout is no terminal here, as under systemd";
  EXPECT_THAT(up->lines, Contains("  Open  " + base + "  (its token is kept in " + state() + "/token)"));
  EXPECT_EQ(text_at(ready, {"services", "agent", "address"}), "unix:" + socket());
  EXPECT_TRUE(Watched(service_pid("agent")).runs());
  EXPECT_TRUE(Watched(service_pid("gateway")).runs());
  EXPECT_GE(token.size(), 32U);
}

// A file in the working folder that no service may read if --config names another file.
TEST_F(Supervision, TheServicesReadUpsFile) {
  write_file(path("parlance.toml"), "no such thing = 1\n");
  write_file(path("given.toml"), "rehearsal_pace_ms = 0\n");
  start_up({"--config", path("given.toml")});
  EXPECT_THAT(chat("help"), HasSubstr("remember"));
}

TEST_F(Supervision, HealthWantsTheToken) {
  start_up();
  HttpRequest without = request("GET", "health");
  without.headers.clear();
  const auto refused = send(without);
  ASSERT_TRUE(refused) << refused.error().message;
  EXPECT_EQ(refused->status, 401);
  const auto health = answer("GET", "health");
  EXPECT_EQ(health.status, 200);
  EXPECT_EQ(text_at(parsed(health.body), {"services", "0", "name"}), "agent");
  until_observed([&] { return agent_state() == "ready"; }, "the gateway's connection to the agent");
}

TEST_F(Supervision, AKilledAgentIsStartedAgainAndTheGatewayTells) {
  start_up();
  until_observed([&] { return agent_state() == "ready"; }, "the agent");
  EXPECT_THAT(chat("long 3"), HasSubstr(" "));
  const pid_t first = service_pid("agent");
  // The supervisor is stopped, so that the time without an agent is long enough to observe.
  ASSERT_EQ(::kill(up->child().pid(), SIGSTOP), 0);
  ASSERT_EQ(::kill(first, SIGKILL), 0);
  until_observed([&] { return agent_state() != "ready"; }, "the gateway to miss its agent");
  EXPECT_NE(agent_state(), "");
  ASSERT_EQ(::kill(up->child().pid(), SIGCONT), 0);
  until_observed([&] { return agent_state() == "ready"; }, "the agent to come back");
  EXPECT_THAT(chat("help"), HasSubstr("remember"));
  until_file(ready_file(), [&] { return parsed(read_file(ready_file())) != ready; }, "the ready file to name the new process");
  ready = parsed(read_file(ready_file()));
  EXPECT_NE(service_pid("agent"), first);
  EXPECT_TRUE(Watched(service_pid("agent")).runs());
}

// Stopped without a continuation: looks like a hanging process.
TEST_F(Supervision, AHangingServiceIsRestartedAndThePageSaysSo) {
  start_up();
  until_observed([&] { return agent_state() == "ready"; }, "the agent");
  for (const std::string name : {"embed", "agent", "gateway"}) {
    const pid_t first = service_pid(name);
    const Watched hanging(first);
    ASSERT_EQ(::kill(first, SIGSTOP), 0);
    if (name == "embed")
      until_observed([&] { return answer("GET", "health").body.find("was stopped by a signal") != std::string::npos; },
                     "the gateway to tell of it");
    EXPECT_TRUE(hanging.ends_within()) << name;
    until_file(
        ready_file(),
        [&] { return at(parsed(read_file(ready_file())), {"services", name, "pid"}) != at(ready, {"services", name, "pid"}); },
        "another process for " + name);
    ready = parsed(read_file(ready_file()));
    EXPECT_NE(service_pid(name), first);
    until_observed([&] { return agent_state() == "ready"; }, "the agent's connection");
    EXPECT_THAT(up->lines, Contains(AllOf(HasSubstr(name), HasSubstr("no answer for"), HasSubstr("stopped by a signal"))));
  }
  EXPECT_THAT(chat("help"), HasSubstr("remember"));
  EXPECT_EQ(text_at(ready, {"services", "gateway", "address"}), base) << "where it was";
  until_observed([&] { return answer("GET", "health").body.find(R"("status":"ok")") != std::string::npos; },
                 "all to be well again");
}

// 128 descriptors make room for 64 connections. The supervisor asks over the pipe, which needs no connection.
TEST_F(Supervision, AGatewayWithoutFreeConnectionsAnswersItsSupervisor) {
  std::filesystem::create_directories(work());
  Words words{"/bin/sh", "-c", "ulimit -n 128; exec \"$@\"", "sh"};
  for (std::string& word :
       with_program({"gateway", "--listen", "127.0.0.1:0", "--agent-socket", socket(), "--state", state(), "--folder", work()}))
    words.push_back(std::move(word));
  const auto gateway = launch(words, {{"PARLANCE_SUPERVISED", "1"}});
  until([&] { return !gateway->lines.empty() || gateway->ended(); }, "the gateway");
  const std::string address = text_at(parsed(gateway->lines.at(0)), {"address"});
  const auto place = parse_host_port(address.substr(7, address.size() - 8));  // "http://127.0.0.1:1/"
  ASSERT_TRUE(place) << address;
  std::vector<std::unique_ptr<ByteStream>> taken;
  for (int i = 0; i < 100; ++i) {
    auto connection = get(connect_tcp(loop, *place));
    ASSERT_TRUE(connection) << connection.error().message;
    taken.push_back(*std::move(connection));
  }
  const std::string question = "{\"alive\":7}\n";
  ASSERT_EQ(gateway->stream().try_write(question), question.size());
  until([&] { return std::ranges::find(gateway->lines, R"({"alive":7})") != gateway->lines.end() || gateway->ended(); },
        "its answer");
  EXPECT_FALSE(gateway->ended()) << gateway->errors;
}

TEST_F(Supervision, ASecondStartSaysWhereTheFirstIs) {
  start_up();
  const auto second = [&](Words more = {}) {
    Words words = up_words(std::move(more));
    words.erase(words.begin());
    return parlance(std::move(words));
  };
  const Finished finished = second();
  EXPECT_EQ(finished.code, 4);
  EXPECT_EQ(finished.errors, "parlance: already running (process " + std::to_string(up->child().pid()) + "): open " + base +
                                 "  (its token is kept in " + state() + "/token)\n");
  EXPECT_EQ(finished.out, "");
  EXPECT_NE(read_file(ready_file()), "") << "the first one's";
  EXPECT_THAT(chat("help"), HasSubstr("remember"));
  // After a kill, no file claims otherwise.
  kill_everything();
  start_up();
  EXPECT_THAT(chat("help"), HasSubstr("remember"));
}

TEST_F(Supervision, AnErrorIsReportedOnceAndBeforeAnyStart) {
  for (const Words& wrong :
       std::vector<Words>{{"--listen", "banana"}, {"--folder", "/nope"}, {"--model", "openai", "--model-url", "x"}}) {
    Words words{"up", "--agent-socket", socket(), "--state", state()};
    words.insert(words.end(), wrong.begin(), wrong.end());
    const Finished refused = parlance(words);
    EXPECT_EQ(refused.code, 2) << refused.errors;
    EXPECT_EQ(refused.out, "") << "nothing was begun";
    EXPECT_EQ(std::ranges::count(refused.errors, '\n'), 1) << refused.errors;
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("parlance: --"), HasSubstr("\"" + wrong.back() + "\""), HasSubstr("; ")));
    EXPECT_FALSE(std::filesystem::exists(state()));
  }
}

TEST_F(Supervision, AStateFolderOpenToOthersIsTightened) {
  std::filesystem::create_directories(state());
  ASSERT_EQ(::chmod(state().c_str(), 0777), 0);
  start_up();
  EXPECT_EQ(mode_of(state()), 0700U);
  EXPECT_THAT(up->errors, HasSubstr("was open to other users"));
}

// A folder writable for everybody, with another user's link at the path.
TEST_F(Supervision, TheReadyFileIsNotWrittenThroughALink) {
  write_file(path("theirs"), "untouched");
  std::filesystem::create_symlink(path("theirs"), ready_file());
  up = launch_up();
  until_file(
      ready_file(),
      [&] { return std::filesystem::is_regular_file(std::filesystem::symlink_status(ready_file())) || up->ended(); }, "the file");
  EXPECT_EQ(read_file(path("theirs")), "untouched");
  EXPECT_FALSE(std::filesystem::is_symlink(ready_file()));
  EXPECT_EQ(mode_of(ready_file()), 0600U);
}

TEST_F(Supervision, AKilledGatewayComesBackAtItsAddress) {
  start_up();
  const pid_t first = service_pid("gateway");
  Watched gateway(first);
  ASSERT_EQ(::kill(first, SIGKILL), 0);
  ASSERT_TRUE(gateway.ends_within());
  until_observed([&] { return agent_state() == "ready"; }, "the gateway to come back where it was");
  until_file(ready_file(), [&] { return parsed(read_file(ready_file())) != ready; }, "the ready file to name the new process");
  ready = parsed(read_file(ready_file()));
  EXPECT_NE(service_pid("gateway"), first);
  EXPECT_EQ(text_at(ready, {"services", "gateway", "address"}), base);
  EXPECT_THAT(chat("help"), HasSubstr("remember"));
}

TEST_F(Supervision, NoProcessOutlivesAKilledSupervisor) {
  start_up();
  ASSERT_GE(marked_processes().size(), 3U);
  const Watched agent(service_pid("agent"));
  const Watched gateway(service_pid("gateway"));
  ASSERT_EQ(::kill(up->child().pid(), SIGKILL), 0);
  EXPECT_TRUE(agent.ends_within());
  EXPECT_TRUE(gateway.ends_within());
  until_ended([&] { return marked_processes(); });
}

TEST_F(Supervision, SigtermStopsAllInGoodTime) {
  start_up();
  const TimePoint began = Clock::now();
  ASSERT_EQ(::kill(up->child().pid(), SIGTERM), 0);
  const ExitStatus status = get(up->child().wait());
  EXPECT_EQ(status.code, 0) << status.describe();
  // Less than the time before children are killed (limits::child_eof_grace and child_term_grace): they ended by themselves.
  EXPECT_LT(Clock::now() - began, 7s);
  until_ended([&] { return marked_processes(); });
  EXPECT_FALSE(std::filesystem::exists(socket())) << "the agent takes its socket away";
}

TEST_F(Supervision, SigtermCountsWhileAServiceIsStillStarting) {
  const std::string key_file = path("key");  // reading the key waits for a writer that never comes
  ASSERT_EQ(::mkfifo(key_file.c_str(), 0600), 0);
  up = launch_up({"--model", "openai", "--model-key-file", key_file});
  const auto gateway_is_ready = [](const std::string& line) { return line.find("gateway  ready") != std::string::npos; };
  until([&] { return up->ended() || std::ranges::any_of(up->lines, gateway_is_ready); }, "the gateway, which needs no key");
  ASSERT_EQ(::kill(up->child().pid(), SIGTERM), 0);
  const ExitStatus status = get(up->child().wait());
  EXPECT_EQ(status.code, 0) << status.describe();
  EXPECT_EQ(read_file(ready_file()), "");
  until_ended([&] { return marked_processes(); });
}

TEST_F(Supervision, AnEarlierRunsReadyFileIsRemoved) {
  write_file(ready_file(), R"({"url":"http://127.0.0.1:1/"})");
  write_file(path("agent.sock"), "not a socket");
  up = launch_up();
  const ExitStatus status = get(up->child().wait());
  EXPECT_EQ(status.code, 4);
  EXPECT_FALSE(std::filesystem::exists(ready_file()));
}

TEST_F(Supervision, AReadyFileFromTheEnvironmentIsWrittenByUpAlone) {
  up = launch(with_program({"up", "--listen", "127.0.0.1:0", "--agent-socket", socket(), "--state", state()}),
              {{mark_name, folder()}, {"PARLANCE_READY_FILE", ready_file()}});
  until_file(ready_file(), [&] { return !read_file(ready_file()).empty() || up->ended(); }, "the ready file");
  ready = parsed(read_file(ready_file()));
  EXPECT_NE(service_pid("agent"), 0) << json::to_text(ready);
  EXPECT_NE(service_pid("gateway"), 0);
}

TEST_F(Supervision, AServiceThatCannotStartEndsUpWithItsReason) {
  start_up();
  const std::string port = base.substr(7, base.size() - 8);
  const Finished second =
      parlance({"up", "--listen", port, "--agent-socket", path("other.sock"), "--state", path("other-state")});
  EXPECT_EQ(second.code, 4);
  EXPECT_THAT(second.errors, HasSubstr("gateway could not be started"));
  EXPECT_THAT(second.errors, HasSubstr("Address already in use"));
  EXPECT_EQ(std::ranges::count(second.errors, '\n'), 1) << second.errors;
  EXPECT_EQ(second.out, "parlance up\n") << "no service is ready";
  EXPECT_FALSE(std::filesystem::exists(path("other.sock")));
}

class AgentSocket : public UpTest {
 protected:
  std::unique_ptr<Program> launch_agent() { return launch(with_program({"agent", "--socket", socket(), "--state", state()})); }
  void until_ready(Program& agent) {
    until([&] { return !agent.lines.empty() || agent.ended(); }, "the agent's first line");
    ASSERT_FALSE(agent.lines.empty()) << agent.errors;
    ASSERT_THAT(agent.lines.front(), HasSubstr("ready on unix:" + socket()));
  }
  Finished stats() { return parlance({"rpc", "call", socket(), "RPCService.Stats"}); }
};

TEST_F(AgentSocket, ASecondAgentIsRefusedAndTheFirstGoesOn) {
  const auto first = launch_agent();
  until_ready(*first);
  const Finished second = parlance({"agent", "--socket", socket(), "--state", state()});
  EXPECT_EQ(second.code, 4);
  EXPECT_THAT(second.errors, HasSubstr(socket()));
  EXPECT_THAT(second.errors, HasSubstr("listens"));
  EXPECT_EQ(stats().code, 0);
}

TEST_F(AgentSocket, AStaleSocketIsReplaced) {
  const auto first = launch_agent();
  until_ready(*first);
  first->child().signal_group(SIGKILL);
  static_cast<void>(get(first->child().wait()));
  ASSERT_TRUE(std::filesystem::is_socket(socket()));
  const auto second = launch_agent();
  until_ready(*second);
  EXPECT_EQ(mode_of(socket()), 0600U);
  EXPECT_EQ(stats().code, 0);
}

TEST_F(AgentSocket, APathOtherThanASocketIsNeverRemoved) {
  write_file(socket(), "precious");
  const Finished refused = parlance({"agent", "--socket", socket(), "--state", state()});
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.errors, HasSubstr(socket()));
  EXPECT_EQ(read_file(socket()), "precious");
  std::filesystem::remove(socket());
  std::filesystem::create_symlink(path("elsewhere"), socket());
  EXPECT_EQ(parlance({"agent", "--socket", socket(), "--state", state()}).code, 4);
  EXPECT_TRUE(std::filesystem::is_symlink(socket()));
}

TEST_F(AgentSocket, ItsUsualPlaceIsTheUsersOwnAndTheKnownPathALink) {
  const std::string runtime = path("runtime");
  std::filesystem::create_directories(runtime);
  const Variables set{{"XDG_RUNTIME_DIR", runtime}};
  const std::string usual = runtime + "/parlance/agent.sock";
  {
    const auto agent = launch(with_program({"agent", "--agent-socket-link", path("known.sock"), "--state", state()}), set);
    until([&] { return !agent->lines.empty() || agent->ended(); }, "the agent's first line");
    ASSERT_FALSE(agent->lines.empty()) << agent->errors;
    EXPECT_THAT(agent->lines.front(), HasSubstr("ready on unix:" + usual));
    EXPECT_EQ(mode_of(runtime + "/parlance"), 0700U);
    EXPECT_EQ(mode_of(usual), 0600U);
    EXPECT_EQ(std::filesystem::read_symlink(path("known.sock")), usual);
    EXPECT_EQ(parlance({"rpc", "call", path("known.sock"), "RPCService.Stats"}).code, 0);
    EXPECT_THAT(parlance({"doctor", "--state", state(), "--listen", "127.0.0.1:9", "--embed-listen", "127.0.0.1:9"}, "", set).out,
                HasSubstr("answers on " + usual));
    agent->child().signal_group(SIGTERM);
    EXPECT_EQ(get(agent->child().wait()).code, 0);
  }
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(path("known.sock"))));
  EXPECT_FALSE(std::filesystem::exists(usual));
  const Finished refused = parlance({"agent", "--agent-socket-group", "root", "--state", state()}, "", set);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("--agent-socket-group"), HasSubstr("in a folder that the group can enter")));
}

// Only root can act as two users: the gateway checks the listener's user, independent of the file.
TEST_F(AgentSocket, AnotherUsersAgentReceivesNoData) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  ASSERT_EQ(::chmod(folder().c_str(), 0711), 0);
  std::filesystem::create_directories(path("shared"));
  ASSERT_EQ(::chmod(path("shared").c_str(), 01777), 0);
  const std::string theirs = path("shared/agent.sock");
  const auto agent = launch({"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", parlance_program(), "rpc", "serve",
                             theirs, "RPCService.Stats=cat >" + path("shared/heard") + "; echo '{}'"});
  until([&] { return !agent->lines.empty() || agent->ended(); }, "their agent");
  if (agent->lines.empty()) GTEST_SKIP() << "another user cannot start our program here: " << agent->errors;
  const Finished refused = parlance({"rpc", "call", theirs, "RPCService.Stats"});
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("nothing was sent"), HasSubstr("--agent-user")));
  EXPECT_FALSE(std::filesystem::exists(path("shared/heard")));
  EXPECT_EQ(parlance({"rpc", "call", theirs, "RPCService.Stats", "--agent-user", "65534"}).code, 0);
  const Finished doctor = parlance(
      {"doctor", "--agent-socket", theirs, "--state", state(), "--listen", "127.0.0.1:9", "--embed-listen", "127.0.0.1:9"});
  EXPECT_EQ(doctor.code, 1);
  EXPECT_THAT(doctor.out, HasSubstr("nothing was sent"));
}

TEST_F(AgentSocket, SigtermEndsTheAgentAndTakesItsSocketAway) {
  const auto agent = launch_agent();
  until_ready(*agent);
  agent->child().signal_group(SIGTERM);
  EXPECT_EQ(get(agent->child().wait()).code, 0);
  EXPECT_FALSE(std::filesystem::exists(socket()));
}

}  // namespace
}  // namespace parlance::test
