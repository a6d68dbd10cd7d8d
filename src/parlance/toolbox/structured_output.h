// SPDX-License-Identifier: Apache-2.0
// Structured output: a host of Claude Code requires an answer in the form of its schema (`--json-schema`, `jsonSchema` of
// initialize). The agent gets an additional tool, StructuredOutput, whose input is this answer. A mismatch is answered with its
// place and the expected value, so that the agent can try again. The host's server continues a turn without an answer
// (hub_over_claude).
//
// Wraps the other tools, which must outlive the object; absent without a schema. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/codec/schema/validator.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/toolbox/limits.h"

namespace parlance::toolbox {

inline constexpr std::string_view structured_output_tool = "StructuredOutput";

class StructuredOutput final : public hub::Tools {
 public:
  explicit StructuredOutput(hub::Tools& others) : others_(others) {}

  // `where`: a flag or a member, for the error. invalid_params: malformed JSON, not an object, or an unsupported schema.
  Result<void> set_schema(std::string_view schema_json, std::string_view where);
  void set_most_tries(std::uint32_t most) { most_tries_ = most; }

  // ---- one prompt of the host

  void begin();  // Discards the answer to the prompt before.
  bool wanted() const { return validator_.has_value(); }
  bool lacks_answer() const { return validator_ && !answer_; }
  // True: the permitted attempts failed. An attempt is a mismatched call, or a turn without an answer.
  bool failed() const { return lacks_answer() && tries_ >= most_tries_; }
  std::string ask_on();         // Counts an attempt; returns the text for the agent.
  std::string failure() const;  // In the words of 2.1.329, with the latest fault.
  const std::optional<json::Value>& answer() const { return answer_; }

  // ---- for the agent

  std::vector<hub::ToolSpec> list() const override;
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup& setup, const hub::ToolCall& call) override;
  std::optional<hub::ToolCall> edited(const hub::ToolCall& call, const hub::ToolIntent& intent, std::string_view text) override {
    return others_.edited(call, intent, text);
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) override;

  // Checks the input of a call against the schema and keeps it. Failed: the outcome names the faults, for the model.
  hub::ToolOutcome take(const hub::ToolCall& call);

 private:
  bool is_ours(const hub::ToolCall& call) const { return validator_ && call.tool == structured_output_tool; }

  hub::Tools& others_;
  std::optional<schema::Validator> validator_;
  std::string parameters_json_;
  std::uint32_t most_tries_ = limits::claude_structured_output_tries;
  std::uint32_t tries_ = 0;
  std::string last_wrong_;
  std::optional<json::Value> answer_;
};

// For the server of the host; null: the agent gives no structured output.
inline bool has_failed(const StructuredOutput* output) { return output != nullptr && output->failed(); }
hub::PromptOptions with_instruction(hub::PromptOptions options,
                                    const StructuredOutput* output);  // Additional instructions for the agent.
std::optional<std::string> ask_on(StructuredOutput* output);          // The answer is missing, and an attempt is left.
std::string answer_of(const StructuredOutput* output);                // JSON, or empty.

}  // namespace parlance::toolbox
