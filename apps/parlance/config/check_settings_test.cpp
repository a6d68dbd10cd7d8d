// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/check_settings.h"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/config/test_support.h"

namespace parlance::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CheckSettings : public test::ConfigTest {
 protected:
  std::string wrong(const std::map<std::string, std::string>& flags) const {
    std::string all;
    for (const WrongSetting& wrong_setting : wrong_settings(resolved(flags))) all += sentence_of(wrong_setting) + "\n";
    return all;
  }
};

TEST_F(CheckSettings, UsualSettingsAreValid) { EXPECT_THAT(wrong_settings(resolved()), IsEmpty()); }

TEST_F(CheckSettings, AnAddressHasAPort) {
  EXPECT_EQ(wrong({{"listen", "127.0.0.1"}}),
            "--listen: \"127.0.0.1\" is no address; give ADDR:PORT, for example 127.0.0.1:55003\n");
  EXPECT_THAT(wrong({{"embed-listen", "host:99999"}}), HasSubstr("--embed-listen: \"host:99999\" is no address"));
  EXPECT_EQ(wrong({{"listen", "[::1]:0"}}), "");
}

TEST_F(CheckSettings, WhereAWrongValueCameFromIsSaid) {
  set("PARLANCE_LISTEN", "nonsense");
  EXPECT_THAT(wrong({}), HasSubstr("\"nonsense\" (environment PARLANCE_LISTEN) is no address"));
}

TEST_F(CheckSettings, AStoreIsAPostgresqlAndItsPasswordIsNotShown) {
  EXPECT_EQ(wrong({{"store", "postgresql://a:secret@h/db"}}), "");
  for (const char* address : {"mysql://a:secret@h/db", "host=h password=secret", "postgresql://a:secret@h/db?nonsense=1"}) {
    EXPECT_THAT(wrong({{"store", address}}), HasSubstr("--store: ")) << address;
    EXPECT_THAT(wrong({{"store", address}}), testing::Not(HasSubstr("secret"))) << address;
  }
}

TEST_F(CheckSettings, ALeaseIsNeitherTooShortNorTooLong) {
  for (const char* lease : {"2", "15", "300"}) EXPECT_EQ(wrong({{"lease", lease}}), "");
  for (const char* lease : {"1", "301", "soon"}) EXPECT_THAT(wrong({{"lease", lease}}), HasSubstr("--lease: ")) << lease;
}

TEST_F(CheckSettings, AFolderMustBeAccessible) {
  EXPECT_THAT(wrong({{"folder", base + "/none"}}), HasSubstr("is not there"));
  EXPECT_THAT(wrong({{"folder", write("a-file", "")}}), HasSubstr("is no folder"));
  EXPECT_EQ(wrong({{"folder", base}}), "");
  if (::geteuid() == 0) return;  // root may enter every folder
  ASSERT_EQ(::chmod((base + "/work").c_str(), 0), 0);
  EXPECT_THAT(wrong({{"folder", base + "/work"}}), HasSubstr("cannot be entered"));
  ::chmod((base + "/work").c_str(), 0700);
}

TEST_F(CheckSettings, AFileMustBeReadable) {
  for (const char* name : {"model-key-file", "embed-key-file", "iflow-key-file", "scenario", "claude-hooks"}) {
    EXPECT_THAT(wrong({{name, base + "/none"}}), HasSubstr("--" + std::string(name) + ": \"" + base + "/none\" is not there"))
        << name;
    EXPECT_THAT(wrong({{name, base}}), HasSubstr("is a folder")) << name;
    EXPECT_EQ(wrong({{name, write("a-file", "")}}), "") << name;
  }
}

TEST_F(CheckSettings, AModelsUrlIsCheckedOnUse) {
  EXPECT_THAT(wrong({{"model", "openai"}, {"model-url", "nonsense"}}), HasSubstr("is no address of a server"));
  EXPECT_EQ(wrong({{"model", "rehearsal"}, {"model-url", "nonsense"}}), "");
}

TEST_F(CheckSettings, AccountsAreOfThisMachine) {
  EXPECT_THAT(wrong({{"agent-user", "nobody-of-that-name"}}), HasSubstr("is no user of this machine"));
  EXPECT_THAT(wrong({{"agent-socket-group", "no-group-of-that-name"}}), HasSubstr("is no group of this machine"));
  EXPECT_EQ(wrong({{"agent-user", "root"}, {"agent-socket-group", "0"}}), "");
}

TEST_F(CheckSettings, APaceIsANumber) {
  for (const char* bad : {"-1", "fast", "1.5", "99999999999"})
    EXPECT_THAT(wrong({{"rehearsal-pace-ms", bad}}), HasSubstr("milliseconds"));
  EXPECT_EQ(wrong({{"rehearsal-pace-ms", "0"}}), "");
}

TEST_F(CheckSettings, AllFaultsOfTheRequestedSettingsAreReportedAtOnce) {
  const Settings settings = resolved({{"listen", "x"}, {"embed-listen", "y"}, {"folder", base + "/none"}});
  EXPECT_THAT(wrong_settings(settings), SizeIs(3));
  EXPECT_THAT(wrong_settings(settings, {"folder"}), SizeIs(1));
  EXPECT_TRUE(check_settings(settings, {"token"}));
  const auto all = check_settings(settings);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, Errc::invalid_params);
  EXPECT_THAT(all.error().message, HasSubstr("\nparlance: --embed-listen"));
}

TEST_F(CheckSettings, TheStateFolderIsForUsAlone) {
  const std::string folder = base + "/new/state";
  std::filesystem::create_directory(base + "/new");
  ASSERT_TRUE(keep_state_folder(resolved({{"state", folder}})));
  struct stat status{};
  ASSERT_EQ(::stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(keep_state_folder(resolved({{"state", folder}})));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("was open to other users"));
  const auto in_a_file = keep_state_folder(resolved({{"state", write("a-file", "") + "/state"}}));
  ASSERT_FALSE(in_a_file);
  EXPECT_THAT(in_a_file.error().message, HasSubstr("--state: "));
}

// A stranger's folder may say how fast a script answers, and a terminal obeys this character of two bytes.
TEST_F(CheckSettings, AFilesContentsReachTheTerminalOnlyEscaped) {
  write("work/parlance.toml",
        "rehearsal-pace-ms = \"\xc2\x9b"
        "2J\"\n");
  EXPECT_EQ(wrong({}), "--rehearsal-pace-ms: \"⟨U+009B⟩2J\" (parlance.toml) is no number of milliseconds; give 0 or more\n");
}

}  // namespace
}  // namespace parlance::app
