// SPDX-License-Identifier: Apache-2.0
// Content blocks of a prompt as text, context and attachments; options, and the effect of a choice.
#include "parlance/face/acp/prompt_content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/face/acp/options.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"

namespace parlance::face {
namespace {

using testing::HasSubstr;

TEST(AcpPrompt, LinksKeepTheirPositionInTheText) {
  const auto prompt = acp_prompt({acp::text("look at "),
                                  {acp::ResourceLink{.uri = "file:///w/a.txt", .name = "a.txt"}},
                                  acp::text(" and tell"),
                                  acp::text("twice")});
  ASSERT_TRUE(prompt);
  EXPECT_EQ(prompt->text, "look at [@a.txt](file:///w/a.txt) and tell\ntwice");
}

TEST(AcpPrompt, EmbeddedTextIsContextAndBytesAreAttached) {
  const auto prompt =
      acp_prompt({{acp::EmbeddedResource{.resource = {.uri = "file:///w/a%20b.txt", .text = "one"}}},
                  {acp::EmbeddedResource{.resource = {.uri = "file:///w/c.pdf", .mime_type = "application/pdf", .blob = "YWJj"}}},
                  {acp::ImageContent{.data = "YWJj", .mime_type = "image/png"}},
                  {acp::ImageContent{.mime_type = "image/png", .uri = "https://x/y.png"}}});
  ASSERT_TRUE(prompt) << prompt.error().message;
  ASSERT_EQ(prompt->context.size(), 1);
  EXPECT_EQ(prompt->context[0].path, "/w/a b.txt");
  EXPECT_EQ(prompt->context[0].text, "one");
  EXPECT_EQ(prompt->text, "[@a b.txt](file:///w/a%20b.txt)");
  ASSERT_EQ(prompt->attachments.size(), 3);
  EXPECT_EQ(prompt->attachments[0].about.name, "c.pdf");
  EXPECT_EQ(prompt->attachments[1].data, "abc");
  EXPECT_EQ(prompt->attachments[2].about.url, "https://x/y.png");
}

TEST(AcpPrompt, FaultsNameTheirPlace) {
  EXPECT_THAT(acp_prompt({acp::text("x"), {acp::ImageContent{.data = "?", .mime_type = "image/png"}}}).error().message,
              HasSubstr("$.prompt[1].data"));
  EXPECT_THAT(acp_prompt({{acp::AudioContent{.data = "YWJj", .mime_type = "audio/wav"}}}).error().message, HasSubstr("sound"));
  EXPECT_THAT(acp_prompt({{acp::EmbeddedResource{.resource = {.uri = "file:///a"}}}}).error().message,
              HasSubstr("neither text nor blob"));
  EXPECT_FALSE(acp_prompt({{wire::Other{}}}));
}

TEST(AcpPrompt, PathsBecomeAddressesAndComeBack) {
  for (const char* path : {"/w/a.txt", "/w/a b#c.txt", "/ü/ß"}) EXPECT_EQ(path_of_uri(uri_of_path(path)), path);
  EXPECT_EQ(path_of_uri("https://x/y"), "https://x/y");
  EXPECT_EQ(path_of_uri("file://host/w/a?x#y"), "/w/a");
}

TEST(AcpPrompt, UserMessageBecomesBlocks) {
  const auto blocks = acp_blocks("hi", {{.id = "att_1", .media_type = "image/png", .name = "p.png", .bytes = 7}},
                                 {{.path = "/w/a.txt", .text = "one"}, {.path = "/w/b.txt"}});
  std::string all;
  for (const acp::Content& block : blocks) all += json::to_text(block) + "\n";
  EXPECT_EQ(
      all,
      "{\"type\":\"text\",\"text\":\"hi\"}\n"
      "{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///w/a.txt\",\"text\":\"one\"}}\n"
      "{\"type\":\"resource_link\",\"uri\":\"file:///w/b.txt\",\"name\":\"b.txt\"}\n"
      "{\"type\":\"resource_link\",\"uri\":\"attachment:att_1\",\"name\":\"p.png\",\"mimeType\":\"image/png\",\"size\":7}\n");
}

struct AcpOptions : ::testing::Test {
  hub::AgentInfo agent{.id = "a",
                       .modes = {hub::Mode::default_, hub::Mode::plan},
                       .models = {"big", "small"},
                       .options = std::vector<hub::AgentOption>{{.id = "effort",
                                                                 .name = "Effort",
                                                                 .category = "thought_level",
                                                                 .values = {{.value = "low"}, {.value = "high"}},
                                                                 .value = "low"}}};
  hub::Conversation conversation{{.id = "c"}};
  std::string options_json(bool booleans = false) {
    std::string all;
    for (const acp::ConfigOption& option : acp_options(agent, conversation, booleans)) all += json::to_text(option) + "\n";
    return all;
  }
};

TEST_F(AcpOptions, AgentsOptionReplacesTheBuiltInOption) {
  EXPECT_THAT(options_json(), HasSubstr(R"("id":"mode")"));
  EXPECT_THAT(options_json(), HasSubstr(R"("id":"model")"));
  EXPECT_THAT(options_json(), HasSubstr(R"("currentValue":"default")")) << "no model is chosen";
  EXPECT_THAT(options_json(), HasSubstr(R"("id":"effort")"));
  EXPECT_THAT(options_json(), testing::Not(HasSubstr("thinking"))) << "effort is of the same category";
  agent.options.reset();
  EXPECT_THAT(
      options_json(),
      HasSubstr(R"("id":"thinking","name":"Thinking","category":"thought_level","type":"select","currentValue":"false")"));
  EXPECT_THAT(options_json(true), HasSubstr(R"("type":"boolean","currentValue":false})")) << "a boolean has no list of options";
}

TEST_F(AcpOptions, OptionChoiceMapsToAChange) {
  const auto mode = acp_choice(agent, conversation, "mode", R"("plan")");
  ASSERT_TRUE(mode);
  EXPECT_EQ(std::get<hub::ConversationChanges>(*mode).mode, hub::Mode::plan);
  EXPECT_EQ(std::get<hub::ConversationChanges>(*acp_choice(agent, conversation, "model", R"("big")")).model, "big");
  EXPECT_EQ(std::get<hub::ConversationChanges>(*acp_choice(agent, conversation, "model", R"("default")")).model, "");
  EXPECT_EQ(std::get<AgentOptionChosen>(*acp_choice(agent, conversation, "effort", R"("high")")).value, "high");
  for (const auto& [option, value] : {std::pair("mode", R"("yolo")"), {"model", R"("x")"}, {"other", "true"}, {"mode", "1"}})
    EXPECT_FALSE(acp_choice(agent, conversation, option, value)) << option;
  agent.options.reset();
  EXPECT_EQ(std::get<hub::ConversationChanges>(*acp_choice(agent, conversation, "thinking", "true")).think, true);
  EXPECT_EQ(std::get<hub::ConversationChanges>(*acp_choice(agent, conversation, "thinking", R"("false")")).think, false);
  EXPECT_FALSE(acp_choice(agent, conversation, "thinking", R"("much")"));
}

}  // namespace
}  // namespace parlance::face
