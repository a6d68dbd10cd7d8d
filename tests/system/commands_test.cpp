// SPDX-License-Identifier: Apache-2.0
// Typed commands of a person or a script: settings and their origins, help, exit codes, completion.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>

#include "parlance/base/text.h"
#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Commands : public ProgramTest {
 protected:
  // Trusts the current parlance.toml of the working folder.
  void trust() { EXPECT_EQ(parlance({"config", "trust"}).code, 0); }

  // The line of `parlance config --origin` for the setting: "value origin", with single blanks.
  std::string setting(const std::string& name, Words more = {}, Variables set = {}) {
    more.insert(more.begin(), {"config", "--origin"});
    const Finished finished = parlance(more, "", std::move(set));
    EXPECT_EQ(finished.code, 0) << finished.errors;
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string word;
      if (!(words >> word) || word != name) continue;
      std::string rest;
      while (words >> word) rest += (rest.empty() ? "" : " ") + word;
      return rest;
    }
    return "no such setting in: " + finished.out;
  }
};

// ---- settings --------------------------------------------------------------------------------------------------------------

TEST_F(Commands, AFlagCountsMoreThanTheEnvironmentThanTheFileThanTheDefault) {
  EXPECT_EQ(setting("listen"), "127.0.0.1:55003 default");
  EXPECT_EQ(setting("state"), path(".local/state/parlance") + " default");
  EXPECT_EQ(setting("folder"), std::filesystem::canonical(folder()).string() + " default");
  std::filesystem::create_directories(path(".config/parlance"));
  write_file(path(".config/parlance/parlance.toml"), "listen = \"127.0.0.1:1\"\nlog_level = \"debug\"\n");
  EXPECT_EQ(setting("listen"), "127.0.0.1:1 " + path(".config/parlance/parlance.toml"));
  write_file(path("parlance.toml"), "listen = \"127.0.0.1:2\"\n");
  trust();
  EXPECT_EQ(setting("listen"), "127.0.0.1:2 parlance.toml");
  EXPECT_EQ(setting("log-level"), "debug " + path(".config/parlance/parlance.toml"));
  const Variables environment{{"PARLANCE_LISTEN", "127.0.0.1:3"}};
  EXPECT_EQ(setting("listen", {}, environment), "127.0.0.1:3 environment PARLANCE_LISTEN");
  EXPECT_EQ(setting("listen", {"--listen", "127.0.0.1:4"}, environment), "127.0.0.1:4 flag --listen");
  write_file(path("other.toml"), "listen = \"127.0.0.1:5\"\n");
  EXPECT_EQ(setting("listen", {"--config", path("other.toml")}), "127.0.0.1:5 " + path("other.toml"));
  EXPECT_EQ(setting("log-level", {"--config", path("other.toml")}), "warn default") << "the file that was named is the only one";
}

TEST_F(Commands, NamesOfTheDeployedProgramAreReadAndGiveWayToOurs) {
  EXPECT_EQ(setting("agent-socket", {}, {{"OPENCLAW_AGENT_SOCK", "/run/a.sock"}}), "/run/a.sock environment OPENCLAW_AGENT_SOCK");
  EXPECT_EQ(setting("model-url", {}, {{"OPENCLAW_BASE_URL", "http://h/v1"}}), "http://h/v1 environment OPENCLAW_BASE_URL");
  EXPECT_EQ(setting("model-name", {}, {{"OPENCLAW_MODEL", "m"}}), "m environment OPENCLAW_MODEL");
  EXPECT_EQ(setting("embed-url", {}, {{"EMBEDDING_SERVER_URL", "http://e"}}), "http://e environment EMBEDDING_SERVER_URL");
  EXPECT_EQ(setting("agent-socket", {}, {{"OPENCLAW_AGENT_SOCK", "/run/a.sock"}, {"PARLANCE_AGENT_SOCKET", "/run/b.sock"}}),
            "/run/b.sock environment PARLANCE_AGENT_SOCKET");
}

