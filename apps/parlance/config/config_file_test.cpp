// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/config_file.h"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/config/test_support.h"
#include "parlance/base/sha256.h"

namespace parlance::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ConfigFileTest : public test::ConfigTest {
 protected:
  std::string read(const std::string& text) const {
    const auto file = read_config_file(write("a.toml", text));
    if (!file) return file.error().message;
    std::string all;
    for (const ConfigEntry& entry : file->entries) all += entry.key + "=" + entry.value + ";";
    return all;
  }
};

TEST_F(ConfigFileTest, KeysAreWrittenWithEitherDash) {
  EXPECT_EQ(read("model_url = \"http://a\"\nlog-level = 'debug'\n"), "model-url=http://a;log-level=debug;");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("# nothing but a comment\n\n"), "");
}

TEST_F(ConfigFileTest, SwitchesAndNumbersAreText) {
  EXPECT_EQ(read("open = true\nrehearsal-pace-ms = 5\n"), "open=true;rehearsal-pace-ms=5;");
}

TEST_F(ConfigFileTest, AValueIsASingleValue) {
  EXPECT_THAT(read("model = [\"openai\", \"anthropic\"]\n"), HasSubstr("a.toml: line 1: \"model\" takes one value"));
}

TEST_F(ConfigFileTest, SeveralDatabasesAreAList) {
  EXPECT_EQ(read("databases = [\"/a.db\", \"/b.db\"]\n"), "databases=/a.db:/b.db;");
  EXPECT_EQ(read("databases = \"/a.db\"\n"), "databases=/a.db;");
}

TEST_F(ConfigFileTest, ServersKeepTheirNamesAndTheirLists) {
  const auto file = read_config_file(write("a.toml", "[mcp.my_files]\ncommand = [\"npx\", \"a b\"]\ntoken_variable = \"T\"\n"));
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->entries.size(), 2U);
  EXPECT_EQ(file->entries[0].key, "mcp-my_files-command");
  EXPECT_THAT(file->entries[0].values, ElementsAre("npx", "a b"));
  EXPECT_TRUE(is_mcp(file->entries[0]));
  EXPECT_EQ(name_of(file->entries[1]), "[mcp.my_files]");
}

TEST_F(ConfigFileTest, IsIdentifiedByItsContents) {
  const std::string text = "model = \"none\"\n";
  EXPECT_EQ(read_config_file(write("a.toml", text))->sha256, sha256_hex(text));
}

TEST_F(ConfigFileTest, AByteOrderMarkIsNoPartOfTheFirstKey) {
  const auto file = read_config_file(write("parlance.toml", "\xef\xbb\xbflisten = \"127.0.0.1:1\"\n"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->entries.at(0).key, "listen");
}

TEST_F(ConfigFileTest, AControlCharacterIsRefusedWithItsLine) {
  EXPECT_THAT(read("model = \"none\"\ntoken = \"\x1b[2J\"\n"), AllOf(HasSubstr("line 2: "), HasSubstr("control characters")));
  EXPECT_THAT(read("model = \"no\x7fne\"\n"), HasSubstr("line 1"));
  EXPECT_THAT(read(std::string("a = 1\n\n\0", 8)), HasSubstr("line 3"));
  EXPECT_EQ(read("model = \"none\"\r\n\tlog-level = \"info\"\r\n"), "model=none;log-level=info;");
}

TEST_F(ConfigFileTest, ALineWithoutAValueIsRefusedWithItsNumber) {
  EXPECT_THAT(read("open = true\n state # where\n"), HasSubstr("a.toml: line 2: "));
  EXPECT_THAT(read("[agents.a]\ncommand\n"), HasSubstr("line 2"));
  EXPECT_THAT(read("model = rehearsal\n"), HasSubstr("line 1")) << "a text without quotes";
}

TEST_F(ConfigFileTest, AListMayHaveSeveralLines) {
  EXPECT_EQ(read("databases = [\n  \"/a.db\",  # first\n  \"/b.db\",\n]\nmodel = 'm'\n"), "databases=/a.db:/b.db;model=m;");
}

TEST_F(ConfigFileTest, ADeepFileIsRefusedBeforeItFillsTheStack) {
  std::string deep = "a";
  for (int i = 0; i < 300'000; ++i) deep += ".a";
  EXPECT_THAT(read(deep + " = 1\n"), HasSubstr("300000 dots"));
  EXPECT_THAT(read("[" + deep + "]\n"), HasSubstr("300000 dots"));
  EXPECT_THAT(read("model = " + std::string(200'000, '[')), HasSubstr("line 1"));
  EXPECT_THAT(read("# " + deep + "\n"), "");
  EXPECT_THAT(read("x = { a = \"\"\"\n#\"\"\", " + deep + " = 1 }\n"), HasSubstr("300000 dots"));
}

TEST_F(ConfigFileTest, AKeyCountsOnce) { EXPECT_THAT(read("model = \"a\"\nmodel = \"b\"\n"), HasSubstr("line 2")); }

TEST_F(ConfigFileTest, ADateIsNoValue) {
  EXPECT_THAT(read("\nmodel = 2026-01-01\n"), HasSubstr("a.toml: line 2: \"model\" takes a text, a number"));
}

TEST_F(ConfigFileTest, AControlCharacterBehindABackslashIsRefused) {
  for (const char* hidden : {R"(\u0000)", R"(\u001b[2J)", R"(\b)", R"(\u007f)"}) {
    EXPECT_THAT(read(std::string("open = true\nmodel = \"a") + hidden + "b\"\n"),
                HasSubstr("line 2: \"model\" holds a control character"));
    EXPECT_THAT(read(std::string("[mcp.a]\nargs = [\"a\", \"") + hidden + "\"]\n"),
                HasSubstr("line 2: \"mcp-a-args\" holds a control character"));
    EXPECT_THAT(read(std::string("[mcp.\"a") + hidden + "\"]\ncommand = \"x\"\n"),
                HasSubstr("holds a control character in a key"));
  }
  EXPECT_EQ(read("model = \"a\\tb Ä 中\"\n"), "model=a\tb Ä 中;");
}

TEST_F(ConfigFileTest, AMissingFileIsAnErrorWithItsPath) {
  const auto file = read_config_file(base + "/none.toml");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, Errc::not_found);
  EXPECT_THAT(file.error().message, HasSubstr(base + "/none.toml"));
}

TEST_F(ConfigFileTest, AnUnnamedSpecialFileIsNotRead) {
  const std::string fifo = base + "/fifo.toml";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const auto found = read_found_config_file(fifo);  // and it does not wait for a writer
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("a configuration file is a plain file"));
  EXPECT_FALSE(read_found_config_file(base));
  EXPECT_THAT(read_found_config_file(base + "/none.toml").error().message, HasSubstr("there is no such file"));
  EXPECT_TRUE(read_found_config_file(write("plain.toml", "")));
}

TEST(Printable, ValuesHaveMarksForHiddenCharacters) {
  EXPECT_EQ(printable("a\x1b[2Jb\x07\n"), "a␛[2Jb␇␊");
  EXPECT_EQ(printable("\u009B2J \u202Ehs."), "⟨U+009B⟩2J ⟨U+202E⟩hs.");
  EXPECT_EQ(printable("Ä中"), "Ä中");
  EXPECT_EQ(printable("a\xC2"), "a\uFFFD");
}

}  // namespace
}  // namespace parlance::app
