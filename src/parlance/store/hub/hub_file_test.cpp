// SPDX-License-Identifier: Apache-2.0
// The hub's database: stored rows, the state after kill -9, errors of a damaged file.
#include "parlance/store/hub/hub_file.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/store/hub/hub_fork.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/store/test_folder.h"

namespace parlance::store {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using namespace hub;

std::shared_ptr<const Conversation> conversation(std::string id) {
  return std::make_shared<const Conversation>(
      Conversation{{.id = std::move(id), .agent = "a", .folder = "/f"},
                   {.created_at = "2026-01-01T00:00:00.000Z", .updated_at = "2026-01-01T00:00:00.000Z"}});
}
Event text(std::uint64_t seq, std::string said = "x") {
  return {.seq = seq, .time = "t", .body = event::Text{.text = std::move(said)}};
}

TEST(HubFile, KeepsConversationsEventsAsksAndRules) {
  TestFolder folder;
  {
    HubFile file(folder.path());
    Conversation row = *conversation("c1");
    row.turn = "t1";
    row.agent_session = {.id = "native", .how = AgentSession::How::fork};
    row.queued = {{.id = "q", .text = "next"}};
    ASSERT_TRUE(
        file.commit({.conversation = std::make_shared<const Conversation>(row),
                     .events_of = "c1",
                     .events = {text(1, "a"), text(2, "b")},
                     .asks = {{.id = "a1", .conversation = "c1", .title = "T", .answers = {{"x", "y"}}, .expires_at = "later"},
                              {.id = "a2", .conversation = "c1", .title = "T", .state = AskState::answered}},
                     .rules = {{.id = "r1",
                                .effect = Effect::allow,
                                .label = "L",
                                .created_at = "t",
                                .agent = "a",
                                .conversation = "c1",
                                .folder = "/f",
                                .tool = "run",
                                .path_prefix = "/f/x",
                                .command_words = {"npm", "test"}},
                               {.id = "r2", .label = "later"}}}));
    ASSERT_TRUE(file.commit({.events_of = "c1", .events = {text(3, "c")}, .removed_rules = {"none"}}));
  }
  HubFile file(folder.path());
  const auto stored = file.load();
  ASSERT_TRUE(stored) << stored.error().message;
  ASSERT_EQ(stored->conversations.size(), 1U);
  EXPECT_EQ(stored->conversations[0].unpack().last_seq, 3U);
  EXPECT_EQ(stored->conversations[0].unpack().turn, "t1");
  EXPECT_EQ(stored->conversations[0].unpack().agent_session, (AgentSession{.id = "native", .how = AgentSession::How::fork}));
  EXPECT_EQ(stored->conversations[0].unpack().queued.size(), 1U);
  ASSERT_EQ(stored->asks.size(), 1U);
  EXPECT_EQ(stored->asks[0].answers, (std::vector<std::vector<std::string>>{{"x", "y"}}));
  EXPECT_EQ(stored->asks[0].expires_at, "later");
  ASSERT_EQ(stored->rules.size(), 2U);
  EXPECT_EQ(stored->rules[0].id, "r2") << "the newest first";
  EXPECT_EQ(stored->rules[1].command_words, (std::vector<std::string>{"npm", "test"}));
  EXPECT_EQ(stored->rules[1].path_prefix, "/f/x");
  EXPECT_EQ((*file.ask("a2"))->state, AskState::answered);
  EXPECT_FALSE(*file.ask("a3"));
  const auto seqs = [&](std::uint64_t after, std::uint64_t before, std::size_t limit) {
    std::string line;
    const auto events = file.events("c1", after, before, limit);
    for (const Event& event : *events) line += std::to_string(event.seq);
    return line;
  };
  EXPECT_EQ(seqs(0, UINT64_MAX, 0), "123");
  EXPECT_EQ(seqs(1, UINT64_MAX, 0), "23");
  EXPECT_EQ(seqs(0, 3, 1), "2") << "the newest below";
  ASSERT_TRUE(file.remove_conversation("c1"));
  EXPECT_TRUE(file.load()->conversations.empty());
  EXPECT_TRUE(file.load()->asks.empty());
  EXPECT_EQ(file.load()->rules.size(), 1U);
  EXPECT_TRUE(file.events("c1", 0, UINT64_MAX, 0)->empty());
}

TEST(HubFile, CommitIsAtomic) {
  TestFolder folder;
  HubFile file(folder.path());
  ASSERT_TRUE(file.commit({.conversation = conversation("c1"), .events_of = "c1", .events = {text(1)}}));
  const auto gap =
      file.commit({.conversation = conversation("c2"), .events_of = "c1", .events = {text(3)}, .rules = {{.id = "r"}}});
  EXPECT_EQ(gap.error().code, Errc::internal);
  EXPECT_EQ(file.commit({.events_of = "c9", .events = {text(1)}}).error().code, Errc::not_found);
  EXPECT_FALSE(file.commit({.events_of = "c1", .events = {text(2), text(4)}}));
  EXPECT_EQ(file.load()->conversations.size(), 1U);
  EXPECT_TRUE(file.load()->rules.empty());
  EXPECT_TRUE(file.commit({.events_of = "c1", .events = {text(2)}}));
}

TEST(HubFile, FilesArePrivate) {
  TestFolder folder;
  const std::string state = folder.path() + "/deep/state";
  HubFile file(state);
  ASSERT_TRUE(file.commit({.conversation = conversation("c1")}));
  EXPECT_EQ(fs::status(state).permissions(), fs::perms(0700));
  int checked = 0;
  for (const auto& entry : fs::directory_iterator(state)) {
    EXPECT_EQ(fs::status(entry).permissions(), fs::perms(0600)) << entry.path();
    ++checked;
  }
  EXPECT_GE(checked, 4) << "database, -wal, -shm, lock";
}

TEST(HubFile, ASecondHubIsKeptOut) {
  TestFolder folder;
  HubFile first(folder.path());
  ASSERT_TRUE(first.load());
  HubFile second(folder.path());
  const auto refused = second.load();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("(process " + std::to_string(::getpid()) + ")"), std::string::npos)
      << refused.error().message;
}