TEST_F(Commands, TheTokenIsNotShown) {
  EXPECT_EQ(setting("token", {}, {{"OPENCLAW_UI_TOKEN", "abcdefghijklmnopqrst"}}),
            "(set, not shown) environment OPENCLAW_UI_TOKEN");
  EXPECT_THAT(parlance({"config"}, "", {{"PARLANCE_TOKEN", "abcdefghijklmnopqrst"}}).out, Not(HasSubstr("abcdefghij")));
}

TEST_F(Commands, AnUnknownKeyIsNamedWithItsNeighbour) {
  write_file(path("parlance.toml"), "lisen = \"127.0.0.1:1\"\n");
  const Finished finished = parlance({"config"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.errors, AllOf(HasSubstr("parlance.toml"), HasSubstr("\"lisen\""), HasSubstr("did you mean \"listen\"?")));
  write_file(path("parlance.toml"), "[model]\nurl = \"http://x\"\n");
  trust();
  EXPECT_EQ(setting("model-url"), "http://x parlance.toml");
  write_file(path("parlance.toml"), "databases = [\"/a.db\", \"/b.db\"]\n");
  trust();
  EXPECT_EQ(setting("databases"), "/a.db:/b.db parlance.toml") << "the one setting that is a list";
  write_file(path("parlance.toml"), "listen = [\"a\", \"b\"]\n");
  EXPECT_EQ(parlance({"config"}).code, 2);
  EXPECT_EQ(parlance({"config", "--config", path("none.toml")}).code, 2);
}

// ---- help and exit codes ---------------------------------------------------------------------------------------------------

// A line for each command, with the names of its subcommands.
constexpr std::string_view all_commands =
    R"(up gateway agent embed run serve-claude serve-acp chat sqlite doctor usage describe completion
runner
mcp list login logout add remove
model add list test use remove
memory store search get list delete forget export import stats serve why
rpc call serve
rehearse editor
editor serve tools
gob dump encode
config trust untrust
users add list role disable enable
tokens create list revoke
log export
store adopt
)";

std::vector<Words> help_is_asked_of() {
  std::vector<Words> all{{}};
  bool is_first = true;
  for (const std::string_view line : split(all_commands, '\n')) {
    const std::vector<std::string_view> names = split(line, ' ');
    for (const std::string_view name : names) {
      if (name.empty()) continue;
      if (is_first || name == names.front()) all.push_back({std::string(name)});
      else all.push_back({std::string(names.front()), std::string(name)});
    }
    is_first = false;
  }
  return all;
}

TEST_F(Commands, EverySubcommandHasHelp) {
  for (const Words& command : help_is_asked_of()) {
    Words words = command;
    words.emplace_back("--help");
    const Finished finished = parlance(words);
    EXPECT_EQ(finished.code, 0) << testing::PrintToString(words);
    EXPECT_THAT(finished.out, HasSubstr("Usage: parlance")) << testing::PrintToString(words);
    EXPECT_EQ(finished.errors, "");
  }
  // None is left out above.
  std::istringstream lines(parlance({"--help"}).out);
  std::string line;
  while (std::getline(lines, line) && !line.starts_with("Options:")) {}
  std::size_t count = 0;
  while (std::getline(lines, line)) count += line.starts_with("  ") && line[2] >= 'a' && line[2] <= 'z' ? 1 : 0;
  EXPECT_EQ(count, 26U) << "a subcommand that this test does not know";
  EXPECT_THAT(parlance({"--version"}).out, ContainsRegex("^parlance [0-9]+\\.[0-9]+\\.[0-9]+\n$"));
}

TEST_F(Commands, HelpAndVersionHaveTheirUsualSpellings) {
  for (const Words& words : {Words{"version"}, Words{"-V"}}) EXPECT_EQ(parlance(words).out, parlance({"--version"}).out);
  EXPECT_EQ(parlance({"help"}).out, parlance({"--help"}).out);
  EXPECT_EQ(parlance({"help", "memory", "search"}).out, parlance({"memory", "search", "--help"}).out);
  EXPECT_THAT(parlance({"help", "sqlite"}).out, HasSubstr("--read-only"));
}

