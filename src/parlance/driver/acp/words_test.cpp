// SPDX-License-Identifier: Apache-2.0
// ACP's words in those of the hub: modes by many names, options of three shapes, content of all sorts.
#include "parlance/driver/acp/words.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/driver/acp/presets.h"
#include "parlance/hub/conversation/agent_info.h"

namespace parlance::driver {
namespace {

TEST(AcpWords, OptionsOfEachShape) {
  const auto parsed = json::from_text<acp::ConfigOptions>(
      R"({"configOptions":[
          {"id":"model","name":"Model","category":"model","currentValue":"a","options":[{"value":"a","name":"A"},{"value":"b","name":"B","description":"d"}]},
          {"id":"g","name":"Grouped","currentValue":"x","options":[{"group":"one","name":"One","options":[{"value":"x","name":"X"}]}]},
          {"id":"web","name":"Web","type":"boolean","currentValue":true}]})");
  ASSERT_TRUE(parsed);
  const std::vector<hub::AgentOption> options = options_of(parsed->config_options);
  ASSERT_EQ(options.size(), 3U);
  EXPECT_EQ(options[0].category, "model");
  EXPECT_EQ(options[0].value, "a");
  EXPECT_EQ(options[0].values[1].description, "d");
  EXPECT_EQ(options[1].values.front().name, "One: X");
  EXPECT_EQ(options[2].kind, hub::OptionType::boolean);
  EXPECT_EQ(options[2].value, "true");
}

TEST(AcpWords, ModelsOfOlderAgentsAreAnOption) {
  const hub::AgentOption option = option_of(
      acp::SessionModels{.current_model_id = "m", .available_models = {{.model_id = "m"}, {.model_id = "n", .name = "N"}}});
  EXPECT_EQ(option.id, models_option);
  EXPECT_EQ(option.value, "m");
  EXPECT_EQ(option.values[0].name, "m");
  EXPECT_EQ(option.values[1].name, "N");
}

TEST(AcpWords, UsageStandsBesideTheStopReasonOrInMeta) {
  for (const char* json :
       {R"({"stopReason":"end_turn","usage":{"totalTokens":9,"inputTokens":7,"outputTokens":2,"cachedWriteTokens":4}})",
        R"({"stopReason":"end_turn","_meta":{"usage":{"inputTokens":7,"outputTokens":2,"cachedWriteTokens":4}}})"}) {
    const auto usage = usage_of(*json::from_text<acp::PromptResult>(json));
    ASSERT_TRUE(usage) << json;
    EXPECT_EQ(usage->input_tokens, 7U);
    EXPECT_EQ(usage->output_tokens, 2U);
    EXPECT_EQ(usage->cache_write_tokens, 4U);
  }
  EXPECT_FALSE(usage_of(*json::from_text<acp::PromptResult>(R"({"stopReason":"end_turn"})")));
}

TEST(AcpWords, TheEndOfATurn) {
  using acp::StopReason;
  const auto of = [](StopReason reason) { return stop_reason_of({.value = reason}); };
  EXPECT_EQ(of(StopReason::end_turn), hub::StopReason::end_turn);
  EXPECT_EQ(of(StopReason::max_tokens), hub::StopReason::max_tokens);
  EXPECT_EQ(of(StopReason::max_turn_requests), hub::StopReason::max_turns);
  EXPECT_EQ(of(StopReason::refusal), hub::StopReason::refusal);
  EXPECT_EQ(of(StopReason::cancelled), hub::StopReason::cancelled);
  EXPECT_EQ(stop_reason_of({.unknown = "bored"}), hub::StopReason::end_turn);
}

TEST(AcpWords, UsageInEachPlaceOfAReport) {
  EXPECT_FALSE(usage_of({}));
  EXPECT_FALSE(usage_of({.usage = acp::TurnUsage{}})) << "OpenCode reports zeros for a cancelled turn";
  const auto parsed = usage_of({.usage = acp::TurnUsage{.total_tokens = 7, .input_tokens = 5, .output_tokens = 2}});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->input_tokens, 5U);
  EXPECT_FALSE(usage_in_meta(""));
  EXPECT_FALSE(usage_in_meta(R"({"usage":{"tokens":1}})"));
  EXPECT_EQ(usage_in_meta(R"({"usage":{"inputTokens":-3,"outputTokens":2}})")->input_tokens, 0U);
}

TEST(AcpWords, ToolsAreNamedInManyPlaces) {
  EXPECT_EQ(tool_name_in_meta(R"({"toolName":"read_file"})"), "read_file");
  EXPECT_EQ(tool_name_in_meta(R"({"claudeCode":{"toolName":"Bash"}})"), "Bash");
  EXPECT_EQ(tool_name_in_meta("{}"), "");
  EXPECT_EQ(tool_name_in_meta("no toolName"), "");
}

TEST(AcpWords, ContentKeepsItsKind) {
  const auto parsed = json::from_text<std::vector<acp::ToolContent>>(
      R"([{"type":"content","content":{"type":"text","text":"x"}},{"type":"diff","path":"/a","oldText":null,"newText":"y"},
          {"type":"terminal","terminalId":"7"},{"type":"hologram"}])");
  ASSERT_TRUE(parsed);
  const auto shown = content_of(*parsed);
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(std::get<hub::ToolText>(shown[0]).text, "x");
  EXPECT_EQ(std::get<hub::Diff>(shown[1]).before, std::nullopt);
  EXPECT_EQ(std::get<hub::ToolTerminal>(shown[2]).terminal, "7");
  EXPECT_EQ(words_of(acp::Content{acp::EmbeddedResource{.resource = {.uri = "file:///a", .text = "inside"}}}), "inside");
  EXPECT_EQ(words_of(acp::Content{acp::AudioContent{.data = "AAAA", .mime_type = "audio/wav"}}), "[sound, audio/wav, 3 bytes]");
}

// Gemini CLI and OpenCode send an empty old text for a new file.
TEST(AcpWords, ADiffWithAnEmptyOldTextIsANewFile) {
  const auto parsed =
      json::from_text<std::vector<acp::ToolContent>>(R"([{"type":"diff","path":"/a","oldText":"","newText":"y"}])");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(std::get<hub::Diff>(content_of(*parsed).at(0)).before, std::nullopt);
}

TEST(AcpPresets, EachHasACommandAndAWayToGetIt) {
  for (const AcpPreset& preset : acp_presets()) {
    const AcpAgentSettings settings = settings_of(preset);
    EXPECT_FALSE(settings.command.empty() || settings.command.front().empty()) << preset.id;
    EXPECT_TRUE(settings.install.starts_with("npm install")) << preset.id;
    EXPECT_EQ(find_acp_preset(preset.id), &preset);
    EXPECT_EQ(settings.flavour == acp::Flavour::iflow, preset.id == "iflow");
  }
  EXPECT_EQ(find_acp_preset("unknown"), nullptr);
  EXPECT_EQ(settings_of(*find_acp_preset("iflow")).command,
            (std::vector<std::string>{"iflow", "--experimental-acp", "--stream"}));
}

}  // namespace
}  // namespace parlance::driver