// The kernel releases the lock of a killed hub a moment after its end.
TEST(HubFile, TheLockOfAHubThatEndsNowIsAwaited) {
  TestFolder folder;
  auto first = std::make_unique<HubFile>(folder.path());
  ASSERT_TRUE(first->load());
  const std::jthread ends([&] {
    std::this_thread::sleep_for(50ms);
    first.reset();
  });
  HubFile second(folder.path());
  const auto opened = second.load();
  EXPECT_TRUE(opened) << opened.error().message;
}

TEST(HubFile, ADamagedEventHasNoText) {
  for (const char* const damage : {"substr(body, 1, length(body) - 1)", "replace(body, '\"seq\":2', '\"seq\":3')", "''"}) {
    TestFolder folder;
    ASSERT_TRUE(
        HubFile(folder.path()).commit({.conversation = conversation("c1"), .events_of = "c1", .events = {text(1), text(2)}}));
    {
      auto db = sqlite::Database::open(folder.path() + "/hub.db");
      ASSERT_TRUE(db && (*db)->execute("UPDATE events SET body = " + std::string(damage) + " WHERE seq = 2"));
    }
    HubFile file(folder.path());
    const auto texts = file.event_texts("c1", 0, UINT64_MAX, 0);
    ASSERT_FALSE(texts) << damage;
    EXPECT_EQ(texts.error().message, "event 2 of c1 is damaged in the store");
    EXPECT_EQ(file.event_texts("c1", 0, 2, 0)->size(), 1U);
  }
}

TEST(HubFile, DamagedFileErrorNamesTheRemedy) {
  TestFolder folder;
  { std::ofstream(folder.path() + "/hub.db") << std::string(5000, 'x'); }
  HubFile file(folder.path());
  const auto damaged = file.load();
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find("is damaged"), std::string::npos);
  EXPECT_NE(damaged.error().message.find(".recover"), std::string::npos);
  fs::remove(folder.path() + "/hub.db");
  EXPECT_TRUE(file.load()) << "the next call tries again";
}

TEST(HubFile, ANewerSchemaIsNotTouched) {
  TestFolder folder;
  {
    auto db = sqlite::Database::open(folder.path() + "/hub.db");
    ASSERT_TRUE((*db)->execute("PRAGMA user_version=99"));
  }
  HubFile file(folder.path());
  EXPECT_NE(file.load().error().message.find("newer parlance (schema 99"), std::string::npos);
}

// ---- kill -9 ---------------------------------------------------------------------------------------------------------------

