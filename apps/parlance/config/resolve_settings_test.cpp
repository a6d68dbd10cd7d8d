// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/resolve_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/config/nearest_word.h"
#include "apps/parlance/config/test_support.h"
#include "apps/parlance/config/trust.h"
#include "parlance/model/connection/connections.h"

namespace parlance::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ResolveSettings : public test::ConfigTest {};

TEST_F(ResolveSettings, EverySettingHasAValueAndAnOrigin) {
  const Settings settings = resolved();
  for (const SettingSpec& spec : all_settings())
    if (spec.name != "state" && spec.name != "agent-socket") {
      EXPECT_EQ(settings.text(spec.name), spec.fallback) << spec.name;
      EXPECT_EQ(settings[spec.name].origin, default_origin) << spec.name;
    }
}

TEST_F(ResolveSettings, TheFlagCountsMostAndTheDefaultLeast) {
  EXPECT_EQ(resolved().text("log-level"), "warn");
  const std::string file = own("log-level = \"info\"\n");
  EXPECT_EQ(resolved()["log-level"].origin, file);
  set("PARLANCE_LOG_LEVEL", "debug");
  EXPECT_EQ(resolved()["log-level"].origin, "environment PARLANCE_LOG_LEVEL");
  const Settings flagged = resolved({{"log-level", "trace"}});
  EXPECT_EQ(flagged.text("log-level"), "trace");
  EXPECT_EQ(flagged["log-level"].origin, "flag --log-level");
}

TEST_F(ResolveSettings, AnEmptyVariableIsNone) {
  set("PARLANCE_LOG_LEVEL", "");
  EXPECT_EQ(resolved()["log-level"].origin, default_origin);
}

TEST_F(ResolveSettings, OfAliasesOurOwnNameCountsMost) {
  set("OPENCLAW_MODEL", "theirs");
  EXPECT_EQ(resolved()["model-name"].origin, "environment OPENCLAW_MODEL");
  set("PARLANCE_MODEL_NAME", "ours");
  EXPECT_EQ(resolved().text("model-name"), "ours");
}

TEST_F(ResolveSettings, AStoredConnectionCountsMoreThanTheDefaultOnly) {
  ASSERT_TRUE(model::change_connections(base + "/state", [](model::Connections& all) -> Result<void> {
    all.put({.name = "local", .vendor = "other", .url = "http://127.0.0.1:1/v1", .model = "m", .key = "hidden"});
    return {};
  }));
  const Settings stored = resolved();
  EXPECT_EQ(stored.text("model"), "openai");
  EXPECT_EQ(stored["model"].origin, "model connection local");
  EXPECT_EQ(stored.text("model-url"), "http://127.0.0.1:1/v1");
  EXPECT_EQ(stored.text("model-name"), "m");
  EXPECT_EQ(resolved({{"model-name", "other"}}).text("model-name"), "other");
  EXPECT_EQ(resolved({{"model", "rehearsal"}}).text("model-url"), "");
  own("model = \"none\"\n");
  EXPECT_EQ(resolved().text("model"), "none");
  set("PARLANCE_MODEL", "rehearsal");
  EXPECT_EQ(resolved()["model"].origin, "environment PARLANCE_MODEL");
}

