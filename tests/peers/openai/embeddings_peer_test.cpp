// SPDX-License-Identifier: Apache-2.0
// OpenAI's own JavaScript client, and Node's fetch, against our embedding service with its built-in embedder (embeddings.mjs).
#include <array>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/process/child_process.h"
#include "parlance/server/embed/embed_over_http.h"
#include "parlance/server/embed/embedder_on_worker.h"
#include "tests/peers/peers_folder.h"

namespace parlance::service {
namespace {

Task<std::string> everything(ByteStream& stream) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto count = co_await read_some(stream, buffer);
    if (!count || *count == 0) co_return text;
    text.append(buffer.data(), *count);
  }
}

TEST(OpenAiPeer, TheOfficialClientEmbeds) {
  const std::string package = test::peers_folder() + "/openai/node_modules/openai";
  for (const std::string& needed : {package, test::newer_node()})
    if (!std::filesystem::exists(needed)) GTEST_SKIP() << "no " << needed << ": scripts/peers.sh install openai mcp-conformance";
  Loop loop;
  server::EmbedderOnWorker embedder(loop);
  server::EmbedOverHttp service(loop, embedder, {.listen = {.host = "127.0.0.1", .port = 0}});
  ASSERT_TRUE(service.start());
  auto child =
      ChildProcess::start(loop, {.command = {test::newer_node(), PARLANCE_SOURCE_DIR "/tests/peers/openai/embeddings.mjs"},
                                 .set = {{"BASE", "http://127.0.0.1:" + std::to_string(service.port())}, {"OPENAI", package}}});
  ASSERT_TRUE(child) << child.error().message;
  const auto output = (*child)->take_stream();
  const std::string printed = loop.block_on(everything(*output));
  for (const char* check :
       {"the_client_reads_what_it_asks_for", "floats_and_base64_are_the_same_vector", "the_client_knows_our_errors",
        "many_at_once", "the_deployed_services_addresses", "errors_are_json_with_a_status"})
    EXPECT_THAT(printed, testing::HasSubstr("ok " + std::string(check) + "\n"));
  if (HasFailure()) ADD_FAILURE() << printed << (*child)->stderr_tail();
  EXPECT_GE(service.statistics().requests, 200U);  // that those which come at once share calls: embed_batcher_test
}

}  // namespace
}  // namespace parlance::service
