#include "service/protocol_descriptions.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace parlance::service {
namespace {

// docs/protocol is printed, never written: `parlance describe NAME > docs/protocol/NAME.md` mends this.
TEST(ProtocolDescriptions, TheDocumentsAreWhatTheProgramPrints) {
  for (const std::string name : {"gorpc", "page", "sqlite_bridge"}) {
    std::ifstream file(std::string(PARLANCE_SOURCE_DIR) + "/docs/protocol/" + name + ".md");
    std::stringstream text;
    text << file.rdbuf();
    const auto printed = describe_protocol(name, "markdown");
    ASSERT_TRUE(printed);
    EXPECT_EQ(text.str(), *printed) << "stale: run `parlance describe " << name << " > docs/protocol/" << name << ".md`";
  }
}

TEST(ProtocolDescriptions, EveryFormIsThereAndUnknownNamesAreTold) {
  EXPECT_NE(describe_protocol("gorpc", "typescript")->find("export interface ChatArgs {\n  Messages?: Message[];"),
            std::string::npos);
  EXPECT_NE(describe_protocol("page", "typescript")->find("{ type: 'prompt' }"), std::string::npos);
  EXPECT_NE(describe_protocol("gorpc", "schema")->find(R"("Messages":{"type":"array")"), std::string::npos);
  EXPECT_NE(describe_protocol("sqlite_bridge", "typescript")->find("export interface QueryResult"), std::string::npos);
  EXPECT_NE(describe_protocol("sqlite_bridge", "schema")->find(R"("sql":{"type":"string")"), std::string::npos);
  EXPECT_NE(describe_protocol("", "markdown")->find("gorpc"), std::string::npos);
  EXPECT_NE(describe_protocol("smtp", "markdown").error().message.find("no protocol"), std::string::npos);
}

}  // namespace
}  // namespace parlance::service
