// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/subscriptions.h"

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/base64url.h"
#include "parlance/base/secret.h"

namespace parlance::push {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Kept {
  Kept() { std::filesystem::create_directory(path); }
  ~Kept() { std::filesystem::remove_all(path); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  Subscriptions open() { return {loop, path, *PushServices::parse("*.push.example")}; }
  Subscription browser(std::string name, std::string at = "/a") {
    return {.endpoint = "https://one.push.example" + at,
            .p256dh = to_base64url(P256Key::generate().value().public_key()),
            .auth = to_base64url(Bytes(16, 'x')),
            .name = std::move(name)};
  }
  const std::string path = (std::filesystem::temp_directory_path() / make_id("parlance-push-")).string();
  const std::string file = path + "/push_subscriptions.json";
  Loop loop;
};

TEST(PushSubscriptions, AreKeptForThisUserAlone) {
  Kept kept;
  Subscriptions all = kept.open();
  ASSERT_TRUE(all.load());
  EXPECT_THAT(all.all(), IsEmpty());
  ASSERT_TRUE(kept.loop.block_on(all.add(kept.browser("phone"))));
  struct stat status{};
  ASSERT_EQ(::stat(kept.file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  Subscriptions again = kept.open();
  ASSERT_TRUE(again.load());
  EXPECT_EQ(again.all(), all.all());
}

TEST(PushSubscriptions, TheSameEndpointIsTheSameBrowser) {
  Kept kept;
  Subscriptions all = kept.open();
  ASSERT_TRUE(kept.loop.block_on(all.add(kept.browser("phone"))));
  ASSERT_TRUE(kept.loop.block_on(all.add(kept.browser("phone, renamed"))));
  ASSERT_TRUE(kept.loop.block_on(all.add(kept.browser("laptop", "/b"))));
  ASSERT_THAT(all.all(), SizeIs(2));
  EXPECT_EQ(all.all().front().name, "phone, renamed");
  ASSERT_TRUE(kept.loop.block_on(all.remove(all.all().front().id)));
  EXPECT_THAT(all.all(), SizeIs(1));
  EXPECT_TRUE(kept.loop.block_on(all.remove("gone already")));
}

TEST(PushSubscriptions, AreRefusedWithTheReason) {
  Kept kept;
  Subscriptions all = kept.open();
  Subscription elsewhere = kept.browser("x");
  elsewhere.endpoint = "https://evil.example/x";
  EXPECT_EQ(kept.loop.block_on(all.add(elsewhere)).error().code, Errc::denied);
  Subscription without_key = kept.browser("x");
  without_key.p256dh = "AAAA";
  EXPECT_EQ(kept.loop.block_on(all.add(without_key)).error().code, Errc::invalid_params);
  for (std::size_t i = 0; i < most_subscriptions; ++i)
    ASSERT_TRUE(kept.loop.block_on(all.add(kept.browser("n", "/" + std::to_string(i)))));
  EXPECT_EQ(kept.loop.block_on(all.add(kept.browser("one too many", "/more"))).error().code, Errc::overloaded);
}

TEST(PushSubscriptions, AnInvalidFileNamesTheRemedy) {
  Kept kept;
  std::ofstream(kept.file) << "{";
  Subscriptions all = kept.open();
  const auto loaded = all.load();
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr(kept.file));
  EXPECT_THAT(loaded.error().message, HasSubstr("remove the file"));
}

}  // namespace
}  // namespace parlance::push
