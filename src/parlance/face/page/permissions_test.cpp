// SPDX-License-Identifier: Apache-2.0
// Each page message with each role and access: the dispatcher refuses, the hub refuses, or the handler runs.
#include "parlance/face/page/permissions.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "parlance/face/page/test_support.h"
#include "parlance/hub/test_team.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using hub::Access;
using hub::Permission;
using hub::TeamRole;

struct PagePermissionsTest : hub::test::TeamOfTwo {
  PageServer server{loop, {.home = "/home/ann", .default_folder = "/tmp"}};
};

TEST_F(PagePermissionsTest, TheDispatcherRefusesAMessageWithoutPermission) {
  for (const TeamRole role : {TeamRole::viewer, TeamRole::member, TeamRole::admin})
    for (const bool own : {true, false})
      for (const Access access : {Access::private_, Access::view, Access::team}) {
        const std::string id = conversation(access);
        test::TestPage page(loop, server, of(own ? "ann" : "bob", role));
        page.ready();
        PagePermissions::each([&]<class Message>(Permission permission) {
          if constexpr (!std::same_as<Message, page::Ready>) {
            const std::string before = std::same_as<Message, page::ListMemories> ? R"("mem_1")" : "1";
            // The members of all messages together. A message ignores the members of others.
            const std::string number = page.request(
                Message::tag,
                R"("conversation":")" + id + R"(","after":0,"before":)" + before +
                    R"(,"agent":"scripted","folder":"/nonexistent","session":"s","text":"x","queued":"q",)"
                    R"("ask":"ask_none","digest":"","option":"o","value":"v","rule":"rule_none","words":"x","query":"x",)"
                    R"("id":"x","action":"pause","typed":"x","looking":true,"endpoint":"https://push.example/1","p256dh":"x","auth":"x","name":"x",)"
                    R"("connection":{"name":"x","vendor":"other","url":"x","dialect":"openai","model":""})");
            const auto patience = std::chrono::steady_clock::now() + 20s;
            while (page.answers_to(number) == 0 && std::chrono::steady_clock::now() < patience) {
              loop.advance(5ms);
              std::this_thread::yield();  // a worker thread looks up folders
            }
            const json::Value answer = page.answer(number);
            const std::string about = std::string(Message::tag) + " by " + std::string(hub::to_string(role)) + ", own " +
                                      std::to_string(own) + ", " + std::string(hub::to_string(access)) + ": " +
                                      json::to_text(answer);
            const bool is_of_conversation = static_cast<std::size_t>(permission) < hub::conversation_permissions;
            if (!hub::may_anywhere(role, permission)) {
              EXPECT_EQ(answer.text_or("code", ""), "denied") << about;
              EXPECT_EQ(answer.text_or("message", ""), hub::refusal_for(role, permission)) << about;
            } else if (is_of_conversation && !hub::may(role, own, access, permission) && !std::same_as<Message, page::Search>) {
              EXPECT_NE(answer.text_or("type", ""), "done") << about;
            } else {
              EXPECT_NE(answer.text_or("code", ""), "denied") << about;
            }
          }
        });
      }
}

}  // namespace
}  // namespace parlance::face
