// SPDX-License-Identifier: Apache-2.0
// Attachments of a prompt: from the frontend to the store and to the agent.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using test::Bench;

Attachment picture(std::string data = "bytes") {
  return {.about = {.media_type = "image/png", .name = "a.png"}, .data = std::move(data)};
}

TEST(Attachments, AreStoredBeforeTheAgentStartsAndPartOfHistory) {
  Bench bench;
  std::vector<Attachment> seen;
  std::vector<std::size_t> in_history;
  bench.script = [&](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
    for (const AttachmentInfo& about : prompt.attachments) {
      PARLANCE_CO_TRY(one, co_await turn.attachment(about.id));
      seen.push_back(std::move(one));
    }
    PARLANCE_CO_TRY(history, co_await turn.history());
    in_history.push_back(history.front().attachments.size());
    EXPECT_EQ((co_await turn.attachment("none")).error().code, Errc::not_found);
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  std::vector<Attachment> two{picture(), {.about = {.media_type = "application/pdf", .url = "https://example.org/a.pdf"}}};
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "look", .attachments = two})));
  bench.loop.run_ready();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].data, "bytes");
  EXPECT_EQ(seen[0].about.name, "a.png");
  EXPECT_EQ(seen[0].about.bytes, 5U);
  EXPECT_EQ(seen[1].about.url, "https://example.org/a.pdf");
  EXPECT_NE(seen[0].about.id, seen[1].about.id);
  bench.crash();  // and in a hub with only the stored state
  bench.prompt(id, "once more");
  bench.loop.run_ready();
  EXPECT_EQ(in_history, (std::vector<std::size_t>{2, 2}));
  std::vector<bool> named;
  for (const Event& event : bench.store.logs[id])
    if (const auto* said = std::get_if<event::UserMessage>(&event.body)) named.push_back(said->attachments.has_value());
  EXPECT_EQ(named, (std::vector<bool>{true, false}));
}

TEST(Attachments, WaitInTheQueueWithTheirPromptAndNeedNoWords) {
  Bench bench;
  Signal go(bench.loop);
  std::vector<std::vector<AttachmentInfo>> given;
  bench.script = [&](Turn&, Prompt prompt) -> Task<Result<StopReason>> {
    given.push_back(prompt.attachments);
    if (given.size() == 1) co_await go.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "", .attachments = {picture()}})));
  ASSERT_EQ(bench.store.row(id).queued.size(), 1U);
  EXPECT_EQ(bench.store.row(id).queued[0].attachments->size(), 1U);
  go.notify_all();
  bench.loop.run_ready();
  ASSERT_EQ(given.size(), 2U);
  EXPECT_EQ(given[1].size(), 1U);
}

TEST(Attachments, AreRemovedWithAWithdrawnPrompt) {
  Bench bench;
  Signal go(bench.loop);
  bench.script = [&](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await go.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "one", .attachments = {picture()}})));
  const auto queued =
      bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "two", .attachments = {picture(), picture()}}));
  ASSERT_TRUE(queued);
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "three", .attachments = {picture()}})));
  EXPECT_EQ(bench.store.attachments.size(), 4U);
  bench.store.failing = true;
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(id, WithdrawPrompt{.prompt = queued->queued})));
  EXPECT_EQ(bench.store.attachments.size(), 4U);
  bench.store.failing = false;
  bench.loop.advance(limits::store_retry);
  bench.loop.run_ready();
  EXPECT_EQ(bench.store.attachments.size(), 4U) << "a failed operation has no effect";
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, WithdrawPrompt{.prompt = queued->queued})));
  EXPECT_EQ(bench.store.attachments.size(), 2U) << "of the running and the waiting prompt";
  ASSERT_EQ(bench.store.row(id).queued.size(), 1U);
  EXPECT_TRUE(bench.store.attachments.contains(bench.store.row(id).queued[0].attachments->front().id));
}

TEST(Attachments, AreBoundedInNumberAndSize) {
  Bench bench;
  const std::string id = bench.conversation();
  const auto prompt = [&](std::vector<Attachment> attachments) {
    return bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "look", .attachments = std::move(attachments)}));
  };
  EXPECT_EQ(prompt(std::vector<Attachment>(limits::prompt_attachments + 1, picture())).error().code, Errc::invalid_params);
  EXPECT_EQ(prompt({picture(std::string(limits::prompt_attachment_bytes, 'x')), picture()}).error().code, Errc::invalid_params);
  EXPECT_TRUE(bench.store.attachments.empty());
  EXPECT_TRUE(prompt({picture(std::string(limits::prompt_attachment_bytes, 'x'))}));
}

TEST(Attachments, AreStoredWithTheRepeatedPromptAfterAFailure) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.store.failing = true;
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "look", .attachments = {picture()}})));
  bench.store.failing = false;
  bench.loop.advance(limits::store_retry);
  bench.loop.run_ready();
  EXPECT_TRUE(bench.store.attachments.empty());
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "look", .attachments = {picture()}})));
  EXPECT_EQ(bench.store.attachments.size(), 1U);
  EXPECT_EQ(bench.trace(id).substr(0, 15), "turn_start user");
}

TEST(Attachments, AreReadableAndTitleAConversationWithoutText) {
  Bench bench;
  const std::string id = bench.conversation();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "", .attachments = {picture()}})));
  bench.loop.run_ready();
  EXPECT_EQ(bench.hub->find(id)->title, "a.png");
  const auto found = bench.loop.block_on(bench.hub->attachment(bench.store.attachments.begin()->first));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->data, "bytes");
  EXPECT_EQ(bench.loop.block_on(bench.hub->attachment("none")).error().code, Errc::not_found);
}

TEST(Attachments, MediaTypeContainsOnlyHeaderCharacters) {
  for (const char* good : {"image/png", "application/vnd.ms-excel", "text/x-c++", "image/svg+xml"})
    EXPECT_TRUE(is_media_type(good)) << good;
  for (const char* bad : {"", "image", "/png", "image/", "image/png; a=b", "image/png\r\nX: y", "a b/c", "a/b/c", "bild/größe"})
    EXPECT_FALSE(is_media_type(bad)) << bad;
  EXPECT_FALSE(is_media_type("a/" + std::string(300, 'b')));
}

}  // namespace
}  // namespace parlance::hub