// Groups with a line for each command.
TEST_F(Commands, TheOverviewFitsOnAScreen) {
  const std::string shown = parlance({"--help"}).out;
  EXPECT_THAT(shown, HasSubstr("\nTalk to an agent:\n  chat "));
  EXPECT_THAT(shown, Not(HasSubstr("Other:")));
  EXPECT_LE(std::ranges::count(shown, '\n'), 52);
}

TEST_F(Commands, WrongUseIsTwo) {
  const auto wrong = [&](Words words, const std::string& hint) {
    const Finished finished = parlance(words);
    EXPECT_EQ(finished.code, 2) << testing::PrintToString(words);
    EXPECT_THAT(finished.errors, HasSubstr(hint)) << testing::PrintToString(words);
    EXPECT_EQ(finished.out, "");
  };
  wrong({"nonsense"}, "\"nonsense\" is not known here");
  wrong({"rpc", "nonsense"}, "\"nonsense\" is not known here");
  wrong({"up", "--nonsense"}, "parlance up has no flag --nonsense. All flags: parlance up --help");
  wrong({"up", "--token", "short"}, "at least 16");
  for (const std::string program : {"agent", "up"})
    wrong({program, "--model", "gpt"}, "model: \"gpt\" (flag --model) is none of rehearsal, openai, anthropic");
  wrong({"gateway", "--listen", "here", "--state", path("state")}, "ADDR:PORT");
  wrong({"config", "--log-level", "loud"}, "none of error, warn, info, debug, trace");
  wrong({"gob", "encode", "nonsense[", "/dev/null"}, "the type: ");
  wrong({"rpc", "call"}, "address");
  wrong({"rpc", "call", path("x"), "RPCService.Stats", "{"}, "no JSON");
  wrong({"rpc", "call", path("x"), "RPCService.MemoryGet", R"({"ID":"m"})"}, "$.ID: unknown member; known members: Path");
  wrong({"rpc", "serve", path("x"), "no-equals-sign"}, "Service.Method=COMMAND");
  wrong({"completion", "csh"}, "csh");
  wrong({"describe", "nothing"}, "");
}

TEST_F(Commands, AnErrorNamesTheRemedy) {
  write_file(path("odd"), "xyz");
  const std::vector<std::pair<Words, std::string>> wrong{
      {{"run", "parlance", "two", "words"}, "the prompt has a second part, \"words\": put the whole prompt in quotes"},
      {{"run", "parlance", " "}, "the prompt for the agent \"parlance\" is empty: write it"},
      {{"run", "parlance", "hello", "--cwd", path("none")},
       path("none") + "\": No such file or directory; name an existing folder"},
      {{"chat", "--cwd", path("none")}, path("none") + "\": No such file or directory; name an existing folder"},
      {{"run", "acp", "hello"}, "the agent acp has no command and no address: give one, with parlance chat acp -- COMMAND"},
      {{"gob", "dump", "--hex", path("odd")}, "is no hex text: give pairs of hex digits"}};
  for (const auto& [words, text] : wrong) {
    const Finished finished = parlance(words);
    EXPECT_EQ(finished.code, 2) << finished.errors;
    EXPECT_THAT(finished.errors, HasSubstr(text));
  }
}

TEST_F(Commands, AFailedTurnsReasonIsPrintedOnce) {
  const Words model{"--model", "openai", "--model-url", "http://127.0.0.1:9/v1", "--model-name", "m"};
  Words run{"run", "parlance", "hello"};
  run.insert(run.end(), model.begin(), model.end());
  Words chat{"chat"};
  chat.insert(chat.end(), model.begin(), model.end());
  for (const Finished& failed : {parlance(run), parlance(chat, "hello\n")}) {
    EXPECT_EQ(failed.code, 1);
    const std::size_t first = failed.errors.find("nobody listens there");
    ASSERT_NE(first, std::string::npos) << failed.errors;
    EXPECT_EQ(failed.errors.find("nobody listens there", first + 1), std::string::npos) << failed.errors;
  }
}

