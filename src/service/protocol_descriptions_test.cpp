#include "service/protocol_descriptions.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace parlance::service {
namespace {

// docs/protocol is printed, never written: `parlance describe NAME > docs/protocol/NAME.md` mends this.
TEST(ProtocolDescriptions, TheDocumentsAreWhatTheProgramPrints) {
  for (const std::string name : {"gorpc", "page", "sqlite_bridge", "mcp", "sqlite_mcp"}) {
    std::ifstream file(std::string(PARLANCE_SOURCE_DIR) + "/docs/protocol/" + name + ".md");
    std::stringstream text;
    text << file.rdbuf();
    const auto printed = describe_protocol(name, "markdown");
    ASSERT_TRUE(printed);
    EXPECT_EQ(text.str(), *printed) << "stale: run `parlance describe " << name << " > docs/protocol/" << name << ".md`";
  }
}

// `parlance describe policy > docs/policy.md` mends this.
TEST(ProtocolDescriptions, ThePolicysDocumentIsWhatTheProgramPrints) {
  std::ifstream file(std::string(PARLANCE_SOURCE_DIR) + "/docs/policy.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), *describe_protocol("policy", "markdown")) << "stale: run `parlance describe policy > docs/policy.md`";
}

TEST(ProtocolDescriptions, EveryFormIsThereAndUnknownNamesAreTold) {
  EXPECT_NE(describe_protocol("gorpc", "typescript")->find("export interface ChatArgs {\n  Messages?: Message[];"),
            std::string::npos);
  EXPECT_NE(describe_protocol("page", "typescript")->find("{ type: 'prompt' }"), std::string::npos);
  EXPECT_NE(describe_protocol("gorpc", "schema")->find(R"("Messages":{"type":"array")"), std::string::npos);
  EXPECT_NE(describe_protocol("sqlite_bridge", "typescript")->find("export interface QueryResult"), std::string::npos);
  EXPECT_NE(describe_protocol("sqlite_bridge", "schema")->find(R"("sql":{"type":"string")"), std::string::npos);
  const auto mcp = describe_protocol("mcp", "typescript");
  for (const char* type : {"export type Content", "export interface CallToolParams {", "export interface CallToolResult {",
                           "export interface Tool {", "export interface InitializeResult {", "export interface ElicitParams {"})
    EXPECT_NE(mcp->find(type), std::string::npos) << type;
  const auto tools = describe_protocol("sqlite_mcp", "typescript");
  for (const char* type :
       {"export interface ReadQueryArguments {", "export interface WriteSchema {", "export interface SchemaInfo {"})
    EXPECT_NE(tools->find(type), std::string::npos) << type;
  EXPECT_NE(describe_protocol("", "markdown")->find("gorpc"), std::string::npos);
  EXPECT_NE(describe_protocol("smtp", "markdown").error().message.find("no protocol"), std::string::npos);
}

}  // namespace
}  // namespace parlance::service
