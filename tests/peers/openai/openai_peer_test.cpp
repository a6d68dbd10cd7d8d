// SPDX-License-Identifier: Apache-2.0
// OpenAI's own JavaScript client against our gateway (client.mjs). Skipped where node or the package is not there:
// scripts/peers.sh install openai.
#include <array>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"
#include "parlance/base/text.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/process/child_process.h"
#include "parlance/server/embed/embed_over_http.h"
#include "parlance/server/embed/embedder_on_worker.h"
#include "tests/peers/peers_folder.h"

namespace parlance::service {
namespace {

using model::ChatRequest;
using model::ChunkSink;
using model::Completion;

std::string package_folder() { return test::peers_folder() + "/openai/node_modules/openai"; }

// Does what the last message says.
Task<Result<Completion>> obey(Loop& loop, const ChatRequest& request, ChunkSink& chunks, int& failures) {
  const model::Message& last = request.messages.back();
  if (last.role == model::Role::tool) co_return Completion{.content = "read: " + last.tool_results.at(0).content};
  const std::string& text = last.content;
  if (text.starts_with("read ")) {
    const std::string arguments = R"({"path":")" + text.substr(5) + "\"}";
    (void)chunks.on_chunk(model::ToolCallStart{.index = 0, .id = "call_1", .name = request.tools.at(0).name});
    for (const std::size_t half : {std::size_t{0}, arguments.size() / 2})
      (void)chunks.on_chunk(model::ToolCallDelta{
          .index = 0, .arguments = half == 0 ? arguments.substr(0, arguments.size() / 2) : arguments.substr(half)});
    co_return Completion{.tool_calls = {{.id = "call_1", .name = request.tools.at(0).name, .arguments = arguments}},
                         .stop = model::StopReason::tool_calls};
  }
  if (text == "attached") {
    std::string description;
    for (const model::Attachment& one : last.attachments)
      description +=
          (description.empty() ? "" : ", ") + one.media_type + (one.name.empty() ? "" : " " + one.name) + " " + one.data;
    co_return Completion{.content = description};
  }
  if (text == "fail") {
    ++failures;
    co_return fail(Errc::failed, "the model was told to fail");
  }
  if (text == "hang" || text == "break") {
    (void)chunks.on_chunk(model::TextDelta{.text = "and"});
    if (text == "break") co_return fail(Errc::failed, "the model was told to break");
    Signal never(loop);
    co_await never.wait();
  }
  Completion completion{.usage = {.input_tokens = 4}};
  for (const std::string_view word : split(text.substr(5), ' ')) {
    const std::string piece = (completion.content.empty() ? "" : " ") + std::string(word);
    (void)chunks.on_chunk(model::TextDelta{.text = piece});
    completion.content += piece;
    ++completion.usage.output_tokens;
  }
  co_return completion;
}

Task<std::string> read_all(ByteStream& stream) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto count = co_await read_some(stream, buffer);
    if (!count || *count == 0) co_return text;
    text.append(buffer.data(), *count);
  }
}

TEST(OpenAiPeer, TheOfficialClientWorks) {
  for (const std::string& needed : {package_folder(), test::newer_node()})
    if (!std::filesystem::exists(needed)) GTEST_SKIP() << "no " << needed << ": scripts/peers.sh install openai mcp-conformance";
  app::test::GatewayBench bench;
  int failures = 0;
  bench.agent.chat_script = [&](const ChatRequest& request, ChunkSink& chunks) {
    return obey(bench.loop, request, chunks, failures);
  };

  // An agent that runs a tool of its own.
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::Text{"I look."});
    turn.emit(hub::event::ToolStart{.call = "c1", .tool = "read_file", .title = "a.txt", .input_json = "{}"});
    turn.emit(hub::event::ToolEnd{.call = "c1"});
    turn.emit(hub::event::Text{"It says secret."});
    co_return hub::StopReason::end_turn;
  };
  bench.hub.add_agent(std::make_unique<hub::test::ScriptedProvider>(bench.script, bench.log));
  server::EmbedderOnWorker embedder(bench.loop);
  server::EmbedOverHttp embeddings(bench.loop, embedder, {.listen = {.host = "127.0.0.1", .port = 0}});
  ASSERT_TRUE(embeddings.start());
  bench.embed_url = embeddings.url();

  auto child = ChildProcess::start(
      bench.loop,
      {.command = {test::newer_node(), PARLANCE_SOURCE_DIR "/tests/peers/openai/client.mjs"},
       .set = {{"BASE_URL", bench.url("/v1")}, {"TOKEN", std::string(app::test::test_token)}, {"OPENAI", package_folder()}}});
  ASSERT_TRUE(child) << child.error().message;
  const auto output = (*child)->take_stream();
  const std::string printed = bench.loop.block_on(read_all(*output));
  for (const char* check : {"answers_at_once", "streams_pieces", "folds_a_stream_with_tool_calls",
                            "runs_tools_until_there_is_an_answer", "lists_models", "gets_an_agent_with_its_tools",
                            "sends_pictures_and_files", "embeds", "knows_our_errors", "stops_reading"})
    EXPECT_THAT(printed, testing::HasSubstr("ok " + std::string(check) + "\n"));
  if (HasFailure()) ADD_FAILURE() << printed << (*child)->stderr_tail();
  EXPECT_EQ(failures, 2) << "a chat that failed is not repeated, whatever the status";
  bench.until([&] { return bench.agent.running_chats == 0; });
}

}  // namespace
}  // namespace parlance::service
