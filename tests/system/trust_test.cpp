// SPDX-License-Identifier: Apache-2.0
// A parlance.toml in a folder, like in a cloned repository: starts no program and names no address before a person has trusted
// the file.
#include <chrono>
#include <filesystem>

#include <gmock/gmock.h>

#include "parlance/base/uri.h"
#include "parlance/transport/sockets.h"
#include "tests/system/up.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* cure = "parlance config trust";

class FolderTrust : public UpTest {
 protected:
  FolderTrust() { std::filesystem::create_directories(work()); }

  // In the folder with the file; settings and state are those of the test's home.
  Finished in_folder(Words words, Variables set = {}) {
    words = with_program(std::move(words));
    words.insert(words.begin(), {"env", "-C", work()});
    return run(std::move(words), "", std::move(set));
  }
  void bring(std::string_view toml) const { write_file(work() + "/parlance.toml", toml); }
  void trust() {
    const Finished trusted = in_folder({"config", "trust"});
    ASSERT_EQ(trusted.code, 0) << trusted.errors;
  }
  // A program that leaves a mark at its start.
  std::string marker() const { return path("started"); }
  std::string marking() const { return "[\"/bin/sh\", \"-c\", \"touch '" + marker() + "'\"]"; }
  bool was_started() const { return std::filesystem::remove(marker()); }
  static std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  }
};

TEST_F(FolderTrust, AServerOfTheFolderIsNotStarted) {
  bring("[mcp.evil]\ncommand = " + marking() + "\n");
  const Finished finished = in_folder({"run", "parlance", "help"});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_FALSE(was_started());
  EXPECT_EQ(count(finished.errors, "[mcp.evil]"), 1U) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr(cure));

  trust();
  const Finished quiet = in_folder({"run", "parlance", "help"});
  EXPECT_TRUE(was_started());
  EXPECT_THAT(quiet.errors, Not(HasSubstr(cure)));

  bring("[mcp.evil]\ncommand = " + marking() + "\n# and more\n");
  const Finished changed = in_folder({"run", "parlance", "help"});
  EXPECT_FALSE(was_started());
  EXPECT_THAT(changed.errors, AllOf(HasSubstr("has changed since you trusted it"), HasSubstr(cure)));

  trust();
  EXPECT_EQ(in_folder({"config", "untrust"}).code, 0);
  in_folder({"run", "parlance", "help"});
  EXPECT_FALSE(was_started());
}

TEST_F(FolderTrust, AProgramOfTheFolderIsNotStarted) {
  write_file(path("evil"), "#!/bin/sh\ntouch '" + marker() + "'\n");
  std::filesystem::permissions(path("evil"), std::filesystem::perms(0700));
  bring("claude-command = \"" + path("evil") + "\"\n");
  const Finished finished = in_folder({"run", "claude", "hello"});
  EXPECT_NE(finished.code, 0);
  EXPECT_FALSE(was_started());
  EXPECT_THAT(finished.errors, HasSubstr("claude-command"));
  // A host that starts us in Claude Code's place in this folder, with Claude Code behind.
  const Words as_host{"--output-format", "stream-json", "--input-format", "stream-json"};
  EXPECT_THAT(in_folder(as_host, {{"PARLANCE_SERVE_AGENT", "claude"}}).errors, HasSubstr("claude-command"));
  EXPECT_FALSE(was_started());
  trust();
  in_folder({"run", "claude", "hello"});
  EXPECT_TRUE(was_started());
}

TEST_F(FolderTrust, AKeyGoesToNoAddressOfTheFolder) {
  int requests = 0;
  const auto listener = listen_tcp(loop, *parse_host_port("127.0.0.1:0"), [&](std::unique_ptr<ByteStream> stream) {
    ++requests;
    stream->close();
  });
  ASSERT_TRUE(listener) << listener.error().message;
  const std::string address = (*listener)->address().substr((*listener)->address().find("127."));
  // The person's own model has another address, without a listener.
  std::filesystem::create_directories(path(".config/parlance"));
  write_file(path(".config/parlance/parlance.toml"), "model_url = \"http://127.0.0.1:9/v1\"\nmodel_name = \"mine\"\n");
  bring("[model]\nurl = \"http://" + address + "/v1\"\nname = \"theirs\"\n");
  const Variables key{{"PARLANCE_API_KEY", "s3cret"}};
  in_folder({"doctor", "--agent-socket", socket(), "--listen", "127.0.0.1:9", "--embed-listen", "127.0.0.1:9"}, key);
  EXPECT_EQ(requests, 0);
  const Finished config = in_folder({"config", "--origin"}, key);
  EXPECT_THAT(config.out,
              AllOf(ContainsRegex("model-url +http://127.0.0.1:9/v1 +/"), ContainsRegex("model-name +theirs +parlance.toml")))
      << "a name sends nothing anywhere";
  trust();
  in_folder({"doctor", "--agent-socket", socket(), "--listen", "127.0.0.1:9", "--embed-listen", "127.0.0.1:9"}, key);
  EXPECT_GT(requests, 0);
}

