// SPDX-License-Identifier: Apache-2.0
// Who may read the token, and when it is a new one.
#include "parlance/gateway/token_file.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/store/test_folder.h"

namespace parlance::gateway {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TokenFile : public testing::Test {
 protected:
  std::string state() const { return folder.path() + "/a/state"; }
  std::string file() const { return state() + "/token"; }
  static unsigned mode(const std::string& path) {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 0777U : 0U;
  }
  void put(std::string_view text, fs::perms mode = fs::perms(0600)) {
    fs::create_directories(state());
    std::ofstream(file()) << text;
    fs::permissions(file(), mode);
  }
  std::string error() { return resolve_token("auto", state()).error().message; }

  store::TestFolder folder;
};

TEST_F(TokenFile, IsMadeOnceForItsOwnerAlone) {
  const auto made = resolve_token("auto", state());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_GE(made->size(), 43U);
  EXPECT_EQ(mode(state()), 0700U);
  EXPECT_EQ(mode(file()), 0600U);
  const auto again = resolve_token("auto", state());
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *made);
  EXPECT_EQ(std::distance(fs::directory_iterator(state()), {}), 1) << "nothing is left beside it";
}

TEST_F(TokenFile, ATokenReadableForOthersIsRefused) {
  for (const int bits : {0640, 0604, 0660, 0644}) {
    put("abcdefghijklmnopqrstuvwxyz", fs::perms(bits));
    const auto refused = resolve_token("auto", state());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::denied);
    EXPECT_THAT(refused.error().message, HasSubstr("chmod 600 " + file()));
  }
}

TEST_F(TokenFile, AnInvalidTokenIsRefused) {
  for (const std::string& text :
       {std::string("short"), std::string(), std::string("two words are not one token"), std::string(600, 'x')}) {
    put(text);
    EXPECT_THAT(error(), HasSubstr("no token in it"));
  }
  fs::remove(file());
  put("abcdefghijklmnopqrstuvwxyz");
  fs::rename(file(), state() + "/elsewhere");
  fs::create_symlink(state() + "/elsewhere", file());
  EXPECT_FALSE(resolve_token("auto", state())) << "a link is not followed";
  EXPECT_TRUE(fs::is_symlink(file()));
}

// A person removes the file to get another token. With existing conversations, some program still has the old token.
TEST_F(TokenFile, AMissingTokenIsRemadeAndTheLogNamesItsUsers) {
  const std::string first = resolve_token("auto", state()).value_or("");
  fs::remove(file());
  testing::internal::CaptureStderr();
  const std::string second = resolve_token("auto", state()).value_or("");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "without conversations, no program has the old token";
  std::ofstream(state() + "/hub.db") << "conversations";
  fs::remove(file());
  testing::internal::CaptureStderr();
  const std::string third = resolve_token("auto", state()).value_or("");
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("the token was gone, and a new one is made"));
  EXPECT_THAT(log, HasSubstr(file()));
  EXPECT_THAT(log, testing::Not(HasSubstr(third)));
  EXPECT_EQ(std::set({first, second, third, std::string()}).size(), 4U) << "each is another";
  EXPECT_EQ(mode(file()), 0600U);
  EXPECT_EQ(kept_token(state()), third);
}

TEST_F(TokenFile, AGivenTokenLeavesNoFile) {
  EXPECT_EQ(resolve_token("given-by-the-person", state()).value_or(""), "given-by-the-person");
  EXPECT_FALSE(fs::exists(state()));
  for (const std::string& wrong :
       {std::string("short"), std::string("with blanks in between"), std::string("base64/with/slashes=="), std::string(513, 'x')})
    EXPECT_EQ(resolve_token(wrong, state()).error().code, Errc::invalid_params) << wrong;
}

// Several programs begin at once on a fresh machine, and all of them have to agree.
TEST_F(TokenFile, ConcurrentStartsGetTheSameToken) {
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    const std::string place = folder.path() + "/" + std::to_string(round);
    fs::create_directories(place);
    std::vector<std::string> tokens(8);
    {
      std::vector<std::jthread> threads;
      for (std::string& token : tokens)
        threads.emplace_back([&token, &place] { token = resolve_token("auto", place).value_or("none"); });
    }
    EXPECT_EQ(std::set(tokens.begin(), tokens.end()).size(), 1U);
    EXPECT_NE(tokens.front(), "none");
  }
}

TEST_F(TokenFile, AFolderOpenToOthersIsTightened) {
  fs::create_directories(state());
  fs::permissions(state(), fs::perms(0777));
  EXPECT_EQ(kept_token(state()), "") << "none yet, and none is made by looking";
  EXPECT_TRUE(fs::is_empty(state()));
  const auto token = resolve_token("auto", state());
  ASSERT_TRUE(token) << token.error().message;
  EXPECT_EQ(fs::status(state()).permissions(), fs::perms(0700));
  EXPECT_EQ(kept_token(state()), *token);
}

TEST_F(TokenFile, AnUnwritableFolderIsNamed) {
  std::ofstream(folder.path() + "/a") << "a file in the way";
  EXPECT_THAT(error(), HasSubstr(state()));
}

}  // namespace
}  // namespace parlance::gateway
