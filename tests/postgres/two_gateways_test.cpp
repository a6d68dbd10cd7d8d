// Two gateways with one PostgreSQL: one works, the other waits, and takes over what it had.
#include <csignal>

#include "tests/postgres/server.h"
#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int lease_lost = 75;

class TwoGateways : public ConversationsTest {
 protected:
  void SetUp() override {
    PARLANCE_NEEDS_POSTGRES();
    store = postgres().new_database();
    std::filesystem::create_directories(work());
    agent = launch(with_program({"agent", "--agent-socket", socket(), "--state", path("agent-state"), "--rehearsal-pace-ms", "0"}));
  }
  std::unique_ptr<Program> gateway(const std::string& name) {
    return launch(with_program({"gateway", "--listen", "127.0.0.1:0", "--agent-socket", socket(), "--state", path(name), "--folder", work(),
                                "--lease", "2"}),
                  {{"PARLANCE_STORE", store}, {"PARLANCE_TOKEN", "the-token-of-this-test-is-long-enough"}});
  }
  bool is_ready(const Program& one) const {
    return std::ranges::any_of(one.lines, [](const std::string& line) { return line.contains("ready on "); });
  }
  void until_ready(Program& one) {
    until([&] { return is_ready(one) || one.ended(); }, "a gateway that is ready");
    if (one.ended()) throw std::runtime_error(one.errors);
    for (const std::string& line : one.lines)
      if (const std::size_t at = line.find("http://"); at != std::string::npos && line.contains("ready on ")) base = line.substr(at);
    if (!base.ends_with('/')) base += '/';
    token = "the-token-of-this-test-is-long-enough";
  }
  void until_waiting(Program& one) {
    until([&] { return one.errors.contains("this one waits") || one.ended(); }, "a gateway that waits");
    ASSERT_FALSE(one.ended()) << one.errors;
    EXPECT_FALSE(is_ready(one));
  }

  std::string store;
  std::unique_ptr<Program> agent;
};

TEST_F(TwoGateways, WhatAKilledOneHadGoesOnAtTheOther) {
  const auto first = gateway("first");
  until_ready(*first);
  until_agent();
  auto page = connect();
  const std::string id = new_conversation(*page);
  prompt(*page, id, "help");
  until_turns(*page, id, 1);
  const std::string said = page->text(id);
  prompt(*page, id, "write notes.txt hello");
  const json::Value ask = open_ask(*page);
  const auto second = gateway("second");
  until_waiting(*second);

  first->child().signal_group(SIGKILL);
  page.reset();
  const auto began = Clock::now();
  until_ready(*second);
  RecordProperty("milliseconds_to_take_over",
                 static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began).count()));
  page = connect();
  open(*page, id);
  EXPECT_THAT(page->text(id), testing::StartsWith(said));
  EXPECT_EQ(page->count(id, "turn_end"), 1U) << "its agent lives, so the turn goes on";
  ASSERT_TRUE(page->asks.contains(text_at(ask, {"id"})));
  EXPECT_EQ(text_at(page->asks[text_at(ask, {"id"})], {"state"}), "open");
  EXPECT_EQ(text_at(page->asks[text_at(ask, {"id"})], {"digest"}), text_at(ask, {"digest"}));
  EXPECT_FALSE(std::filesystem::exists(work() + "/notes.txt"));
  until_agent();
  done(*page, "answer", answer_to(ask, "allow_once"));
  until_turns(*page, id, 2);
  EXPECT_TRUE(std::filesystem::exists(work() + "/notes.txt"));
  EXPECT_EQ(page->count(id, "error"), 0U);
  const auto seqs = page->seqs(id);
  for (std::size_t i = 0; i < seqs.size(); ++i) ASSERT_EQ(seqs[i], static_cast<std::int64_t>(i + 1)) << "a gap";
}

TEST_F(TwoGateways, OneThatIsStoppedInGoodOrderHandsOverAtOnce) {
  const auto first = gateway("first");
  until_ready(*first);
  const auto second = gateway("second");
  until_waiting(*second);
  first->child().signal_group(SIGTERM);
  until([&] { return first->ended(); }, "the end of the first");
  EXPECT_EQ(first->child().exit_status()->code, 0);
  const auto began = Clock::now();
  until_ready(*second);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
  RecordProperty("milliseconds_to_take_over", static_cast<int>(took.count()));
  const auto health = answer("GET", "health");
  EXPECT_THAT(health.body, HasSubstr("no standby is synchronous"));
  EXPECT_THAT(health.body, Not(HasSubstr("the-token")));
  HttpRequest ready_question = request("GET", "ready");
  ready_question.headers.clear();
  EXPECT_EQ(send(ready_question)->status, 200);
}

