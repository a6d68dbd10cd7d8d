// SPDX-License-Identifier: Apache-2.0
// The hub for each role of a team: visibility, permissions, and names in the log.
#include "parlance/hub/user_hub.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_shared_store.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct UserHubs : ::testing::Test {
  UserHubs() {
    shared.team = std::make_shared<const Team>(Team{.users = {{.id = "user_ann", .name = "ann"},
                                                              {.id = "user_bob", .name = "bob"},
                                                              {.id = "user_root", .name = "root", .role = TeamRole::admin},
                                                              {.id = "user_vic", .name = "vic", .role = TeamRole::viewer}}});
    ++shared.version;
    loop.advance(10s);
  }
  UserHub of(const std::string& name, TeamRole role = TeamRole::member) {
    return {*station.hub, std::make_shared<const Caller>(Caller{.user = "user_" + name, .name = name, .role = role})};
  }
  template <class T>
  T get(Task<T> task) {
    return test::outcome_of(loop, std::move(task));
  }
  std::string conversation(UserHub whose, std::optional<Access> access = {}) {
    const auto made = get(whose.create({.agent = "scripted", .folder = "/project", .access = access}));
    PARLANCE_CHECK(made, "a conversation");
    loop.advance(1ms);
    return made->id;
  }
  template <class T>
  static Errc code_of(const Result<T>& result) {
    EXPECT_FALSE(result);
    return result ? Errc::internal : result.error().code;
  }
  std::vector<ChangePtr> received(Watcher& watcher) {
    return watcher.queued() == 0 ? std::vector<ChangePtr>{} : get(watcher.next());
  }
  template <class Event>
  const Event* last_of(const std::string& id) {
    const Event* found = nullptr;
    for (const hub::Event& event : shared.memory.logs[id])
      if (const auto* body = std::get_if<Event>(&event.body)) found = body;
    return found;
  }
  static Task<Result<StopReason>> asks_a_person(Turn& turn, Prompt) {
    PARLANCE_CO_TRY(
        answer, co_await turn.ask({.call = "c1",
                                   .tool = "run",
                                   .title = "make",
                                   .options = {{.id = "yes", .kind = OptionKind::allow_once},
                                               {.id = "always", .kind = OptionKind::allow_always}},
                                   .rules = {{.option = "always", .rule = {.effect = Effect::allow, .folder = "/project"}}}}));
    co_return answer.allowed() ? StopReason::end_turn : StopReason::refusal;
  }

  Loop loop{Loop::Time::virtual_};
  test::SharedMemory shared{loop};
  test::Station station{loop, shared, "a"};
};

TEST_F(UserHubs, PrivateConversationIsHiddenFromOthers) {
  UserHub ann = of("ann");
  UserHub bob = of("bob");
  const auto watcher = bob.watch();
  station.script = asks_a_person;
  const std::string id = conversation(ann);
  ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "the secret word"})));
  loop.advance(50ms);
  ASSERT_THAT(open_asks(ann), SizeIs(1));
  const std::string ask = open_asks(ann).front().id;

  EXPECT_THAT(bob.snapshot().conversations, IsEmpty());
  EXPECT_THAT(open_asks(bob), IsEmpty());
  EXPECT_THAT(received(*watcher), IsEmpty());
  EXPECT_EQ(bob.find(id), nullptr);
  EXPECT_EQ(bob.find_ask(ask), nullptr);
  EXPECT_EQ(bob.followed(id), nullptr);
  EXPECT_THAT(*get(bob.search("secret")), IsEmpty());
  EXPECT_THAT(*get(ann.search("secret")), SizeIs(1));
  // The error equals that of an unknown id.
  const auto nothing = get(bob.events("conv_none", 0, 0, 0));
  const auto hidden = get(bob.events(id, 0, 0, 0));
  EXPECT_EQ(code_of(hidden), Errc::not_found);
  EXPECT_EQ(hidden.error().message.substr(0, 22), nothing.error().message.substr(0, 22));
  EXPECT_EQ(get(bob.events<EventText>(id, 0, 0, 0)).error().message, hidden.error().message);
  EXPECT_EQ(code_of(get(bob.submit(id, SendPrompt{.text = "x"}))), Errc::not_found);
  EXPECT_EQ(code_of(bob.submit_at_once(id, StopTurn{})), Errc::not_found);
  EXPECT_EQ(code_of(get(bob.submit(id, RemoveConversation{}))), Errc::not_found);
  EXPECT_EQ(code_of(get(bob.submit(id, AnswerRequest{.request = ask}))), Errc::not_found);
  EXPECT_EQ(code_of(get(bob.submit(id, RepeatRequest{.request = ask}))), Errc::not_found);
  EXPECT_EQ(get(bob.conversation_of_ask(ask)).error().message, "no such ask: " + ask);
  EXPECT_EQ(get(ann.conversation_of_ask(ask)), id);
  EXPECT_EQ(code_of(get(Follower(bob, id, 0).next())), Errc::not_found);
}