TEST_F(FolderTrust, IgnoredEntriesAreShown) {
  bring(
      "log_level = \"error\"\nlisten = \"0.0.0.0:1\"\nrecall = \"off\"\n[mcp.a]\ncommand = \"x\"\ntimeout = 3\n[mcp.b]\nurl = "
      "\"http://x\"\n");
  const std::string names = "so these do not count: listen, recall, [mcp.a], [mcp.b].";
  const Finished config = in_folder({"config", "--origin"});
  EXPECT_THAT(config.out, AllOf(HasSubstr(names), HasSubstr(cure), ContainsRegex("log-level +error +parlance.toml"),
                                ContainsRegex("listen +127.0.0.1:55003 +default")));
  EXPECT_EQ(config.errors, "") << "it is in the list already";
  const Finished doctor =
      in_folder({"doctor", "--agent-socket", socket(), "--listen", "127.0.0.1:9", "--embed-listen", "127.0.0.1:9"});
  EXPECT_EQ(doctor.code, 0) << doctor.out;
  EXPECT_THAT(doctor.out, AllOf(HasSubstr(names), HasSubstr(cure)));
  // An unrelated command prints no warning.
  EXPECT_EQ(in_folder({"describe"}).errors, "");

  const Finished trusted = in_folder({"config", "trust"});
  EXPECT_THAT(trusted.out, AllOf(HasSubstr(work() + "/parlance.toml"), HasSubstr("listen = 0.0.0.0:1"),
                                 HasSubstr("[mcp.a] command = x"), HasSubstr("[mcp.b] url = http://x")));
  EXPECT_THAT(in_folder({"config", "--origin"}).out,
              AllOf(Not(HasSubstr("do not count")), ContainsRegex("listen +0.0.0.0:1 +parlance.toml")));
}

// By its name from elsewhere as well, through whatever links, and also once the folder is gone.
TEST_F(FolderTrust, TheListIsKeptForUsAlone) {
  EXPECT_THAT(parlance({"config", "trust", "--list"}).out, HasSubstr("No folder's parlance.toml is trusted"));
  bring("recall = \"off\"\n");
  std::filesystem::create_directory_symlink(work(), path("link"));
  EXPECT_EQ(parlance({"config", "trust", "link"}).code, 0);
  EXPECT_THAT(in_folder({"config", "--origin"}).out, ContainsRegex("recall +off +parlance.toml"));
  EXPECT_THAT(parlance({"config", "trust", "--list"}).out, ContainsRegex("^trusted +" + work() + "/parlance.toml\n$"));
  const std::string kept = path(".local/state/parlance/trusted");
  EXPECT_EQ(mode_of(kept), 0700U);
  const std::string record = std::filesystem::directory_iterator(kept)->path();
  EXPECT_EQ(mode_of(record), 0600U);
  const json::Value written = parsed(read_file(record));
  EXPECT_EQ(at(written, {"version"}), json::Value(1));
  EXPECT_EQ(text_at(written, {"path"}), work() + "/parlance.toml");
  EXPECT_EQ(text_at(written, {"sha256"}).size(), 64U);

  // A record writable for others grants no trust, and neither does a record of another version or a moved record.
  const std::string good = read_file(record);
  std::filesystem::permissions(record, std::filesystem::perms(0660));
  EXPECT_THAT(in_folder({"config"}).out, HasSubstr("is not trusted"));
  std::filesystem::permissions(record, std::filesystem::perms(0600));
  std::string other = good;
  other.replace(other.find("\"version\":1"), 11, "\"version\":2");
  write_file(record, other);
  EXPECT_THAT(in_folder({"config"}).out, HasSubstr("is not trusted"));
  write_file(record, "");
  EXPECT_THAT(in_folder({"config"}).out, HasSubstr("is not trusted"));
  write_file(record, good);
  EXPECT_THAT(in_folder({"config"}).out, Not(HasSubstr("is not trusted")));

  bring("recall = \"on\"\n");
  EXPECT_THAT(parlance({"config", "trust", "--list"}).out, HasSubstr("has changed: not trusted"));
  std::filesystem::remove_all(work());
  EXPECT_THAT(parlance({"config", "trust", "--list"}).out, HasSubstr("is gone"));
  EXPECT_EQ(parlance({"config", "trust", work()}).code, 2);
  EXPECT_THAT(parlance({"config", "untrust", work()}).out, HasSubstr("Not trusted any more"));
  EXPECT_THAT(parlance({"config", "untrust", work()}).out, HasSubstr("The file was not trusted"));
}