TEST_F(Commands, AloneTheProgramShowsItsCommands) {
  const Finished shown = parlance({});
  EXPECT_EQ(shown.code, 0);
  EXPECT_EQ(shown.errors, "");
  EXPECT_LE(std::ranges::count(shown.out, '\n'), 22);
  // The shown examples work as typed.
  EXPECT_THAT(shown.out, HasSubstr("parlance memory store 'We deploy on Tuesdays.'"));
  EXPECT_EQ(parlance({"memory", "store", "We deploy on Tuesdays."}).code, 0);
  EXPECT_THAT(parlance({"memory", "search", "when do we deploy?"}).out, HasSubstr("Tuesdays"));
  EXPECT_THAT(shown.out, HasSubstr("parlance 'explain this folder'"));
  std::filesystem::create_directory(path("tmp"));
  EXPECT_EQ(parlance({"run", "parlance", "help"}, "", {{"TMPDIR", path("tmp")}}).code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(path("tmp"))) << "its agent's socket is left";
  EXPECT_THAT(shown.out, HasSubstr("parlance chat"));
  EXPECT_EQ(parlance({"chat"}, "help\n").code, 0);
}

TEST_F(Commands, AnInvalidTimeIsExplainedInAShortSentence) {
  for (const std::string time : {"0", "-1", "x", "1e300", "inf", "nan"}) {
    for (Words words : std::vector<Words>{{"rpc", "call", "x.sock", "A.B"}, {"run", "parlance", "hi"}}) {
      words.insert(words.end(), {"--timeout=" + time});
      const Finished refused = parlance(words);
      EXPECT_EQ(refused.code, 2) << time;
      EXPECT_THAT(refused.errors, HasSubstr("--timeout: \"" + time + "\" is no number of seconds; give more than 0"));
      EXPECT_LT(refused.errors.size(), 200U) << refused.errors;
    }
  }
}

// A new setting needs an entry in the table of commands too.
TEST_F(Commands, EverySettingIsAFlagOfConfig) {
  const std::string help = parlance({"config", "--help"}).out;
  std::istringstream lines(parlance({"config"}).out);
  int settings = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("(")) continue;
    EXPECT_THAT(help, HasSubstr("  --" + line.substr(0, line.find(' ')))) << line;
    ++settings;
  }
  EXPECT_GT(settings, 25);
}

TEST_F(Commands, AnUnknownFlagIsNamedWithASuggestion) {
  const auto said = [&](Words words) { return parlance(std::move(words)).errors; };
  EXPECT_EQ(said({"up", "--lisen", "127.0.0.1:0", "--more", "1"}),
            "parlance: parlance up has no flag --lisen. Did you mean --listen? All flags: parlance up --help\n");
  EXPECT_EQ(
      said({"memory", "search", "tea", "--lmit", "3"}),
      "parlance: parlance memory search has no flag --lmit. Did you mean --limit? All flags: parlance memory search --help\n");
  const std::string nearest = "parlance: \"docter\" is not known here. Did you mean doctor? All commands: parlance --help\n";
  EXPECT_EQ(said({"docter"}), nearest);
  EXPECT_EQ(said({"help", "docter"}), nearest);
}

TEST_F(Commands, ASwitchTakesTrueOrFalse) {
  const Variables on{{"PARLANCE_BEHIND_PROXY", "true"}};
  const auto shown = [&](Words words) { return parlance(std::move(words), "", on).out; };
  EXPECT_THAT(shown({"config", "--origin"}), HasSubstr("behind-proxy"));
  const auto value = [&](Words words) {
    std::istringstream lines(shown(std::move(words)));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("behind-proxy")) return line;
    return std::string();
  };
  EXPECT_THAT(value({"config", "--origin"}), HasSubstr("true"));
  EXPECT_THAT(value({"config", "--origin", "--behind-proxy=false"}), HasSubstr("false"));
  const auto wrong = parlance({"config", "--log-json=ja"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("log-json: \"ja\" (flag --log-json) is neither true nor false"));
}

