// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/connection/connections.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/model/connection/vendors.h"

namespace parlance::model {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view secret = "sk-0123456789-hidden";

Connection connection(std::string name = "work") {
  return {
      .name = std::move(name), .vendor = "openai", .url = "https://host.example/v1", .model = "m", .key = std::string(secret)};
}

class ConnectionsFile : public testing::Test {
 protected:
  ConnectionsFile() {
    std::string name = (std::filesystem::temp_directory_path() / "parlance-models-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  ~ConnectionsFile() override { std::filesystem::remove_all(folder); }

  void write(std::string_view text, mode_t mode = 0600) const {
    std::ofstream(connections_path(folder), std::ios::binary) << text;
    ::chmod(connections_path(folder).c_str(), mode);
  }
  std::string refusal() const {
    const auto read = read_connections(folder);
    return read ? "taken" : read.error().message;
  }
  Result<void> put(Connection connection) const {
    return change_connections(folder, [&](Connections& all) -> Result<void> {
      all.put(std::move(connection));
      return {};
    });
  }

  std::string folder;
};

TEST_F(ConnectionsFile, AMissingFileHasNoConnections) {
  const auto read = read_connections(folder);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->all.empty());
  EXPECT_EQ(read->used(), nullptr);
}

TEST_F(ConnectionsFile, AStoredConnectionIsReadableForItsOwnerOnly) {
  ASSERT_TRUE(put(connection()));
  struct stat status{};
  ASSERT_EQ(::stat(connections_path(folder).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  const auto read = read_connections(folder);
  ASSERT_TRUE(read);
  ASSERT_NE(read->used(), nullptr);
  EXPECT_EQ(*read->used(), connection());
}

TEST_F(ConnectionsFile, AFileOpenToOthersIsRefused) {
  write(to_text({.all = {connection()}, .chosen = "work"}), 0640);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("other users may read its keys"), HasSubstr("chmod 600 " + connections_path(folder))));
}

TEST_F(ConnectionsFile, ALinkIsRefused) {
  write(to_text({}));
  std::filesystem::rename(connections_path(folder), folder + "/elsewhere");
  std::filesystem::create_symlink(folder + "/elsewhere", connections_path(folder));
  EXPECT_THAT(refusal(), HasSubstr(connections_path(folder)));
}

// Each document with the place of its fault.
TEST_F(ConnectionsFile, EachOddDocumentIsRefusedWithItsPlace) {
  const std::string good = R"("name":"a","vendor":"other","url":"https://h/v1","dialect":"openai")";
  const auto with = [](const std::string& connection) {
    return R"({"version":1,"chosen":"a","connections":[{)" + connection + "}]}";
  };
  ASSERT_TRUE(parse_connections(with(good)));
  const std::vector<std::pair<std::string, std::string>> odd{
      {"", "the file is empty"},
      {"{", "no JSON"},
      {"null", "the document is no object"},
      {"[]", "the document is no object"},
      {R"({"connections":[]})", "version is missing"},
      {R"({"version":null,"connections":[]})", "version is not 1"},
      {R"({"version":"1","connections":[]})", "version is not 1"},
      {R"({"version":2,"connections":[]})", "version is not 1"},
      {R"({"version":1})", "connections is missing"},
      {R"({"version":1,"connections":null})", "connections is no list"},
      {R"({"version":1,"connections":{}})", "connections is no list"},
      {R"({"version":1,"connections":[],"extra":1})", "extra is unknown"},
      {R"({"version":1,"chosen":"a","connections":[]})", "chosen names no connection"},
      {R"({"version":1,"connections":[{)" + good + "}]}", "chosen names no connection"},
      {R"({"version":1,"chosen":7,"connections":[]})", "chosen is no text"},
      {R"({"version":1,"connections":[null]})", "connections[0] is no object"},
      {with(R"("vendor":"other","url":"https://h/v1","dialect":"openai")"), "connections[0].name is missing"},
      {with(R"("name":null,"vendor":"other","url":"https://h/v1","dialect":"openai")"), "connections[0].name is no text"},
      {with(R"("name":"","vendor":"other","url":"https://h/v1","dialect":"openai")"), "connections[0].name has other characters"},
      {with(R"("name":"a","vendor":"acme","url":"https://h/v1","dialect":"openai")"), "vendor \"acme\" is unknown"},
      {with(R"("name":"a","vendor":"other","url":"h","dialect":"openai")"), "connections[0].url is no address"},
      {with(R"("name":"a","vendor":"other","url":"https://u:p@h/","dialect":"openai")"), "url contains a user"},
      {with(R"("name":"a","vendor":"other","url":"https://h/?key=1","dialect":"openai")"), "url contains a user"},
      {with(R"("name":"a","vendor":"other","url":"http://host.example/v1","dialect":"openai")"), "url is http:// to another"},
      {with(R"("name":"a","vendor":"other","url":"https://h/v1")"), "connections[0].dialect is missing"},
      {with(R"("name":"a","vendor":"other","url":"https://h/v1","dialect":null)"), "connections[0].dialect is no text"},
      {with(R"("name":"a","vendor":"other","url":"https://h/v1","dialect":"")"), "dialect is neither"},
      {with(R"("name":"a","vendor":"other","url":"https://h/v1","dialect":"rehearsal")"), "dialect is neither"},
      {with(good + R"(,"model":"a b")"), "connections[0].model contains blanks"},
      {with(good + R"(,"key":7)"), "connections[0].key is no text"},
      {with(good + R"(,"key":"a\nb")"), "connections[0].key contains blanks"},
      {with(good + R"(,"unencrypted":"true")"), "connections[0].unencrypted is neither true nor false"},
      {with(good + R"(,"unencrypted":null)"), "connections[0].unencrypted is neither true nor false"},
      {with(good + R"(,"keys":"a")"), "connections[0].keys is unknown"},
      {with(good + R"(,"key_file":7)"), "connections[0].key_file is no text"},
      {with(good + R"(,"key_file":"keys/a")"), "connections[0].key_file is no absolute path"},
      {with(good + R"(,"key":"k","key_file":"/keys/a")"), "connections[0].key_file stands beside a key"},
      {with(good + R"(,"key_variable":7)"), "connections[0].key_variable is no text"},
      {with(good + R"(,"key_variable":"A-B")"), "connections[0].key_variable is no name"},
      {with(good + R"(,"key_variable":"1A")"), "connections[0].key_variable is no name"},
      {with(good + R"(,"key":"k","key_variable":"A")"), "connections[0].key_variable stands beside"},
      {with(good + R"(,"key_file":"/a","key_variable":"A")"), "connections[0].key_variable stands beside"},
      {with(good + "},{" + good), "connections[1].name repeats \"a\""},
      {with(R"("name":"a","vendor":"openai","url":"https://h/v1","dialect":"openai")"), "key is missing"}};
  for (const auto& [text, place] : odd) {
    write(text);
    EXPECT_THAT(refusal(), AllOf(HasSubstr(place), HasSubstr("delete it and run parlance model add"))) << text;
  }
}

TEST_F(ConnectionsFile, NoErrorContainsAKey) {
  write(R"({"version":1,"chosen":"a","connections":[{"name":"a","key":")" + std::string(secret) + R"(","vendor":7}]})");
  EXPECT_THAT(refusal(), Not(HasSubstr(secret)));
  write(R"({"version":1,"chosen":"a","connections":[{"name":"a","key":")" + std::string(secret) + R"( x"}]})");
  EXPECT_THAT(refusal(), Not(HasSubstr(secret)));
  write(R"({"key":")" + std::string(secret));
  EXPECT_THAT(refusal(), Not(HasSubstr(secret)));
}

TEST_F(ConnectionsFile, HttpNeedsAPermissionBeyondThisMachine) {
  Connection made = connection();
  made.url = "http://host.example/v1";
  EXPECT_FALSE(check_connection(made));
  made.unencrypted = true;
  EXPECT_TRUE(check_connection(made));
  made.unencrypted = false;
  for (const char* url : {"http://127.0.0.1:11434/v1", "http://localhost:1234", "http://[::1]:8080/v1"}) {
    made.url = url;
    EXPECT_TRUE(check_connection(made)) << url;
  }
  made.url = "http://127.0.0.1.evil.example/v1";
  EXPECT_FALSE(check_connection(made));
}

TEST_F(ConnectionsFile, AReplacedConnectionLosesItsOldKey) {
  ASSERT_TRUE(put(connection()));
  Connection other = connection();
  other.vendor = "other";
  other.url = "https://elsewhere.example/v1";
  other.key = "";
  ASSERT_TRUE(put(other));
  EXPECT_EQ(read_connections(folder)->used()->key, "");
}

TEST_F(ConnectionsFile, AKeyFileIsReadByEachUserOfTheConnection) {
  Connection made = connection();
  made.key.clear();
  made.key_file = folder + "/key";
  ASSERT_TRUE(put(made));
  EXPECT_EQ(*read_connections(folder)->used(), made) << "the stored file has the path and no key";
  EXPECT_THAT(load_key(made).error().message,
              AllOf(HasSubstr("the key cannot be read"), HasSubstr(made.key_file), Not(HasSubstr("connection work"))));
  std::ofstream(made.key_file) << secret << "\n";
  ::chmod(made.key_file.c_str(), 0600);
  EXPECT_EQ(load_key(made)->key, secret);
  std::ofstream(made.key_file) << "two words";
  EXPECT_THAT(load_key(made).error().message, AllOf(HasSubstr("key contains blanks"), Not(HasSubstr("two words"))));
  std::ofstream(made.key_file) << "";
  EXPECT_FALSE(load_key(made));
}

TEST_F(ConnectionsFile, AKeyVariableIsReadAtUse) {
  constexpr const char* variable = "PARLANCE_TEST_MODEL_KEY";
  ::unsetenv(variable);
  Connection made = connection();
  made.key.clear();
  made.key_variable = variable;
  ASSERT_TRUE(put(made));
  EXPECT_EQ(*read_connections(folder)->used(), made) << "the stored file has the name and no key";
  EXPECT_THAT(load_key(made).error().message,
              AllOf(HasSubstr("the key cannot be read: the environment has no variable PARLANCE_TEST_MODEL_KEY; start parlance"),
                    HasSubstr("parlance model add")));
  ::setenv(variable, " ", 1);
  EXPECT_FALSE(load_key(made));
  ::setenv(variable, "two words", 1);
  EXPECT_THAT(load_key(made).error().message, AllOf(HasSubstr("key contains blanks"), Not(HasSubstr("two words"))));
  ::setenv(variable, (std::string(secret) + "\n").c_str(), 1);
  const auto with_key = load_key(made);
  ::unsetenv(variable);
  ASSERT_TRUE(with_key);
  EXPECT_EQ(with_key->key, secret);
  EXPECT_EQ(settings_of(*with_key).key.text, secret);
}

TEST_F(ConnectionsFile, AfterARemovalTheFirstRemainingConnectionIsUsed) {
  Connections all{.all = {connection("a"), connection("b")}, .chosen = "b"};
  EXPECT_FALSE(all.remove("c"));
  EXPECT_TRUE(all.remove("b"));
  EXPECT_EQ(all.chosen, "a");
  EXPECT_TRUE(all.remove("a"));
  EXPECT_EQ(all.chosen, "");
}

TEST_F(ConnectionsFile, AFailedChangeAndAnUnusableFileStayAsTheyAre) {
  ASSERT_TRUE(put(connection()));
  EXPECT_FALSE(change_connections(folder, [](Connections& all) -> Result<void> {
    all.all.clear();
    return fail(Errc::failed, "no");
  }));
  EXPECT_EQ(read_connections(folder)->all.size(), 1U);
  write("{");
  EXPECT_FALSE(put(connection("b")));
  EXPECT_THAT(refusal(), HasSubstr("no JSON"));
}

TEST_F(ConnectionsFile, ConcurrentWritersLoseNothing) {
  std::vector<std::jthread> writers;
  writers.reserve(4);
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([this, writer] {
      for (int i = 0; i < 5; ++i) EXPECT_TRUE(put(connection("c" + std::to_string(writer) + "-" + std::to_string(i))));
    });
  writers.clear();
  EXPECT_EQ(read_connections(folder)->all.size(), 20U);
}

TEST(Vendors, EachIsAUsableConnectionWithAKey) {
  for (const Vendor& vendor : vendors()) {
    const Connection connection{.name = std::string(vendor.id),
                                .vendor = std::string(vendor.id),
                                .url = vendor.url.empty() ? "https://h/v1" : std::string(vendor.url),
                                .kind = vendor.kind,
                                .key = "k"};
    const auto good = check_connection(connection);
    EXPECT_TRUE(good) << vendor.id << ": " << (good ? "" : good.error().message);
  }
}

TEST(ConnectionSettings, TheKeyComesFromTheConnectionAlone) {
  ::setenv("OPENAI_API_KEY", "environment", 1);
  Connection made = connection();
  made.key = "";
  EXPECT_EQ(settings_of(made).key.text, "");
  made.url = "https://api.openai.com/v1";
  EXPECT_EQ(settings_of(made).url, "") << "the vendor's own address brings the vendor's default model";
  ::unsetenv("OPENAI_API_KEY");
}

}  // namespace
}  // namespace parlance::model