// The child: appends events and asks at full speed, and acknowledges commits through the pipe.
[[noreturn]] void write_until_killed(const std::string& folder, int acknowledged) {
  HubFile file(folder);
  const auto stored = file.load();
  if (!stored) ::_exit(3);
  std::uint64_t seq = stored->conversations.empty() ? 0 : stored->conversations[0].unpack().last_seq;
  for (std::uint64_t round = 0;; ++round) {
    Commit change{.events_of = "c1"};
    if (seq == 0) change.conversation = conversation("c1");
    const std::uint64_t count = 1 + round % 7;
    for (std::uint64_t i = 0; i < count; ++i) change.events.push_back(text(++seq, std::string(round % 300, 'x')));
    if (round % 3 == 0) {
      const Ask ask{.id = "ask_" + std::to_string(seq), .conversation = "c1", .title = "T"};
      change.events.back().body = event::ToolConfirmation{.ask = ask};
      change.asks.push_back(ask);
    }
    const std::uint64_t asks = change.asks.size();
    if (!file.commit(change)) ::_exit(4);
    const std::uint64_t acknowledgement[2] = {seq, asks};
    if (::write(acknowledged, acknowledgement, sizeof acknowledgement) != sizeof acknowledgement) ::_exit(5);
  }
}

TEST(HubFile, AcknowledgedCommitsSurviveAKill) {
  TestFolder folder;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::uint64_t asks_acknowledged = 0;
  for (int round = 0; round < 15; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) write_until_killed(folder.path(), ends[1]);
    ::close(ends[1]);
    // The kill follows a random acknowledgement, during the next commit.
    std::uint64_t acknowledgement[2] = {0, 0};
    std::uint64_t last = 0;
    const unsigned kill_at = 1 + random() % 60;
    for (unsigned i = 0; ::read(ends[0], acknowledgement, sizeof acknowledgement) == sizeof acknowledgement; ++i) {
      last = acknowledgement[0];
      asks_acknowledged += acknowledgement[1];
      if (i + 1 == kill_at) ::kill(child, SIGKILL);
    }
    ::close(ends[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "exit " << WEXITSTATUS(status);

    HubFile file(folder.path());
    const auto stored = file.load();
    ASSERT_TRUE(stored) << stored.error().message;
    ASSERT_GE(stored->conversations.at(0).unpack().last_seq, last) << "an acknowledged event is missing";
    const auto events = *file.events("c1", 0, UINT64_MAX, 0);
    ASSERT_EQ(events.size(), stored->conversations[0].unpack().last_seq);
    std::set<std::string> shown;
    for (std::size_t i = 0; i < events.size(); ++i) {
      ASSERT_EQ(events[i].seq, i + 1) << "a gap";
      if (const auto* card = std::get_if<event::ToolConfirmation>(&events[i].body)) shown.insert(card->ask.id);
    }
    ASSERT_GE(stored->asks.size(), asks_acknowledged);
    ASSERT_EQ(stored->asks.size(), shown.size()) << "a row without a card, or a card without a row";
    asks_acknowledged = stored->asks.size();  // commits written without an acknowledgement count from now on
  }
}

// ---- with the hub --------------------------------------------------------------------------------------------------------

class OneAsk final : public Agent {
 public:
  Task<Result<StopReason>> prompt(Turn& turn, Prompt) override {
    turn.emit(event::ToolStart{.call = "call_1", .tool = "run", .title = "git log", .input_json = R"({"command":"git log"})"});
    PARLANCE_CO_TRY(
        answer,
        co_await turn.ask(
            {.call = "call_1",
             .tool = "run",
             .intent = ToolIntent{.kind = ToolKind::execute, .title = "git log", .command = "git log", .look = CommandLook{}}}));
    turn.emit(event::ToolEnd{.call = "call_1", .state = answer.allowed() ? ToolEndState::done : ToolEndState::rejected});
    co_return StopReason::end_turn;
  }
  void cancel() override {}
  Task<Result<void>> set_mode(Mode) override { co_return Result<void>{}; }
  Task<Result<void>> set_model(std::string) override { co_return Result<void>{}; }
  Task<Result<void>> set_think(bool) override { co_return Result<void>{}; }
  Task<void> close() override { co_return; }
};
class OneAskProvider final : public AgentProvider {
 public:
  AgentInfo info() const override { return {.id = "asks", .name = "Asks"}; }
  Task<Result<std::unique_ptr<Agent>>> open(SessionSetup, AgentHost) override { co_return std::make_unique<OneAsk>(); }
};

TEST(HubFile, KeepsFoldersAndTheTitlesAuthor) {
  TestFolder folder;
  HubFile file(folder.path());
  Conversation row = *conversation("c1");
  row.folders = {"/g", "/h"};
  row.named = true;
  ASSERT_TRUE(file.commit({.conversation = std::make_shared<const Conversation>(row)}));
  const auto stored = file.load();
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->conversations[0].unpack().folders, (std::vector<std::string>{"/g", "/h"}));
  EXPECT_TRUE(stored->conversations[0].unpack().named);
}

