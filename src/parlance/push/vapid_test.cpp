// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/vapid.h"

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/base64url.h"
#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"

namespace parlance::push {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

struct Folder {
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string path = (fs::temp_directory_path() / make_id("parlance-push-")).string();
  const std::string key = path + "/push_key";
};

TEST(PushKey, IsMadeOnceAndForThisUserAlone) {
  const Folder folder;
  const auto made = keep_push_key(folder.path);
  ASSERT_TRUE(made) << made.error().message;
  struct stat status{};
  ASSERT_EQ(::stat(folder.key.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(keep_push_key(folder.path).value().public_key(), made->public_key());
}

TEST(PushKey, ThatOthersCanReadIsNotUsed) {
  const Folder folder;
  ASSERT_TRUE(keep_push_key(folder.path));
  fs::permissions(folder.key, fs::perms::group_read, fs::perm_options::add);
  const auto again = keep_push_key(folder.path);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("chmod 600 " + folder.key));
}

TEST(PushKey, AnInvalidKeyNamesTheRemedy) {
  const Folder folder;
  std::ofstream(folder.key) << "no key\n";
  fs::permissions(folder.key, fs::perms::owner_read | fs::perms::owner_write);
  const auto read = keep_push_key(folder.path);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("remove the file"));
}

json::Value part(const std::string& authorization, std::size_t at) {
  const std::string token = authorization.substr(8, authorization.find(',') - 8);
  return json::parse_or_null(from_base64url(split(token, '.')[at]).value_or(""));
}

TEST(Vapid, ATokenIsForOneServiceAndServesForHours) {
  Vapid vapid(P256Key::generate().value(), "mailto:someone@example.org");
  const WallTime now = *from_rfc3339("2026-03-09T12:00:00Z");
  const std::string header = vapid.authorization("https://push.example", now).value();
  EXPECT_THAT(header, HasSubstr(", k=" + vapid.public_key()));
  EXPECT_EQ(json::to_text(part(header, 0)), R"({"typ":"JWT","alg":"ES256"})");
  EXPECT_EQ(json::to_text(part(header, 1)),
            R"({"aud":"https://push.example","exp":1773100800,"sub":"mailto:someone@example.org"})");
  EXPECT_EQ(vapid.authorization("https://push.example", now + std::chrono::hours(10)).value(), header);
  EXPECT_NE(vapid.authorization("https://push.example", now + std::chrono::hours(11)).value(), header) << "renewed in time";
  EXPECT_NE(vapid.authorization("https://other.example", now).value(), header);
}

TEST(Vapid, WithoutContactNoSubjectIsNamed) {
  Vapid vapid(P256Key::generate().value(), "");
  EXPECT_THAT(json::to_text(part(vapid.authorization("https://push.example", {}).value(), 1)), testing::Not(HasSubstr("sub")));
}

}  // namespace
}  // namespace parlance::push