TEST_F(UserHubs, AdminListsStopsAndDeletesAPrivateConversation) {
  test::Gate gate(loop);
  station.script = test::ends_after(gate);
  UserHub ann = of("ann");
  UserHub root = of("root", TeamRole::admin);
  const auto watcher = root.watch();
  const std::string id = conversation(ann);
  ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "the secret word"})));
  const auto rows = root.snapshot().conversations;
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].title + rows[0].folder, "");
  EXPECT_EQ(rows[0].user, "user_ann");
  for (const ChangePtr& change : received(*watcher))
    if (const auto* row = std::get_if<change::ConversationChanged>(&*change)) EXPECT_EQ(row->conversation->title, "");
  const auto read = get(root.events(id, 0, 0, 0));
  EXPECT_EQ(code_of(read), Errc::denied);
  EXPECT_EQ(code_of(get(root.events<EventText>(id, 0, 0, 0))), Errc::denied);
  EXPECT_THAT(read.error().message, HasSubstr("ann"));
  EXPECT_EQ(code_of(get(root.submit(id, SendPrompt{.text = "x"}))), Errc::denied);
  EXPECT_TRUE(root.submit_at_once(id, StopTurn{}));
  EXPECT_TRUE(get(root.submit(id, RemoveConversation{})));
  EXPECT_THAT(ann.snapshot().conversations, IsEmpty());
}

TEST_F(UserHubs, TeamConversationIsAnsweredByOthersWithNames) {
  UserHub ann = of("ann");
  UserHub bob = of("bob");
  station.script = asks_a_person;
  const std::string id = conversation(ann, Access::team);
  ASSERT_TRUE(get(bob.submit(id, SendPrompt{.text = "make it"})));
  loop.advance(50ms);
  const auto asks = open_asks(bob);
  ASSERT_THAT(asks, SizeIs(1));
  EXPECT_EQ(code_of(get(of("vic", TeamRole::viewer)
                            .submit(asks[0].conversation, AnswerRequest{.request = asks[0].id,
                                                                        .answer = {.digest = asks[0].digest, .option = "yes"}}))),
            Errc::denied);
  ASSERT_TRUE(get(
      bob.submit(asks[0].conversation,
                 AnswerRequest{.request = asks[0].id, .answer = {.digest = asks[0].digest, .option = "yes", .by = "terminal"}})));
  EXPECT_EQ(last_of<event::UserMessage>(id)->by, "bob");
  EXPECT_EQ(last_of<event::AskSettled>(id)->by, "bob") << "whatever the face says";
  EXPECT_EQ(code_of(get(bob.submit(id, ChangeSettings{{.mode = Mode::yolo}}))), Errc::denied);
  EXPECT_EQ(code_of(get(bob.submit(id, RemoveConversation{}))), Errc::denied);
}

TEST_F(UserHubs, AlwaysRuleAppliesToItsUserAndAGuestsToTheConversation) {
  UserHub ann = of("ann");
  UserHub bob = of("bob");
  station.script = asks_a_person;
  const auto always = [&](UserHub by, const std::string& id) {
    EXPECT_TRUE(get(ann.submit(id, SendPrompt{.text = "make"})));
    loop.advance(50ms);
    const auto asks = open_asks(by);
    EXPECT_THAT(asks, SizeIs(1));
    EXPECT_TRUE(
        get(by.submit(asks.front().conversation,
                      AnswerRequest{.request = asks.front().id, .answer = {.digest = asks.front().digest, .option = "always"}})));
    loop.advance(50ms);
    return ann.snapshot().rules.front();
  };
  const std::string id = conversation(ann, Access::team);
  const Rule own = always(ann, id);
  EXPECT_EQ(own.user, "user_ann");
  EXPECT_EQ(own.conversation, std::nullopt);
  const Rule guests = always(bob, id);
  EXPECT_EQ(guests.user, "user_ann");
  EXPECT_EQ(guests.conversation, id);
  EXPECT_THAT(bob.snapshot().rules, IsEmpty());
  EXPECT_EQ(code_of(get(bob.revoke(own.id))), Errc::not_found);
  EXPECT_TRUE(get(ann.revoke(own.id)));
}

TEST_F(UserHubs, AccessChangesAddAndRemoveForWatchersToo) {
  UserHub ann = of("ann");
  UserHub bob = of("bob");
  const std::string id = conversation(ann);
  const auto watcher = bob.watch();
  ASSERT_TRUE(get(ann.submit(id, ChangeSettings{{.access = Access::view}})));
  const auto opened = received(*watcher);
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_TRUE(std::holds_alternative<change::Resync>(*opened[0]));
  EXPECT_THAT(bob.snapshot().conversations, SizeIs(1));
  EXPECT_EQ(code_of(get(bob.submit(id, SendPrompt{.text = "x"}))), Errc::denied);
  Follower follower(bob, id, 0);
  EXPECT_TRUE(get(follower.next()));
  ASSERT_TRUE(get(ann.submit(id, ChangeSettings{{.access = Access::private_}})));
  EXPECT_EQ(code_of(get(follower.next())), Errc::not_found);
  EXPECT_THAT(received(*watcher), SizeIs(1));
  EXPECT_THAT(bob.snapshot().conversations, IsEmpty());
}