TEST_F(Commands, AKeyOnTheCommandLineIsNotEchoed) {
  for (const Words& words :
       std::vector<Words>{{"up", "--model-key", "sk-123"}, {"up", "--model-key=sk-123"}, {"agent", "--api-key", "sk-123"}}) {
    const Finished refused = parlance(words);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("--model-key-file"), HasSubstr("PARLANCE_API_KEY"), Not(HasSubstr("sk-123"))));
    EXPECT_EQ(std::ranges::count(refused.errors, '\n'), 1) << refused.errors;
  }
}

TEST_F(Commands, DeployedVariablesChooseAModelAndAnAddress) {
  const std::string origin = "because of environment ";
  EXPECT_EQ(setting("model", {}, {{"OPENCLAW_BASE_URL", "http://h/v1"}}), "openai " + origin + "OPENCLAW_BASE_URL");
  EXPECT_EQ(setting("model", {}, {{"OPENCLAW_BASE_URL", "https://api.anthropic.com"}}),
            "anthropic " + origin + "OPENCLAW_BASE_URL");
  EXPECT_EQ(setting("model", {}, {{"OPENCLAW_API_KEY", "k"}}), "openai " + origin + "OPENCLAW_API_KEY");
  EXPECT_EQ(setting("model", {"--model-url", "http://h/v1"}), "openai because of flag --model-url");
  EXPECT_EQ(setting("model", {"--model", "rehearsal"}, {{"OPENCLAW_BASE_URL", "http://h/v1"}}), "rehearsal flag --model");
  EXPECT_EQ(setting("model", {}, {{"OPENCLAW_MODEL", "m"}}), "rehearsal default");
  // Other programs' environment variables send no data anywhere.
  EXPECT_EQ(setting("model", {}, {{"OPENAI_API_KEY", "k"}, {"OPENAI_BASE_URL", "http://h/v1"}}), "rehearsal default");
  EXPECT_THAT(parlance({"config", "--origin"}, "", {{"OPENAI_API_KEY", "k1"}}).out,
              AllOf(HasSubstr("The key in OPENAI_API_KEY is not used by the model rehearsal; --model openai would."),
                    Not(HasSubstr("k1"))));
  EXPECT_THAT(parlance({"config", "--origin", "--model", "anthropic"}, "", {{"OPENCLAW_API_KEY", "k1"}}).out,
              HasSubstr("(set, not shown) OPENCLAW_API_KEY"));

  EXPECT_EQ(setting("listen", {}, {{"OPENCLAW_PORT", "7"}}), "127.0.0.1:7 environment OPENCLAW_PORT");
  EXPECT_EQ(setting("listen", {}, {{"OPENCLAW_HOST", "::1"}}), "[::1]:55003 environment OPENCLAW_HOST");
  EXPECT_EQ(setting("listen", {}, {{"OPENCLAW_HOST", "0.0.0.0"}, {"OPENCLAW_PORT", "7"}}),
            "0.0.0.0:7 environment OPENCLAW_HOST and OPENCLAW_PORT");
  EXPECT_EQ(setting("listen", {"--listen", "127.0.0.1:1"}, {{"OPENCLAW_PORT", "7"}}), "127.0.0.1:1 flag --listen");
  EXPECT_EQ(setting("listen", {}, {{"PARLANCE_LISTEN", "127.0.0.1:2"}, {"OPENCLAW_PORT", "7"}}),
            "127.0.0.1:2 environment PARLANCE_LISTEN");
}

