// SPDX-License-Identifier: Apache-2.0
// Vercel's AI SDK and LangChain against our gateway (frameworks.mjs). Skipped without Node or the packages:
// scripts/peers.sh install openai-frameworks.
#include <array>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"
#include "parlance/process/child_process.h"
#include "tests/peers/peers_folder.h"

namespace parlance::service {
namespace {

Task<std::string> printed_by(ByteStream& stream) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto count = co_await read_some(stream, buffer);
    if (!count || *count == 0) co_return text;
    text.append(buffer.data(), *count);
  }
}

// Calls the one tool that it has to call.
Task<Result<model::Completion>> call_the_tool(const model::ChatRequest& request, model::ChunkSink&) {
  if (request.tools.size() != 1 || !request.parameters.must_call) co_return model::Completion{.content = "no forced tool"};
  co_return model::Completion{
      .tool_calls = {{.id = "call_1", .name = request.tools[0].name, .arguments = R"({"name":"Ann","age":7})"}},
      .stop = model::StopReason::tool_calls};
}

TEST(OpenAiFrameworksPeer, TheirStructuredAnswersWork) {
  const std::string packages = test::peers_folder() + "/openai-frameworks/node_modules";
  for (const std::string& needed : {packages, test::newer_node()})
    if (!std::filesystem::exists(needed))
      GTEST_SKIP() << "no " << needed << ": scripts/peers.sh install openai-frameworks mcp-conformance";
  app::test::GatewayBench bench;
  bench.agent.chat_script = call_the_tool;
  auto child = ChildProcess::start(
      bench.loop,
      {.command = {test::newer_node(), PARLANCE_SOURCE_DIR "/tests/peers/openai/frameworks.mjs"},
       .set = {{"BASE_URL", bench.url("/v1")}, {"TOKEN", std::string(app::test::test_token)}, {"PACKAGES", packages}}});
  ASSERT_TRUE(child) << child.error().message;
  const auto output = (*child)->take_stream();
  const std::string printed = bench.loop.block_on(printed_by(*output));
  for (const char* check : {"ai_sdk_generates_an_object", "ai_sdk_generates_an_object_in_json_mode", "ai_sdk_forces_a_tool",
                            "langchain_json_schema", "langchain_json_mode", "langchain_function_calling"})
    EXPECT_THAT(printed, testing::HasSubstr("ok " + std::string(check) + "\n"));
  if (HasFailure()) ADD_FAILURE() << printed << (*child)->stderr_tail();
}

}  // namespace
}  // namespace parlance::service
