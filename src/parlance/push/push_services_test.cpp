// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/push_services.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::push {
namespace {

PushServices known() { return *PushServices::parse(known_services); }

TEST(PushServices, TheBrowsersOwnAreKnown) {
  for (const char* endpoint :
       {"https://fcm.googleapis.com/fcm/send/abc:APA91b_-x", "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d%3d", "https://web.push.apple.com/QGuQ"}) {
    const auto checked = known().check(endpoint);
    ASSERT_TRUE(checked) << endpoint << ": " << checked.error().message;
    EXPECT_EQ(checked->url, endpoint);
    EXPECT_FALSE(checked->named);
  }
  EXPECT_EQ(known().check("https://fcm.googleapis.com/x")->origin, "https://fcm.googleapis.com");
}

TEST(PushServices, NothingElseIsSpokenTo) {
  for (const char* endpoint :
       {"http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x", "https://evil.example/x", "https://push.apple.com/x",
        "https://fcm.googleapis.com.evil.example/x", "https://xfcm.googleapis.com/x", "https://evilpush.apple.com/x",
        "https://127.0.0.1/x", "https://localhost/x", "https://10.0.0.1/x", "https://2130706433/x", "https://0x7f.1/x"}) {
    const auto checked = known().check(endpoint);
    ASSERT_FALSE(checked) << endpoint;
    EXPECT_EQ(checked.error().code, Errc::denied) << endpoint;
  }
}

TEST(PushServices, AnAmbiguousAddressIsRefused) {
  for (const char* endpoint :
       {"https://fcm.googleapis.com@evil.example/x", "https://evil.example\\@fcm.googleapis.com/x", "https://fcm.googleapis.com",
        "https://FCM.googleapis.com/x", "https://[::1]/x", "https://fcm.googleapis.com:/x", "https://fcm.googleapis.com:00443/x",
        "https://fcm.googleapis.com /x", "https://fcm.googleapis.com/\r\nHost: x", "https:///x", "//fcm.googleapis.com/x",
        "file:///etc/passwd", "https://fcm.googleapis.com%2f/x", "https://.fcm.googleapis.com/x", ""}) {
    EXPECT_FALSE(known().check(endpoint)) << endpoint;
  }
}

TEST(PushServices, AnOriginThatAPersonNamesMayLieAnywhere) {
  const auto own = PushServices::parse("https://push.example:8443  http://127.0.0.1:4711");
  ASSERT_TRUE(own);
  EXPECT_TRUE(own->check("https://push.example:8443/a")->named);
  EXPECT_TRUE(own->check("http://127.0.0.1:4711/b")->named);
  EXPECT_FALSE(own->check("http://127.0.0.1:4712/b"));
  EXPECT_FALSE(own->check("https://push.example/a"));
  EXPECT_FALSE(own->check("https://fcm.googleapis.com/a")) << "the list is replaced, not added to";
}

TEST(PushServices, AnEntryThatIsNoneIsNamed) {
  for (const char* pattern : {"*", "*.com.", "localhost", "ftp://push.example", "10.0.0.1", "push.example/path"}) {
    const auto parsed = PushServices::parse(pattern);
    ASSERT_FALSE(parsed) << pattern;
    EXPECT_THAT(parsed.error().message, testing::HasSubstr(pattern));
  }
}

}  // namespace
}  // namespace parlance::push
