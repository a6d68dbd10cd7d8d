// SPDX-License-Identifier: Apache-2.0
// A partially lost state is an error, and never counts as empty.
#include "parlance/store/state_parts.h"

#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sys/mount.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/test_support.h"
#include "parlance/store/hub/hub_file.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/store/memory/memory_file.h"
#include "parlance/store/test_folder.h"

namespace parlance::store {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::shared_ptr<const hub::Conversation> conversation(std::string id) {
  return std::make_shared<const hub::Conversation>(hub::Conversation{{.id = std::move(id), .agent = "a", .folder = "/f"}});
}

TEST(StateParts, ADatabaseThatIsGoneIsNamedWithPlaceAndCure) {
  TestFolder folder;
  { ASSERT_TRUE(HubFile(folder.path()).commit({.conversation = conversation("c1")})); }
  ASSERT_TRUE(fs::remove(folder.path() + "/hub.db"));
  const auto loaded = HubFile(folder.path()).load();
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr(folder.path() + "/hub.db is gone"));
  EXPECT_THAT(loaded.error().message, HasSubstr("remove " + folder.path() + "/.hub.db.made"));
  EXPECT_FALSE(fs::exists(folder.path() + "/hub.db")) << "nothing was made in its place";
  ASSERT_TRUE(fs::remove(folder.path() + "/.hub.db.made"));
  EXPECT_TRUE(HubFile(folder.path()).load());
}

TEST(StateParts, ADatabaseThatIsEmptyIsNamed) {
  TestFolder folder;
  { ASSERT_TRUE(HubFile(folder.path()).load()); }
  fs::resize_file(folder.path() + "/hub.db", 0);
  EXPECT_THAT(HubFile(folder.path()).load().error().message, HasSubstr("hub.db is empty"));
}

// The write-ahead log of a killed program, copied without its database; and a state of a version without marks.
TEST(StateParts, AWriteAheadLogWithoutItsDatabaseIsNamed) {
  TestFolder killed;
  TestFolder copy;
  HubFile file(killed.path());
  ASSERT_TRUE(file.commit({.conversation = conversation("c1")}));
  ASSERT_GT(fs::file_size(killed.path() + "/hub.db-wal"), 0U);
  fs::copy_file(killed.path() + "/hub.db-wal", copy.path() + "/hub.db-wal");
  const auto loaded = HubFile(copy.path()).load();
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr(copy.path() + "/hub.db is gone, but " + copy.path() + "/hub.db-wal"));
  fs::copy_file(killed.path() + "/hub.db", copy.path() + "/hub.db");
  const auto whole = HubFile(copy.path()).load();
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->conversations.size(), 1U);
}

TEST(StateParts, AMemoryThatIsGoneIsNamed) {
  TestFolder folder;
  { ASSERT_TRUE(MemoryFile(folder.path()).put({{.text = "likes tea"}})); }
  ASSERT_TRUE(fs::remove(folder.path() + "/memory.db"));
  const auto found = MemoryFile(folder.path()).stats();
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("memory.db is gone"));
}

// A private disk of one mebibyte; no value without the permission to mount.
struct SmallDisk {
  explicit SmallDisk(const std::string& at) : path(at) {
    fs::create_directories(path);
    mounted = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
              ::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=1m,mode=0700") == 0;
  }
  ~SmallDisk() {
    if (mounted) ::umount2(path.c_str(), MNT_DETACH);
  }
  void fill() const {
    std::ofstream ballast(path + "/ballast", std::ios::binary);
    const std::string block(4096, 'b');
    while (ballast.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {}
  }
  void make_room() const { fs::remove(path + "/ballast"); }
  std::string path;
  bool mounted = false;
};

TEST(FullDisk, AFailedPromptIsAbsentWhenThereIsRoomAgain) {
  TestFolder folder;
  const SmallDisk disk(folder.path() + "/state");
  if (!disk.mounted) GTEST_SKIP() << "no disk of our own can be mounted here";
  hub::test::Script script = [](hub::Turn&, hub::Prompt) -> Task<Result<hub::StopReason>> {
    co_return hub::StopReason::end_turn;
  };
  hub::test::AgentLog agents;
  Loop loop;
  HubSqlite store(loop, disk.path);
  hub::Hub hub(loop, store);
  hub.add_agent(std::make_unique<hub::test::ScriptedProvider>(script, agents));
  ASSERT_TRUE(loop.block_on(hub.start()));
  const std::string id = loop.block_on(hub.create({.agent = "scripted", .folder = "/f"}))->id;
  const std::string page(32 << 10, 'x');
  disk.fill();
  const auto failed = loop.block_on(hub.submit(id, hub::SendPrompt{.text = "lost " + page}));
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("free space on its disk"));
  ASSERT_FALSE(hub.services().empty());
  EXPECT_EQ(hub.services().front().state, hub::Health::down) << "which /health and the page show";
  EXPECT_THAT(hub.services().front().detail, HasSubstr("no space is left"));
  disk.make_room();
  ASSERT_TRUE(loop.block_on(hub.submit(id, hub::SendPrompt{.text = "kept " + page})))
      << "a client with a failed operation repeats it";
  const auto watcher = hub.watch();
  while (hub.find(id)->state != hub::ConversationState::idle) static_cast<void>(loop.block_on(watcher->next()));
  EXPECT_EQ(hub.services().front().state, hub::Health::ready);
  loop.block_on(hub.stop_all());
  std::size_t prompts = 0;
  for (const hub::Event& event : *loop.block_on(store.events(id, 0, UINT64_MAX, 0)))
    if (const auto* said = std::get_if<hub::event::UserMessage>(&event.body)) {
      ++prompts;
      EXPECT_TRUE(said->text.starts_with("kept"));
    }
  EXPECT_EQ(prompts, 1U);
}

}  // namespace
}  // namespace parlance::store