TEST_F(FolderTrust, AFolderDoesNotChooseThePlaceOfItsTrust) {
  const std::string theirs = work() + "/state";
  bring("state = \"" + theirs + "\"\nrecall = \"off\"\n");
  // Like a repository that trusts itself.
  EXPECT_EQ(in_folder({"config", "trust", "--state", theirs}).code, 0);
  EXPECT_THAT(in_folder({"config"}).out, AllOf(HasSubstr("is not trusted"), HasSubstr("state does not count")));
  trust();
  const Finished still = in_folder({"config", "--origin"});
  EXPECT_THAT(still.out,
              AllOf(HasSubstr("state does not count"), ContainsRegex("recall +off +parlance.toml"), Not(HasSubstr(theirs))));
}

TEST_F(FolderTrust, AFileNamedByAPersonNeedsNoTrust) {
  bring("recall = \"off\"\n");
  EXPECT_THAT(in_folder({"config", "--origin", "--config", "parlance.toml"}).out, ContainsRegex("recall +off +parlance.toml"));
  EXPECT_EQ(in_folder({"embed", "--config", "parlance.toml", "--embed-listen", "x"}).errors,
            "parlance: --embed-listen: \"x\" is no address; give ADDR:PORT, for example 127.0.0.1:50001\n");
  // The person's own folder, also as the working folder.
  std::filesystem::create_directories(path(".config/parlance"));
  write_file(path(".config/parlance/parlance.toml"), "recall = \"off\"\n");
  EXPECT_THAT(run({"env", "-C", path(".config/parlance"), parlance_program(), "config", "--origin"}).out,
              AllOf(ContainsRegex("recall +off +/"), Not(HasSubstr("not trusted"))));
}

TEST_F(FolderTrust, ASpecialFileIsRefusedWithoutOutputOfItsContents) {
  ASSERT_EQ(run({"mkfifo", work() + "/parlance.toml"}).code, 0);
  const Finished pipe = in_folder({"config"});
  EXPECT_EQ(pipe.code, 2);
  EXPECT_THAT(pipe.errors, HasSubstr("a configuration file is a plain file"));
  std::filesystem::remove(work() + "/parlance.toml");
  bring("recall = \"off\"\n# \x1b[2J\n");
  EXPECT_THAT(in_folder({"config"}).errors, AllOf(HasSubstr("parlance.toml: line 2: "), HasSubstr("control characters")));
  for (const char* toml :
       {"[mcp.\"a\\u001b[2Jb\"]\ncommand = \"x\\u001b[2J\"\n", "log-level = \"\\u001b[2J\"\n", "no\xc2\x9bsetting = 1\n"}) {
    bring(toml);
    for (const Words& words : {Words{"config"}, Words{"memory", "list"}, Words{"config", "trust"}}) {
      const Finished finished = in_folder(words);
      EXPECT_THAT(finished.out + finished.errors, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x9b")))) << toml;
    }
  }
}

// `up` prints the warning, and its services do not repeat it; permitted settings of the folder reach the services, and forbidden
// settings do not.
TEST_F(FolderTrust, UpReportsOnlyOnce) {
  bring("model_name = \"theirs\"\nembed_url = \"http://127.0.0.1:9/\"\n[mcp.evil]\ncommand = " + marking() + "\n");
  Words words = up_words();
  words.insert(words.begin(), {"env", "-C", work()});
  up = launch(words, {{mark_name, folder()}});
  until_file(ready_file(), [&] { return !read_file(ready_file()).empty() || up->ended(); }, "the ready file");
  ASSERT_FALSE(up->ended()) << up->errors;
  EXPECT_EQ(count(up->errors, "is not trusted"), 1U) << up->errors;
  EXPECT_THAT(up->errors, AllOf(HasSubstr("embed-url, [mcp.evil]"), HasSubstr(cure)));
  EXPECT_FALSE(was_started());
  kill_everything();

  ASSERT_EQ(in_folder({"config", "trust", "--state", state()}).code, 0);
  up = launch(words, {{mark_name, folder()}});
  until_file(marker(), [&] { return was_started() || up->ended(); }, "the server of the folder");
  EXPECT_FALSE(up->ended()) << up->errors;
  EXPECT_EQ(count(up->errors, "is not trusted"), 0U) << up->errors;
}

}  // namespace
}  // namespace parlance::test
