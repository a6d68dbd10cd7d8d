// SPDX-License-Identifier: Apache-2.0
// The table of settings as a whole, and its rare parts: similar words, and files with unusual contents.
#include <pwd.h>
#include <set>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/config/nearest_word.h"
#include "apps/parlance/config/test_support.h"
#include "parlance/process/child_secrets.h"

namespace parlance::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SettingTable, NoTwoSettingsShareAVariable) {
  std::set<std::string_view> names;
  for (const SettingSpec& spec : all_settings()) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    EXPECT_TRUE(names.insert(spec.environment).second) << spec.environment;
    for (const std::string_view alias : spec.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
  }
}

TEST(SettingTable, AVariableIsSpelledLikeItsFlag) {
  for (const SettingSpec& spec : all_settings()) {
    std::string name = "PARLANCE_";
    for (const char c : spec.name) name += c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
    EXPECT_EQ(spec.environment, name);
    EXPECT_EQ(&spec_of(spec.name), &spec);
  }
}

// A second list of the settings permitted in a stranger's repository: an addition needs a conscious decision.
TEST(SettingTable, FewSettingsOfAFolderCountWithoutTrust) {
  std::vector<std::string_view> free;
  std::vector<std::string_view> never;
  for (const SettingSpec& spec : all_settings()) {
    if (spec.folder_may == FolderMay::say) free.push_back(spec.name);
    if (spec.folder_may == FolderMay::not_say) never.push_back(spec.name);
  }
  EXPECT_THAT(free, ElementsAre("embed-model", "log-level", "log-json", "model-name", "rehearsal-pace-ms", "agent-timeout",
                                "prompt-file-bytes", "ask-wait"));
  EXPECT_THAT(never, ElementsAre("state"));
}

TEST(SettingTable, ASecretSettingReachesNoChildProcess) {
  std::vector<std::string_view> secret;
  for (const SettingSpec& spec : all_settings()) {
    // A name like a secret's name needs the mark. A key file is read with mode 0600.
    const bool looks_secret = spec.name.ends_with("token") || spec.name.ends_with("key") || spec.name.ends_with("password");
    EXPECT_TRUE(spec.secret || !looks_secret) << spec.name;
    if (!spec.secret) continue;
    secret.push_back(spec.name);
    EXPECT_TRUE(is_withheld(spec.environment, Withheld::own_secrets)) << spec.environment;
    for (const std::string_view alias : spec.aliases) EXPECT_TRUE(is_withheld(alias, Withheld::own_secrets)) << alias;
  }
  EXPECT_THAT(secret, ElementsAre("token", "store"));
}

class OddSettings : public test::ConfigTest {};

TEST_F(OddSettings, AnEmptyFlagIsSaidAllTheSame) {
  set("PARLANCE_FOLDER", "/there");
  EXPECT_EQ(resolved({{"folder", ""}}).text("folder"), "");
  EXPECT_EQ(resolved({{"folder", ""}})["folder"].origin, "flag --folder");
}

TEST_F(OddSettings, AServerOfManyKeysIsNamedOnce) {
  write("work/parlance.toml", "[mcp.a]\nurl = \"http://a\"\ntimeout = 3\ntransport = \"sse\"\n");
  EXPECT_THAT(untrusted_sentences(resolved()), ElementsAre(HasSubstr("do not count: [mcp.a]. Read")));
}

TEST_F(OddSettings, AnUnknownKeyIsRefusedEvenInAnUntrustedFolder) {
  write("work/parlance.toml", "listne = \"a:1\"\n");
  EXPECT_EQ(refusal(), "parlance.toml: \"listne\" is no setting; did you mean \"listen\"?");
}

TEST_F(OddSettings, AFilesKeyReachesTheTerminalOnlyEscaped) {
  const auto checked = check_names({.path = "f", .entries = {{.key = "\x1b[2Jlisten", .value = ""}}});
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().code, Errc::invalid_params);
  EXPECT_FALSE(checked.error().message.contains('\x1b')) << checked.error().message;
}

TEST_F(OddSettings, AWrongFileIsAnErrorEvenWithTheSameFlag) {
  own("listen = [\"a:1\", \"b:2\"]\n");
  EXPECT_THAT(refusal({{"listen", "127.0.0.1:1"}}), HasSubstr("\"listen\" takes one value"));
}

TEST_F(OddSettings, APortCompletesTheHostOfAFile) {
  set("OPENCLAW_PORT", "8080");
  own("listen = \"10.0.0.1:1\"\n");
  EXPECT_EQ(resolved().text("listen"), "10.0.0.1:8080");
}

TEST_F(OddSettings, AKeyFromAnotherPlaceThanTheAddressKeepsTheAddressesKind) {
  set("PARLANCE_API_KEY", "k");
  EXPECT_EQ(resolved({{"model-url", "https://api.anthropic.com"}})["model"].origin, "because of flag --model-url");
  EXPECT_EQ(resolved({{"model-url", "https://api.anthropic.com"}}).text("model"), "anthropic");
}

// A relative folder would depend on the working folder, and a folder in /tmp belongs to all users.
TEST_F(OddSettings, WithoutAVariableTheStateIsInTheHomeOfTheAccount) {
  const std::string home = ::getpwuid(::getuid())->pw_dir;
  unset("HOME");
  unset("PARLANCE_STATE");
  EXPECT_EQ(state_folder(resolved()), home + "/.local/state/parlance");
  EXPECT_EQ(user_config_folder(), home + "/.config/parlance");
  set("XDG_STATE_HOME", "relative");
  set("HOME", "relative");
  EXPECT_EQ(state_folder(resolved()), home + "/.local/state/parlance");
  set("XDG_STATE_HOME", "/own");
  EXPECT_EQ(state_folder(resolved()), "/own/parlance");
}

// A third of the letters, plus one: short words permit few errors.
TEST(NearestWord, TheAcceptedDistanceGrowsWithTheWord) {
  EXPECT_EQ(nearest_word("ab", {"ax"}), "ax");
  EXPECT_EQ(nearest_word("ab", {"xy"}), "");
  EXPECT_EQ(nearest_word("abcdef", {"abcxyz"}), "abcxyz") << "three of six";
  EXPECT_EQ(nearest_word("abcdef", {"abwxyz"}), "") << "four of six";
}

TEST(NearestWord, OfTwoEquallyNearWordsTheFirstIsNamed) { EXPECT_EQ(nearest_word("ax", {"ab", "ac"}), "ab"); }

TEST(NearestWord, AnEmptyWordIsOnlyNearToASingleLetter) {
  EXPECT_EQ(nearest_word("", {"ab"}), "");
  EXPECT_EQ(nearest_word("", {"a"}), "a");
}

}  // namespace
}  // namespace parlance::app