TEST_F(TwoGateways, OneThatWasFrozenEndsWhenItWakesAndWritesNothing) {
  const auto first = gateway("first");
  until_ready(*first);
  auto page = connect();
  const std::string id = new_conversation(*page);
  const auto second = gateway("second");
  until_waiting(*second);
  ASSERT_EQ(::kill(first->child().pid(), SIGSTOP), 0);
  page.reset();
  until_ready(*second);
  ASSERT_EQ(::kill(first->child().pid(), SIGCONT), 0);
  until([&] { return first->ended(); }, "the end of the frozen one");
  EXPECT_EQ(first->child().exit_status()->code, lease_lost);
  EXPECT_THAT(first->errors, HasSubstr("the lease is lost"));
  page = connect();
  EXPECT_TRUE(page->conversations.contains(id));
  const Finished usage = parlance({"usage"}, "", {{"PARLANCE_STORE", store}});  // needs no lease
  EXPECT_EQ(usage.code, 0) << usage.errors;
  EXPECT_THAT(usage.out, HasSubstr("Nothing was used"));
}

// Its supervisor starts another, which waits as any second one does, and works when it is its turn.
TEST_F(TwoGateways, OneThatLostItsLeaseIsStartedAgainByUp) {
  const auto up = launch(with_program({"up", "--listen", "127.0.0.1:0", "--embed-listen", "127.0.0.1:0", "--agent-socket", path("up.sock"),
                                       "--state", path("up-state"), "--folder", work(), "--lease", "2", "--ready-file", ready_file()}),
                         {{"PARLANCE_STORE", store}, {"PARLANCE_TOKEN", "the-token-of-this-test-is-long-enough"}});
  until([&] { return !read_file(ready_file()).empty() || up->ended(); }, "the ready file");
  ready = parsed(read_file(ready_file()));
  const pid_t frozen = service_pid("gateway");
  ASSERT_NE(frozen, 0) << up->errors;
  const auto second = gateway("second");
  until_waiting(*second);
  ASSERT_EQ(::kill(frozen, SIGSTOP), 0);
  until_ready(*second);
  ::kill(frozen, SIGCONT);
  until([&] { return up->errors.contains("this one waits") || up->ended(); }, "another one that waits");
  ASSERT_FALSE(up->ended()) << up->errors;
  second->child().signal_group(SIGTERM);
  until([&] { return parsed(read_file(ready_file())) != ready || up->ended(); }, "the ready file to name the new process");
  EXPECT_FALSE(up->ended()) << up->errors;
  ready = parsed(read_file(ready_file()));
  EXPECT_NE(service_pid("gateway"), frozen);
}

TEST_F(TwoGateways, ThePasswordIsShownNowhere) {
  const std::string with_password = store.substr(0, store.find('@')) + ":geheim" + store.substr(store.find('@'));
  const Finished config = parlance({"config", "--origin"}, "", {{"PARLANCE_STORE", with_password}});
  EXPECT_THAT(config.out, HasSubstr("postgresql://parlance:***@"));
  EXPECT_THAT(config.out, HasSubstr("environment PARLANCE_STORE"));
  EXPECT_THAT(config.out, Not(HasSubstr("geheim")));
  const Finished doctor = parlance({"doctor"}, "", {{"PARLANCE_STORE", with_password}});
  EXPECT_THAT(doctor.out, HasSubstr("postgresql://parlance:***@"));
  EXPECT_THAT(doctor.out, HasSubstr("no standby is synchronous"));
  EXPECT_THAT(doctor.out, Not(HasSubstr("geheim")));
  const Finished nobody =
      parlance({"gateway", "--listen", "127.0.0.1:0"}, "", {{"PARLANCE_STORE", "postgresql://a:geheim@127.0.0.1:1/db"}});
  EXPECT_EQ(nobody.code, 1);
  EXPECT_THAT(nobody.errors, HasSubstr("postgresql://a:***@127.0.0.1:1/db"));
  EXPECT_THAT(nobody.errors, Not(HasSubstr("geheim")));
}

}  // namespace
}  // namespace parlance::test