// A runner's agent: conversations act with the rights of its account.
class AnnsProvider final : public AgentProvider {
 public:
  explicit AnnsProvider(test::Station& station) : inner_(station.script, station.log) {}
  AgentInfo info() const override {
    AgentInfo info = inner_.info();
    info.id = "box/scripted";
    info.user = "user_ann";
    return info;
  }
  Task<Result<FilesFound>> find_files(FilesWanted wanted) override { co_return FilesFound{.paths = std::move(wanted.folders)}; }
  Task<Result<std::unique_ptr<Agent>>> open(SessionSetup setup, AgentHost host) override {
    return inner_.open(std::move(setup), host);
  }

 private:
  test::ScriptedProvider inner_;
};

TEST_F(UserHubs, RunnersAgentsAndSessionsBelongToTheirUser) {
  UserHub ann = of("ann");
  UserHub bob = of("bob");
  const auto watcher = bob.watch();
  station.hub->add_agent(std::make_unique<AnnsProvider>(station));
  EXPECT_THAT(ann.agents(), SizeIs(2));
  EXPECT_THAT(bob.agents(), SizeIs(1));
  EXPECT_THAT(bob.snapshot().agents, SizeIs(1));
  EXPECT_THAT(received(*watcher), IsEmpty());
  EXPECT_EQ(code_of(get(bob.create({.agent = "box/scripted", .folder = "/project"}))), Errc::not_found);
  EXPECT_EQ(code_of(get(bob.kept_sessions("box/scripted", "/project"))), Errc::not_found);
  EXPECT_TRUE(get(ann.create({.agent = "box/scripted", .folder = "/project"})));
  for (UserHub& user_hub : std::array{ann, bob}) {
    EXPECT_THAT(get(user_hub.kept_sessions("scripted", "/project")).error().message, HasSubstr("not available to a team"));
    EXPECT_THAT(get(user_hub.adopt({.agent = "scripted", .folder = "/project"}, "s1")).error().message,
                HasSubstr("not available to a team"));
  }
}

// Files of a runner's machine are visible to users who may prompt its agent.
TEST_F(UserHubs, RunnerFilesAreVisibleToPromptingUsers) {
  UserHub ann = of("ann");
  UserHub bob = of("bob");
  station.hub->add_agent(std::make_unique<AnnsProvider>(station));
  const std::string hers = get(ann.create({.agent = "box/scripted", .folder = "/project", .folders = {"/more"}}))->id;
  EXPECT_EQ(get(ann.find_files("box/scripted", {.folders = {"/other"}}))->paths, std::vector<std::string>{"/other"});
  EXPECT_EQ(code_of(get(bob.find_files("box/scripted", {.folders = {"/project"}}))), Errc::not_found);
  EXPECT_EQ(code_of(get(bob.find_files_of(hers, {}))), Errc::not_found) << "its existence is hidden from him";
  ASSERT_TRUE(get(ann.submit(hers, ChangeSettings{{.access = Access::view}})));
  EXPECT_EQ(code_of(get(bob.find_files_of(hers, {}))), Errc::denied);
  ASSERT_TRUE(get(ann.submit(hers, ChangeSettings{{.access = Access::team}})));
  EXPECT_EQ(get(bob.find_files_of(hers, {.folders = {"/etc"}}))->paths, (std::vector<std::string>{"/project", "/more"}));
  EXPECT_EQ(code_of(get(ann.find_files("scripted", {.folders = {"/project"}}))), Errc::unknown_method);
}

TEST_F(UserHubs, ViewerCreatesNothingAndAdminSetsLimits) {
  UserHub vic = of("vic", TeamRole::viewer);
  EXPECT_EQ(code_of(get(vic.create({.agent = "scripted", .folder = "/project"}))), Errc::denied);
  EXPECT_EQ(code_of(get(of("ann").set_spending_limits({.day_tokens = 5}))), Errc::denied);
  EXPECT_TRUE(get(of("root", TeamRole::admin).set_spending_limits({.day_tokens = 5})));
}

TEST_F(UserHubs, PersonOfTheMachineIsAUserInASharedStore) {
  UserHub person(*station.hub);
  const std::string hers = conversation(of("ann"));
  const std::string own = conversation(person);
  EXPECT_EQ(person.find(hers), nullptr);
  EXPECT_NE(person.find(own), nullptr);
  EXPECT_EQ(person.find(own)->user, std::nullopt);
  EXPECT_EQ(of("ann").find(own), nullptr);
}

}  // namespace
}  // namespace parlance::hub
