// SPDX-License-Identifier: Apache-2.0
// Claude Code at a gateway with a team's PostgreSQL, played by a script (tests/peers/claude/fake_agent.mjs). Its memory is the
// memory of the conversation's user, and its environment names no database.
#include "tests/postgres/gateways.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ClaudeMemory : public GatewaysTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    memory_is_shared = true;
    gateway_flags = {"--claude-command", PARLANCE_NODE " " PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs"};
    gateway_environment = {{"FAKE_SCRIPT", "memory"}, {"FAKE_LOG", path("claude.log")}};
    GatewaysTest::SetUp();
    if (IsSkipped()) return;
    one = start_gateway("one");
    for (const char* name : {"ann", "bob"}) {
      ASSERT_EQ(command({"users", "add", name}).code, 0);
      const Finished made = command({"tokens", "create", name});
      tokens[name] = made.out.substr(0, made.out.find('\n'));
      token = tokens[name];
      until_observed([&] { return answer("GET", "v1/models").status == 200; }, "a gateway that knows the user");
    }
    tokens["machine"] = the_token;
  }
  Finished command(std::vector<std::string> words) { return parlance(std::move(words), "", {{"PARLANCE_STORE", store}}); }
  std::unique_ptr<PageClient> page_of(const std::string& name, const Gateway& where) {
    token = tokens.at(name);
    return page_at(where);
  }
  std::string conversation_with_claude(PageClient& page) {
    const std::string id = text_at(done(page, "new", R"("agent":"claude","folder":")" + work() + "\""), {"conversation", "id"});
    open(page, id);
    return id;
  }
  // The results reported by Claude Code.
  std::string reply_to(PageClient& page, const std::string& id, const std::string& words) {
    const std::size_t before = page.count(id, "turn_end");
    prompt(page, id, words);
    until_turns(page, id, before + 1);
    return text_at(page.last(id, "text"), {"text"});
  }

  Gateway one;
  std::map<std::string, std::string> tokens;
};

TEST_F(ClaudeMemory, IsThatOfThePersonWhoseConversationItIs) {
  const auto anns = page_of("ann", one);
  const std::string of_ann = conversation_with_claude(*anns);
  EXPECT_THAT(reply_to(*anns, of_ann, "remember the zebra is called Ada"), HasSubstr("found the zebra is called Ada;"));
  for (const char* other : {"bob", "machine"}) {
    const auto page = page_of(other, one);
    EXPECT_THAT(reply_to(*page, conversation_with_claude(*page), "what is the zebra called?"), HasSubstr("found ;")) << other;
  }
  // At another gateway with the same agent.
  const Gateway two = start_gateway("two");
  const auto elsewhere = page_of("ann", two);
  EXPECT_THAT(reply_to(*elsewhere, conversation_with_claude(*elsewhere), "what is the zebra called?"), HasSubstr("Ada"));

  const json::Value users = parsed(command({"users", "list", "--json"}).out);
  const Finished from_there = command({"memory", "list", "--user", text_at(users, {"0", "id"}), "--conversation", of_ann});
  EXPECT_THAT(from_there.out, HasSubstr("the zebra is called Ada")) << "so that she can ask why it is there";
}

TEST_F(ClaudeMemory, ForTheMessageOfAGuestIsClosed) {
  const auto anns = page_of("ann", one);
  const std::string id = conversation_with_claude(*anns);
  done(*anns, "set", R"("conversation":")" + id + R"(","access":"team")");
  const auto bobs = page_of("bob", one);
  until([&] { return bobs->conversations.contains(id); }, "the conversation");
  open(*bobs, id);
  EXPECT_THAT(reply_to(*bobs, id, "remember we meet on Monday"), Not(HasSubstr("Monday")));
  for (const char* person : {"ann", "bob"}) {
    token = tokens.at(person);
    EXPECT_THAT(answer("GET", "memory/list").body, Not(HasSubstr("Monday"))) << person;
  }
  EXPECT_THAT(reply_to(*anns, id, "remember we meet on Tuesday"), HasSubstr("Tuesday"))
      << "the user's own message opens it again";
}

TEST_F(ClaudeMemory, TheAgentReceivesNoDatabaseAddress) {
  const auto page = page_of("ann", one);
  EXPECT_THAT(reply_to(*page, conversation_with_claude(*page), "anything"), HasSubstr("store unknown"));
  const std::string log = read_file(path("claude.log"));
  EXPECT_THAT(log, AllOf(HasSubstr(R"(\"type\":\"sdk\",\"name\":\"memory\")"), Not(HasSubstr("postgresql")),
                         Not(HasSubstr("memory\",\"serve"))));
}

}  // namespace
}  // namespace parlance::test
