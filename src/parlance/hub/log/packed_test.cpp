// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/packed.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"

namespace parlance::hub {
namespace {

Conversation with_every_field() {
  return {{.id = "conv_1",
           .title = std::string(300, 't'),
           .agent = "claude",
           .folder = "/home/ann/code",
           .folders = {"/a", "/b"},
           .named = true,
           .mode = Mode::plan,
           .model = "sonnet",
           .think = true,
           .options = {{{.id = "effort",
                         .name = "Effort",
                         .description = "How much",
                         .category = "thought_level",
                         .kind = OptionType::choice,
                         .values = {{.value = "low", .name = "Low", .description = "Less"}, {.value = "high"}},
                         .value = "low"},
                        {.id = "web", .kind = OptionType::boolean, .value = "true"}}},
           .via = "http",
           .user = "user_1",
           .runner = "laptop",
           .agent_session = {.id = "session", .how = AgentSession::How::fork}},
          {.archived = false,
           .state = ConversationState::waiting,
           .open_asks = 3,
           .queued = {{.id = "p1",
                       .text = "later",
                       .options = PromptOptions{.most_rounds = 9, .system = "be brief", .append_system = ""},
                       .attachments = {{{.id = "a1", .media_type = "image/png", .name = "x.png", .bytes = 70'000, .url = "u"}}},
                       .context = {{{.path = "/f", .range = LineRange{.first = 1, .last = 200}, .text = "text"}}},
                       .by = "ann"},
                      {.id = "p2"}},
           .last_seq = 12'345'678'901,
           .created_at = "2026-03-09T00:00:00.000Z",
           .updated_at = "2026-03-09T00:00:01.000Z",
           .access = Access::team,
           .turn = "t1"}};
}

TEST(PackedConversation, ReturnsEveryField) {
  EXPECT_EQ(PackedConversation(with_every_field()).unpack(), with_every_field());
  EXPECT_EQ(PackedConversation(Conversation{}).unpack(), Conversation{});
  const PackedConversation packed(with_every_field());
  EXPECT_EQ(PackedConversation(packed).unpack(), packed.unpack());
}

TEST(PackedConversation, WaitsForBelongsToARunningTurn) {
  EXPECT_EQ(PackedConversation(Conversation{{}, {.waits_for = "model.silent 30"}}).unpack(), Conversation{});
}

TEST(PackedConversation, StartHasTheFirstFieldsWithoutACopy) {
  const PackedConversation packed(with_every_field());
  const PackedStart start = packed.start();
  EXPECT_EQ(packed.id(), "conv_1");
  EXPECT_EQ(start.id, "conv_1");
  EXPECT_EQ(start.updated_at, "2026-03-09T00:00:01.000Z");
  EXPECT_EQ(start.agent, "claude");
  EXPECT_EQ(start.agent_session, "session");
  EXPECT_EQ(start.how, AgentSession::How::fork);
  EXPECT_EQ(start.user, "user_1");
  EXPECT_EQ(start.via, "http");
  EXPECT_EQ(start.runner, "laptop");
  EXPECT_EQ(start.access, Access::team);
  EXPECT_EQ(start.turn, "t1");
  EXPECT_EQ(start.queued, 2U);
  EXPECT_TRUE(start.is_active());
  EXPECT_FALSE(PackedConversation(Conversation{{.id = "conv_2"}}).start().is_active());
}

struct PackedLists : ::testing::Test {
  static PackedConversation one(const std::string& id, const std::string& time) {
    return Conversation{{.id = id}, {.updated_at = time}};
  }
  std::vector<std::string> newest(std::string_view before = {}, std::size_t most = SIZE_MAX) const {
    std::vector<std::string> ids;
    all.visit_newest(before, [&](const PackedConversation& conversation) {
      if (ids.size() < most) ids.emplace_back(conversation.id());
      return ids.size() < most;
    });
    return ids;
  }
  using Ids = std::vector<std::string>;
  PackedConversations all;
};

TEST_F(PackedLists, VisitTheNewestFirst) {
  all.add_all({one("b", "2"), one("d", "1"), one("a", "2"), one("c", "3")});
  EXPECT_EQ(newest(), (Ids{"c", "b", "a", "d"}));
  EXPECT_EQ(newest("", 2), (Ids{"c", "b"}));
  EXPECT_EQ(newest("2 b"), (Ids{"a", "d"}));
  EXPECT_EQ(newest("2 aa"), (Ids{"a", "d"}));
  EXPECT_EQ(newest("1 d"), Ids{});
  EXPECT_EQ(newest("9 x"), newest());
}

TEST_F(PackedLists, TakeRemovesAndAddKeepsTheOrder) {
  all.add_all({one("a", "1"), one("b", "2"), one("c", "3")});
  ASSERT_NE(all.find("b"), nullptr);
  EXPECT_EQ(all.take("b")->id(), "b");
  EXPECT_FALSE(all.take("b").has_value());
  EXPECT_EQ(all.find("b"), nullptr);
  all.add(one("b", "4"));
  all.add(one("e", "0"));
  EXPECT_EQ(newest(), (Ids{"b", "c", "a", "e"}));
  EXPECT_EQ(all.size(), 4U);
}

}  // namespace
}  // namespace parlance::hub