// The format of the previous version: a prefix in the session's name, no folders, no author of the title.
TEST(HubFile, AnUnreleasedSchemaIsRefusedUnchanged) {
  TestFolder folder;
  const std::string path = folder.path() + "/hub.db";
  {
    auto db = sqlite::Database::open(path);
    ASSERT_TRUE(db);
    ASSERT_TRUE((*db)->execute("CREATE TABLE conversations(id); PRAGMA user_version=5"));
  }
  const auto refused = HubFile(folder.path()).load();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "cannot open the database " + path +
                                         ": a version before the first release made it (schema 5, this program reads from 6 on). "
                                         "The file is unchanged: move it away, or choose another state folder");
  EXPECT_EQ(newest_conversation(folder.path()).error().message, refused.error().message) << "also without a hub";
  auto db = sqlite::Database::open_to_read(path);
  ASSERT_TRUE(db);
  auto rows = (*db)->query("SELECT count(*) FROM sqlite_schema");
  ASSERT_TRUE(rows && *rows->step());
  EXPECT_EQ(rows->integer(0), 1);
}

TEST(HubSqlite, ConversationContinuesInAnotherHub) {
  TestFolder folder;
  std::string id;
  std::string first_ask;
  {
    Loop loop;
    HubSqlite store(loop, folder.path());
    Hub hub(loop, store);
    hub.add_agent(std::make_unique<OneAskProvider>());
    ASSERT_TRUE(loop.block_on(hub.start()));
    id = loop.block_on(hub.create({.agent = "asks", .folder = "/f"}))->id;
    const auto watcher = hub.watch();
    ASSERT_TRUE(loop.block_on(hub.submit(id, hub::SendPrompt{.text = "build it"})));
    while (open_asks(hub).empty()) (void)loop.block_on(watcher->next());
    first_ask = open_asks(hub)[0].id;
  }
  Loop loop;
  HubSqlite store(loop, folder.path());
  Hub hub(loop, store);
  hub.add_agent(std::make_unique<OneAskProvider>());
  ASSERT_TRUE(loop.block_on(hub.start()));
  ASSERT_EQ(open_asks(hub).size(), 1U);
  EXPECT_EQ(open_asks(hub)[0].state, AskState::orphaned);
  const auto watcher = hub.watch();
  ASSERT_TRUE(loop.block_on(hub.submit(id, hub::RepeatRequest{.request = first_ask})));
  const auto open_ask = [&]() -> const Ask* {
    for (const Ask& ask : open_asks(hub))
      if (ask.state == AskState::open) return hub.find_ask(ask.id);
    return nullptr;
  };
  while (open_ask() == nullptr) (void)loop.block_on(watcher->next());
  const Ask ask = *open_ask();
  ASSERT_TRUE(loop.block_on(hub.submit(
      ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = "allow_folder"}})));
  while (hub.find(id)->state != ConversationState::idle) (void)loop.block_on(watcher->next());
  EXPECT_EQ(hub.rules().at(0).label, "`git log`, for reading only, in /f");
  loop.block_on(hub.stop_all());
}

TEST(HubFile, KeepsAttachmentsWithTheirBytesAsLongAsTheirConversation) {
  TestFolder folder;
  const std::string data("\x89PNG\0\xff", 6);
  {
    HubFile file(folder.path());
    ASSERT_TRUE(
        file.commit({.conversation = conversation("c1"),
                     .events_of = "c1",
                     .attachments = {{.about = {.id = "a1", .media_type = "image/png", .name = "n", .bytes = 6}, .data = data},
                                     {.about = {.id = "a2", .media_type = "image/png", .url = "https://x/y"}}}}));
  }
  HubFile file(folder.path());
  const auto attachment = file.attachment("a1");
  ASSERT_TRUE(attachment && *attachment);
  EXPECT_EQ((*attachment)->data, data);
  EXPECT_EQ((*attachment)->about, (AttachmentInfo{.id = "a1", .media_type = "image/png", .name = "n", .bytes = 6}));
  EXPECT_EQ((*file.attachment("a2"))->about.url, "https://x/y");
  EXPECT_FALSE(*file.attachment("a3"));
  ASSERT_TRUE(file.commit({.removed_attachments = {"a2"}}));
  EXPECT_FALSE(*file.attachment("a2"));
  EXPECT_TRUE(*file.attachment("a1"));
  ASSERT_TRUE(file.remove_conversation("c1"));
  EXPECT_FALSE(*file.attachment("a1"));
}

}  // namespace
}  // namespace parlance::store
