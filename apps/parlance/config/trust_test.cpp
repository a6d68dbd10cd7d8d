// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/trust.h"

#include <sys/stat.h>

#include <gmock/gmock.h>

#include "apps/parlance/config/test_support.h"
#include "parlance/base/sha256.h"

namespace parlance::app {
namespace {

namespace fs = std::filesystem;

class TrustTest : public test::ConfigTest {
 protected:
  TrustTest() { fs::create_directory(state()), fs::permissions(state(), fs::perms::owner_all); }

  std::string state() const { return base + "/state"; }
  std::string record_of(const std::string& file) const { return state() + "/trusted/" + sha256_hex(file) + ".json"; }
  void trust(const std::string& file, const std::string& sum) const {
    const auto kept = trust_file(state(), {file, sum});
    ASSERT_TRUE(kept.has_value()) << kept.error().message;
  }
  std::vector<std::string> all() const {
    std::vector<std::string> paths;
    for (const TrustedFile& file : trusted_files(state())) paths.push_back(file.path + "=" + file.sha256);
    return paths;
  }
};

TEST_F(TrustTest, AFileIsTrustedInItsReadVersion) {
  EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::none);
  trust("/a/parlance.toml", "1");
  EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::full);
  EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "2"}), Trust::changed);
  EXPECT_EQ(trust_in(state(), {"/b/parlance.toml", "1"}), Trust::none) << "another file of the same contents";
}

TEST_F(TrustTest, AfterASecondTrustTheNewContentsCount) {
  trust("/a/parlance.toml", "1");
  trust("/a/parlance.toml", "2");
  EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::changed);
  EXPECT_THAT(all(), testing::ElementsAre("/a/parlance.toml=2"));
}

TEST_F(TrustTest, TheListIsSortedByPath) {
  trust("/c/parlance.toml", "3");
  trust("/a/parlance.toml", "1");
  trust("/b/parlance.toml", "2");
  EXPECT_THAT(all(), testing::ElementsAre("/a/parlance.toml=1", "/b/parlance.toml=2", "/c/parlance.toml=3"));
}

TEST_F(TrustTest, ARevokedTrustIsGoneAndASecondRevocationReportsSo) {
  trust("/a/parlance.toml", "1");
  EXPECT_TRUE(untrust_file(state(), "/a/parlance.toml").value());
  EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::none);
  EXPECT_FALSE(untrust_file(state(), "/a/parlance.toml").value());
}

TEST_F(TrustTest, TheListIsEmptyBeforeTheFirst) {
  EXPECT_THAT(all(), testing::IsEmpty());
  EXPECT_FALSE(untrust_file(base + "/nowhere", "/a").value());
  EXPECT_EQ(trust_in(base + "/nowhere", {"/a", "1"}), Trust::none);
}

TEST_F(TrustTest, TheRecordsAreForOurEyesAlone) {
  trust("/a/parlance.toml", "1");
  EXPECT_EQ(fs::status(record_of("/a/parlance.toml")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(state() + "/trusted").permissions(), fs::perms::owner_all);
}

TEST_F(TrustTest, ARecordWritableForOthersTrustsNothing) {
  trust("/a/parlance.toml", "1");
  for (const auto more : {fs::perms::group_write, fs::perms::others_write, fs::perms::group_read}) {
    fs::permissions(record_of("/a/parlance.toml"), fs::perms::owner_read | fs::perms::owner_write | more);
    EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::none) << static_cast<unsigned>(more);
  }
}

TEST_F(TrustTest, ALinkInTheRecordsPlaceTrustsNothing) {
  trust("/a/parlance.toml", "1");
  fs::rename(record_of("/a/parlance.toml"), base + "/elsewhere");
  fs::create_symlink(base + "/elsewhere", record_of("/a/parlance.toml"));
  EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::none);
}

TEST_F(TrustTest, APipeInTheRecordsPlaceBlocksNoReader) {
  fs::create_directory(state() + "/trusted");
  ASSERT_EQ(::mkfifo(record_of("/a/parlance.toml").c_str(), 0600), 0);
  EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::none);
}

TEST_F(TrustTest, ARecordUnderAnotherFilesNameTrustsNeither) {
  trust("/a/parlance.toml", "1");
  fs::rename(record_of("/a/parlance.toml"), record_of("/b/parlance.toml"));
  EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::none);
  EXPECT_EQ(trust_in(state(), {"/b/parlance.toml", "1"}), Trust::none);
  EXPECT_THAT(all(), testing::IsEmpty());
}

TEST_F(TrustTest, ARecordOfAnotherOrMissingVersionTrustsNothing) {
  trust("/a/parlance.toml", "1");
  const std::string name = "state/trusted/" + sha256_hex("/a/parlance.toml") + ".json";
  for (const char* text :
       {R"({"version":2,"path":"/a/parlance.toml","sha256":"1"})", R"({"path":"/a/parlance.toml","sha256":"1"})",
        R"({"version":"1","path":"/a/parlance.toml","sha256":"1"})", R"([1])", "", "{\"version\":1"}) {
    write(name, text);
    EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::none) << text;
  }
  write(name, R"({"version":1,"path":"/a/parlance.toml","sha256":"1","later":true})");
  EXPECT_EQ(trust_in(state(), {"/a/parlance.toml", "1"}), Trust::full) << "what a later program adds is no harm";
}

TEST_F(TrustTest, APathOutsideUtf8CannotBeTrustedAndNamesTheRemedy) {
  const auto kept = trust_file(state(), {"/a\xff/parlance.toml", "1"});
  ASSERT_FALSE(kept.has_value());
  EXPECT_EQ(kept.error().code, Errc::invalid_params);
  EXPECT_EQ(kept.error().message, "the folder's name is no UTF-8: give it another to trust it");
}

TEST_F(TrustTest, AFolderIsNamedByItsRealPath) {
  const std::string work = fs::canonical(base + "/work").string();
  fs::create_directory_symlink(base + "/work", base + "/link");
  EXPECT_EQ(trusted_name(base + "/link"), work + "/parlance.toml");
  EXPECT_EQ(trusted_name("."), work + "/parlance.toml");
  EXPECT_EQ(trusted_name(base + "/work/../work"), work + "/parlance.toml");
}

TEST_F(TrustTest, ADeletedFolderKeepsItsName) {
  EXPECT_EQ(trusted_name(base + "/gone/x/.."), base + "/gone/parlance.toml");
  EXPECT_EQ(trusted_name("/gone/by/now"), "/gone/by/now/parlance.toml");
}

}  // namespace
}  // namespace parlance::app