TEST_F(Commands, DoctorAsksTheModelsServer) {
  const auto doctor = [&](Words more) {
    Words words{"doctor",   "--state",     path("state"),    "--agent-socket", path("a.sock"),
                "--listen", "127.0.0.1:9", "--embed-listen", "127.0.0.1:9"};
    words.insert(words.end(), more.begin(), more.end());
    return parlance(words);
  };
  const Finished nobody = doctor({"--model", "openai", "--model-url", "http://127.0.0.1:9/v1"});
  EXPECT_EQ(nobody.code, 1);
  EXPECT_THAT(nobody.out, AllOf(HasSubstr("not reachable"), HasSubstr("nobody listens there"), HasSubstr("--model-url")));
  // The flags of `up`, and their errors.
  const Finished wrong =
      doctor({"--folder", "/nope", "--ready-file", path("r"), "--open", "--recall", "off", "--scenario", "/none"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("--folder"), HasSubstr("--scenario"), HasSubstr("2 to fix")));
}

TEST_F(Commands, AnUnreachableProgramIsExitCodeFour) {
  const Finished nobody = parlance({"rpc", "call", path("nobody.sock"), "RPCService.Stats"});
  EXPECT_EQ(nobody.code, 4);
  EXPECT_THAT(nobody.errors, HasSubstr(path("nobody.sock")));
  EXPECT_EQ(parlance({"agent", "--socket", path("no-folder/a.sock"), "--state", path("state")}).code, 4);
  EXPECT_EQ(parlance({"agent", "--socket", std::string(200, 'x'), "--state", path("state")}).code, 4);
}

TEST_F(Commands, DoctorReportsFaults) {
  const Words doctor{"doctor",   "--state",     path("state"),    "--agent-socket", path("a.sock"),
                     "--listen", "127.0.0.1:9", "--embed-listen", "127.0.0.1:9"};
  const Finished fine = parlance(doctor);
  EXPECT_EQ(fine.code, 0) << fine.out;
  EXPECT_THAT(fine.out, HasSubstr("No problem found."));
  std::filesystem::create_directories(path("state"));
  std::filesystem::permissions(path("state"), std::filesystem::perms(0755));
  write_file(path("state/memory.db"), "this is no database, whatever its name says, and long enough to look like one");
  const Finished bad = parlance(doctor);
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, AllOf(HasSubstr("chmod 700"), HasSubstr("memory.db: file is not a database"), HasSubstr("2 to fix")));
}

TEST_F(Commands, APartlyMissingStateIsNamedAndNotReplaced) {
  std::filesystem::create_directories(path("state"));
  std::filesystem::permissions(path("state"), std::filesystem::perms(0700));
  write_file(path("state/.memory.db.made"), "");
  const Finished memory = parlance({"memory", "stats", "--state", path("state")});
  EXPECT_EQ(memory.code, 1) << memory.errors;
  EXPECT_THAT(memory.errors, AllOf(HasSubstr(path("state/memory.db") + " is gone"), HasSubstr("remove ")));
  write_file(path("state/hub.db-wal"), "what was written last");
  const Finished gateway =
      parlance({"gateway", "--state", path("state"), "--agent-socket", path("a.sock"), "--listen", "127.0.0.1:0"});
  EXPECT_EQ(gateway.code, 1) << gateway.errors;
  EXPECT_THAT(gateway.errors, HasSubstr(path("state/hub.db") + " is gone, but " + path("state/hub.db-wal")));
  const Finished doctor = parlance({"doctor", "--state", path("state")});
  EXPECT_THAT(doctor.out, AllOf(HasSubstr("memory.db is gone"), HasSubstr("hub.db is gone")));
  EXPECT_FALSE(std::filesystem::exists(path("state/hub.db")));
  EXPECT_FALSE(std::filesystem::exists(path("state/memory.db")));
}

TEST_F(Commands, ProtocolsDescribeThemselves) {
  const Finished list = parlance({"describe"});
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.out, AllOf(HasSubstr("gorpc"), HasSubstr("page")));
  EXPECT_THAT(parlance({"describe", "gorpc"}).out, HasSubstr("MemorySearch"));
  EXPECT_THAT(parlance({"describe", "page", "--form", "typescript"}).out, HasSubstr("export"));
}

}  // namespace
}  // namespace parlance::test
