// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/describe/protocol_descriptions.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"

namespace parlance::app {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(std::string(PARLANCE_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string document_of(std::string_view protocol) {
  const bool is_document = protocol == "policy" || protocol == "permissions";
  return (is_document ? "docs/" : "docs/protocol/") + std::string(protocol) + ".md";
}

TEST(ProtocolDescriptions, TheDocumentsAreWhatTheProgramPrints) {
  for (const std::string_view name : described_protocols())
    EXPECT_EQ(file_text(document_of(name)), *describe_protocol(std::string(name), "markdown"))
        << document_of(name) << " is stale. To write it anew: scripts/describe.sh";
}

TEST(ProtocolDescriptions, ThePagesTypesAreWhatTheProgramPrints) {
  EXPECT_EQ(file_text("apps/web/src/protocol.ts"), *describe_protocol("page", "typescript"))
      << "apps/web/src/protocol.ts is stale. To write it anew: scripts/describe.sh";
}

// Every protocol with messages has a document, and every document has a protocol.
TEST(ProtocolDescriptions, EveryProtocolIsDescribed) {
  namespace fs = std::filesystem;
  const auto names = described_protocols();
  const fs::path root = PARLANCE_SOURCE_DIR;
  std::size_t protocols = 0;
  for (const auto& folder : fs::directory_iterator(root / "src/parlance/protocol")) {
    if (!fs::exists(folder.path() / "messages.h")) continue;
    ++protocols;
    EXPECT_TRUE(std::ranges::find(names, folder.path().filename().string()) != names.end()) << folder.path();
  }
  EXPECT_GE(protocols, 5U);
  for (const auto& file : fs::directory_iterator(root / "docs/protocol"))
    EXPECT_TRUE(std::ranges::find(names, file.path().stem().string()) != names.end()) << file.path();
}

TEST(ProtocolDescriptions, EveryFormExistsAndUnknownNamesAreReported) {
  for (const std::string_view name : described_protocols()) {
    if (name == "policy" || name == "permissions") continue;  // documents, without messages
    const auto types = describe_protocol(std::string(name), "typescript");
    EXPECT_NE(types->find("export interface "), std::string::npos) << name;
    EXPECT_EQ(types->find("| Record<string, unknown>"), std::string::npos) << name;
    const auto schema = json::parse(*describe_protocol(std::string(name), "schema"));
    EXPECT_TRUE(schema && schema->object() != nullptr) << name;
  }
  EXPECT_NE(describe_protocol("gorpc", "typescript")->find("  Chat: { parameters: ChatArgs; reply: ChatReply };"),
            std::string::npos);
  EXPECT_NE(describe_protocol("gorpc", "schema")->find(R"({"Chat":{"parameters":{"type":"object","properties":{"Messages":)"),
            std::string::npos);
  EXPECT_NE(describe_protocol("", "markdown")->find("gorpc"), std::string::npos);
  EXPECT_NE(describe_protocol("smtp", "markdown").error().message.find("unknown protocol"), std::string::npos);
}

// Named types of the page's protocol are typed: conversations, events and asks are not `unknown` there.
TEST(ProtocolDescriptions, ThePageKnowsWhatIsStored) {
  const std::string types = *describe_protocol("page", "typescript");
  for (const char* part : {"  events: Event[];", "  conversation: Conversation;", "  | TurnEndEvent;", "  kind: 'tool_start';",
                           "  input: unknown;", "  open: OpenedValue;", "  close: undefined;", "  think?: boolean;"})
    EXPECT_NE(types.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace parlance::app
