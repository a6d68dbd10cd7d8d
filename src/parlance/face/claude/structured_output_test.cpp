// SPDX-License-Identifier: Apache-2.0
// A host with a schema for answers, and an agent with valid, invalid or missing output.
#include "parlance/toolbox/structured_output.h"

#include <deque>

#include "parlance/face/claude/test_support.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/toolbox/limits.h"
#include "parlance/toolbox/tool_run.h"

namespace parlance::face {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct NoTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall& call) override {
    co_return fail(Errc::not_found, "there is no tool called " + call.tool);
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall&, hub::ToolHost) override {
    co_return hub::ToolOutcome{.state = hub::ToolEndState::failed};
  }
};

constexpr std::string_view person =
    R"({"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"]})";

struct StructuredAnswers : HubOverClaude {
  StructuredAnswers() {
    output = &structured;
    bench.script = [this](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
      prompts.push_back(prompt);
      return answer(turn);
    };
  }
  // A turn with the test's calls, then text.
  Task<Result<hub::StopReason>> answer(hub::Turn& turn) {
    std::vector<std::string> inputs;
    if (!turns.empty()) {
      inputs = turns.front();
      turns.pop_front();
    }
    for (std::string& input : inputs) {
      if (input == "another tool") {
        turn.emit(hub::event::ToolStart{.call = "c", .tool = "list_files"});
        turn.emit(hub::event::ToolEnd{"c", hub::ToolEndState::done});
        PARLANCE_CO_TRY_DO(co_await turn.written());
        co_await sleep_for(bench.loop, std::chrono::milliseconds(1));
        if (turn.cancelled()) co_return hub::StopReason::cancelled;
        continue;
      }
      hub::ToolCall call{.id = "c" + std::to_string(++calls), .tool = "StructuredOutput", .arguments_json = std::move(input)};
      co_await toolbox::announce_tool(turn, structured, call);
      PARLANCE_CO_TRY_DO(co_await toolbox::carry_out_tool(turn, structured, call));
      PARLANCE_CO_TRY_DO(co_await turn.written());
      co_await sleep_for(bench.loop, std::chrono::milliseconds(1));  // the model thinks
      if (turn.cancelled()) co_return hub::StopReason::cancelled;
    }
    turn.emit(hub::event::Text{"done"});
    co_return hub::StopReason::end_turn;
  }
  void wanted(std::string_view schema = person) {
    serve();
    const auto begin = [](claude::Host& host, claude::Initialize with) -> Task<void> {
      const auto done = co_await host.initialize(std::move(with));
      EXPECT_TRUE(done) << done.error().message;
    };
    scope.start(begin(*host, {.append_system_prompt = "Be brief.", .json_schema = {std::string(schema)}}));
    settle();
  }

  NoTools others;
  toolbox::StructuredOutput structured{others};
  std::deque<std::vector<std::string>> turns;
  std::vector<hub::Prompt> prompts;
  int calls = 0;
};

TEST_F(StructuredAnswers, ValidAnswerIsTheResult) {
  turns = {{R"({"name":"Anne","age":7})"}};
  wanted();
  prompt("who?");
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_TRUE(side.results[0].succeeded());
  EXPECT_EQ(side.results[0].structured_output.json, R"({"name":"Anne","age":7})");
  EXPECT_EQ(side.results[0].result, "done");
  EXPECT_TRUE(side.asked.empty()) << "an answer is not asked about";
  ASSERT_EQ(prompts.size(), 1U);
  EXPECT_THAT(*prompts[0].options.append_system,
              HasSubstr("Be brief.\n\nGive your final answer by calling the tool StructuredOutput"));
}

TEST_F(StructuredAnswers, TheToolIsOfferedWithTheSchemaOfTheHost) {
  EXPECT_TRUE(structured.list().empty());
  wanted(R"({"properties":{"a":{"type":"string"}}})");
  ASSERT_EQ(structured.list().size(), 1U);
  EXPECT_EQ(structured.list()[0].name, "StructuredOutput");
  EXPECT_EQ(structured.list()[0].parameters_json, R"({"properties":{"a":{"type":"string"}},"type":"object"})");
}

TEST_F(StructuredAnswers, InvalidAnswerIsReportedForCorrection) {
  turns = {{"[", R"({"name":7})", R"({"name":"Anne"})"}};
  wanted();
  prompt("who?");
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_EQ(side.results[0].structured_output.json, R"({"name":"Anne"})");
  EXPECT_THAT(side.ends, ElementsAre(hub::ToolEndState::failed, hub::ToolEndState::failed, hub::ToolEndState::done));
  EXPECT_THAT(side.lines, ::testing::Contains(HasSubstr("The answer does not fit the schema: /name: expected string, got 7")));
}