TEST_F(ResolveSettings, AnUnusableFileOfConnectionsIsAFaultOfTheModel) {
  write("state/models.json", "[]");
  std::filesystem::permissions(base + "/state/models.json", std::filesystem::perms(0600));
  const auto refused = check_settings(resolved(), {"model"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(base + "/state/models.json"));
  EXPECT_TRUE(check_settings(resolved({{"model", "rehearsal"}}), {"model"})) << "a setting has precedence";
}

TEST_F(ResolveSettings, AChoiceIsAListedWord) {
  EXPECT_THAT(refusal({{"log-level", "loud"}}), HasSubstr("is none of error, warn, info, debug, trace"));
  EXPECT_THAT(refusal({{"recall", "On"}}), HasSubstr("is none of on, off"));
  own("model = \"gpt\"\n");
  EXPECT_THAT(refusal(), HasSubstr("model: \"gpt\" (" + base + "/home/.config/parlance/parlance.toml) is none of"));
  EXPECT_EQ(refusal({{"model", "none"}}), "taken") << "what counts more is looked at alone";
  EXPECT_EQ(resolved({{"model", "none"}, {"token", "any text"}}).text("token"), "any text");
}

TEST_F(ResolveSettings, AnUnknownKeyIsNamedWithItsNeighbour) {
  own("modle-url = \"http://a\"\n");
  EXPECT_THAT(refusal(), HasSubstr("\"modle-url\" is no setting; did you mean \"model-url\"?"));
  own("quite-another-thing = 1\n");
  EXPECT_THAT(refusal(), HasSubstr("\"quite-another-thing\" is no setting; parlance config lists them"));
}

// ---- files

TEST_F(ResolveSettings, ANamedFileIsTheOnlyFile) {
  own("log-level = \"info\"\nrecall = \"off\"\n");
  write("work/parlance.toml", "log-level = \"error\"\n");
  const std::string named = write("named.toml", "log-level = \"debug\"\n");
  const Settings settings = resolved({}, named);
  EXPECT_EQ(settings.text("log-level"), "debug");
  EXPECT_EQ(settings.text("recall"), "on");
  EXPECT_EQ(settings.given_file(), named);
  EXPECT_EQ(settings.files().size(), 1U);
}

TEST_F(ResolveSettings, AMissingNamedFileIsAnError) { EXPECT_THAT(refusal({}, base + "/none.toml"), HasSubstr("none.toml")); }

TEST_F(ResolveSettings, AnUntrustedWorkingFolderSetsOnlyHarmlessValues) {
  own("log-level = \"info\"\nmodel-name = \"mine\"\n");
  write("work/parlance.toml", "log-level = \"debug\"\nmodel-url = \"http://evil.example\"\n[mcp.x]\ncommand = \"evil\"\n");
  const Settings settings = resolved();
  EXPECT_EQ(settings.text("log-level"), "debug") << "it counts more than the user's, where it may";
  EXPECT_EQ(settings.text("model-name"), "mine");
  EXPECT_EQ(settings.text("model-url"), "");
  ASSERT_EQ(settings.files().size(), 2U);
  for (const ConfigEntry& entry : settings.files()[1].entries) EXPECT_FALSE(is_mcp(entry));
  EXPECT_THAT(untrusted_sentences(settings), ElementsAre(HasSubstr("is not trusted, so these do not count: model-url, [mcp.x]")));
}

TEST_F(ResolveSettings, ATrustedFolderSetsAllUntilItsChange) {
  write("work/parlance.toml", "model-url = \"http://host/v1\"\n");
  const auto file = read_found_config_file("parlance.toml");
  ASSERT_TRUE(trust_file(base + "/state", {trusted_name("."), file->sha256}));
  EXPECT_EQ(resolved().text("model-url"), "http://host/v1");
  EXPECT_THAT(untrusted_sentences(resolved()), IsEmpty());
  write("work/parlance.toml", "model-url = \"http://evil.example/v1\"\n");
  EXPECT_EQ(resolved().text("model-url"), "");
  EXPECT_THAT(untrusted_sentences(resolved()), ElementsAre(HasSubstr("has changed since you trusted it")));
}

TEST_F(ResolveSettings, AFolderNeverSaysWhereTheStateIs) {
  write("work/parlance.toml", "state = \"" + base + "/work/state\"\nopen = true\n");
  unset("PARLANCE_STATE");
  const Settings settings = resolved();
  EXPECT_EQ(settings.text("state"), "");
  EXPECT_EQ(state_folder(settings), base + "/home/.local/state/parlance");
  const auto sentences = untrusted_sentences(settings);
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_THAT(sentences[1], HasSubstr("state does not count in the parlance.toml of a working folder"));
}

TEST_F(ResolveSettings, TheUsersOwnFolderMayBeTheWorkingFolder) {
  own("model-url = \"http://host/v1\"\n");
  std::filesystem::current_path(base + "/home/.config/parlance");
  const Settings settings = resolved();
  EXPECT_EQ(settings.text("model-url"), "http://host/v1");
  EXPECT_EQ(settings.files().size(), 1U) << "it is one file, and not read as a stranger's, too";
}

TEST_F(ResolveSettings, FoldersComeFromTheDesktopIfSet) {
  set("XDG_CONFIG_HOME", base + "/config");
  write("config/parlance/parlance.toml", "log-level = \"trace\"\n");
  EXPECT_EQ(resolved().text("log-level"), "trace");
  unset("PARLANCE_STATE");
  set("XDG_STATE_HOME", base + "/xdg");
  EXPECT_EQ(state_folder(resolved()), base + "/xdg/parlance");
  EXPECT_EQ(state_folder(resolved({{"state", "/elsewhere"}})), "/elsewhere");
}

TEST_F(ResolveSettings, ASwitchIsOnByAnyOfItsWords) {
  for (const char* on : {"true", "1", "yes", "on"}) EXPECT_TRUE(resolved({{"open", on}}).is_on("open")) << on;
  for (const char* off : {"false", "0", "no", "off", ""}) EXPECT_FALSE(resolved({{"open", off}}).is_on("open")) << off;
  for (const std::string word : {"TRUE", "banana", " "})
    EXPECT_EQ(resolve_settings({{"open", word}}, "").error().message,
              "open: \"" + word + "\" (flag --open) is neither true nor false");
}

// ---- words

TEST(NearestWord, IsTheWordWithTheFewestChanges) {
  const std::vector<std::string> words{"listen", "model", "model-url", "model-name", "token"};
  EXPECT_EQ(nearest_word("listne", words), "listen");
  EXPECT_EQ(nearest_word("model", words), "model");
  EXPECT_EQ(nearest_word("modelurl", words), "model-url");
  EXPECT_EQ(nearest_word("tokens", words), "token");
}

TEST(NearestWord, ADistantWordIsNotSuggested) {
  const std::vector<std::string> words{"listen", "model"};
  EXPECT_EQ(nearest_word("completely-different", words), "");
  EXPECT_EQ(nearest_word("xyz", words), "");
  EXPECT_EQ(nearest_word("", words), "");
  EXPECT_EQ(nearest_word("listen", {}), "");
}

}  // namespace
}  // namespace parlance::app