TEST_F(StructuredAnswers, TurnWithoutOutputContinues) {
  turns = {{}, {}, {R"({"name":"Anne"})"}};
  wanted();
  prompt("who?");
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_EQ(side.results[0].structured_output.json, R"({"name":"Anne"})");
  ASSERT_EQ(prompts.size(), 3U);
  EXPECT_EQ(prompts[2].text, "The answer is still missing: call StructuredOutput now, with the answer as its input.");
  EXPECT_EQ(side.results[0].num_turns, 4) << "of all of it: two texts, a call, a text";
}

TEST_F(StructuredAnswers, TheLastTryIsAWholeTurn) {
  turns = {{}, {}, {}, {}, {}, {"another tool", R"({"name":"Anne"})"}};
  wanted();
  prompt("who?");
  EXPECT_EQ(side.results.at(0).structured_output.json, R"({"name":"Anne"})");
}

TEST_F(StructuredAnswers, MissingOutputEndsInAnError) {
  wanted();
  prompt("who?");
  EXPECT_EQ(prompts.size(), 1U + limits::claude_structured_output_tries);
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_EQ(side.results[0].subtype, "error_max_structured_output_retries");
  EXPECT_TRUE(side.results[0].is_error);
  EXPECT_EQ(side.results[0].structured_output.json, "");
  EXPECT_THAT(side.results[0].errors.json, HasSubstr("No answer matched the schema in 5 tries"));
}

TEST_F(StructuredAnswers, EndlessRetriesAreStopped) {
  turns.emplace_back(20, R"({"name":null})");
  structured.set_most_tries(3);
  wanted();
  prompt("who?");
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_EQ(side.results[0].subtype, "error_max_structured_output_retries");
  EXPECT_THAT(side.results[0].errors.json, HasSubstr("in 3 tries; the last one: The answer does not fit"));
  EXPECT_EQ(side.results[0].terminal_reason, "structured_output_retry_exhausted");
  EXPECT_LE(calls, 4);
}

TEST_F(StructuredAnswers, EachPromptStartsAfresh) {
  turns = {{R"({"name":"Anne"})"}, {}, {}, {}, {}, {}, {}, {R"({"name":1})"}, {R"({"name":"Emily"})"}};
  wanted();
  for (const char* text : {"one", "two", "three"}) prompt(text);
  ASSERT_EQ(side.results.size(), 3U);
  EXPECT_EQ(side.results[0].structured_output.json, R"({"name":"Anne"})");
  EXPECT_EQ(side.results[1].subtype, "error_max_structured_output_retries");
  EXPECT_EQ(side.results[1].structured_output.json, "");
  EXPECT_EQ(side.results[2].structured_output.json, R"({"name":"Emily"})");
}

TEST_F(StructuredAnswers, WithoutASchemaNoOutputIsRequired) {
  serve();
  prompt("who?");
  EXPECT_EQ(prompts.size(), 1U);
  EXPECT_FALSE(prompts[0].options.append_system);
  EXPECT_EQ(side.results.at(0).structured_output.json, "");
}

TEST_F(StructuredAnswers, TheLimitOfTurnsHoldsForAllTriesTogether) {
  bench.script = [this](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
    prompts.push_back(std::move(prompt));
    turn.emit(hub::event::Text{"no"});
    co_return hub::StopReason::end_turn;
  };
  ASSERT_TRUE(structured.set_schema(person, "--json-schema"));
  serve(false, true, true, {.most_rounds = 2});
  prompt("who?");
  EXPECT_EQ(prompts.size(), 2U);
  EXPECT_EQ(side.results.at(0).subtype, "error_max_turns");
}

TEST_F(StructuredAnswers, ASchemaOfNoUseIsRefusedByName) {
  const auto reason = [&](std::string_view schema) {
    const auto set = structured.set_schema(schema, "--json-schema");
    return set ? "taken" : set.error().message;
  };
  EXPECT_THAT(reason("{"), HasSubstr("--json-schema: the schema is no JSON: "));
  EXPECT_EQ(reason("[]"), "--json-schema: the schema is no JSON object");
  EXPECT_EQ(
      reason(R"({"properties":{"a":{"$ref":"https://example.org/a.json"}}})"),
      R"(--json-schema: #/properties/a/$ref: "https://example.org/a.json" is another document, and none is fetched; put it below $defs)");
  EXPECT_THAT(reason(R"({"properties":{"a":{"pattern":"("}}})"),
              HasSubstr("--json-schema: #/properties/a/pattern: the pattern \"(\""));
  EXPECT_THAT(reason(R"({"type":"array"})"), HasSubstr("make the wanted value a member of an object"));
  EXPECT_FALSE(structured.wanted());
}

}  // namespace
}  // namespace parlance::face
