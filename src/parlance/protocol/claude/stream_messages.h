// SPDX-License-Identifier: Apache-2.0
// The lines of the conversation itself that we read or write field by field; any other is passed on as it stands (stream.h). Values; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/describe.h"

namespace parlance::claude {

using wire::field;
using wire::fields;

struct UserContent {
  std::string role = "user";
  wire::Raw content{};  // text, or a list of blocks
  static constexpr auto wire = fields(field<&UserContent::role>("role", "user; any other ends the agent."),
                                      field<&UserContent::content>("content", "Text, or content blocks."));
};
struct UserMessage {
  UserContent message{};
  wire::Nullable<std::string> parent_tool_use_id{};  // the SDK writes null; absent means the same
  std::optional<std::string> session_id{};
  std::optional<std::string> uuid{};
  std::optional<std::string> priority{};
  std::optional<bool> synthetic{};
  static constexpr auto wire =
      fields(field<&UserMessage::message>("message", "What is said."),
             field<&UserMessage::parent_tool_use_id>("parent_tool_use_id", "The call whose sub-agent it belongs to."),
             field<&UserMessage::session_id>("session_id", "Empty at the beginning."),
             field<&UserMessage::uuid>("uuid", "With one, newer agents tell what became of the message."),
             field<&UserMessage::priority>("priority", "now, next or later."),
             field<&UserMessage::synthetic>("isSynthetic", "Nobody typed it."));
};
struct Usage {
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  std::uint64_t cache_creation = 0;
  std::uint64_t cache_read = 0;
  static constexpr auto wire =
      fields(field<&Usage::input_tokens>("input_tokens", "Not from the cache.").or_default(),
             field<&Usage::cache_creation>("cache_creation_input_tokens", "Put into the cache.").or_default(),
             field<&Usage::cache_read>("cache_read_input_tokens", "Taken from the cache.").or_default(),
             field<&Usage::output_tokens>("output_tokens", "Written.").or_default());
};

struct TurnResult {
  std::string subtype{};
  bool is_error = false;
  std::optional<std::string> result{};
  wire::Raw structured_output{};
  std::optional<std::string> stop_reason{};
  std::optional<std::string> terminal_reason{};
  std::optional<std::int64_t> api_error_status{};
  std::optional<std::string> session_id{};
  std::optional<std::string> user_message_uuid{};
  std::optional<std::int64_t> duration_ms{};
  std::optional<std::int64_t> duration_api_ms{};
  std::optional<std::int64_t> num_turns{};
  std::optional<double> total_cost_usd{};
  std::optional<Usage> usage{};
  wire::Raw model_usage{};
  wire::Raw errors{};
  wire::Raw denials{};
  std::optional<std::string> uuid{};
  static constexpr auto wire = fields(
      field<&TurnResult::subtype>("subtype", "success, error_during_execution, error_max_turns, …"),
      field<&TurnResult::is_error>("is_error", "Also true for a success that is an API error.").or_default(),
      field<&TurnResult::duration_ms>("duration_ms", "Of the turn."),
      field<&TurnResult::duration_api_ms>("duration_api_ms", "Of it, waiting for the model."),
      field<&TurnResult::num_turns>("num_turns", "Answers of the model."), field<&TurnResult::result>("result", "The last text."),
      field<&TurnResult::structured_output>("structured_output", "The answer in the shape of the host's schema.").or_default(),
      field<&TurnResult::errors>("errors", "What went wrong.").or_default(),
      field<&TurnResult::stop_reason>("stop_reason", "Of the model: end_turn, max_tokens, refusal, …"),
      field<&TurnResult::session_id>("session_id", "For --resume."),
      field<&TurnResult::total_cost_usd>("total_cost_usd", "Of the process so far."),
      field<&TurnResult::usage>("usage", "Of the turn."),
      field<&TurnResult::model_usage>("modelUsage", "By model, of the process so far.").or_default(),
      field<&TurnResult::denials>("permission_denials", "Every call that was refused.").or_default(),
      field<&TurnResult::terminal_reason>("terminal_reason", "completed, aborted_streaming, aborted_tools, …"),
      field<&TurnResult::api_error_status>("api_error_status", "HTTP status of an API error."),
      field<&TurnResult::user_message_uuid>("user_message_uuid", "The prompt that it answers."),
      field<&TurnResult::uuid>("uuid", "Of this line."));

  bool succeeded() const { return subtype == "success" && !is_error; }
};

struct SystemInit {
  std::string subtype = "init";
  std::string session_id{};
  std::string cwd{};
  std::vector<std::string> tools{};
  wire::Raw mcp_servers{};
  std::string model{};
  std::string permission_mode{};
  std::vector<std::string> slash_commands{};
  std::string api_key_source = "none";
  std::string version{};
  std::string output_style = "default";
  std::vector<std::string> agents{};
  std::vector<std::string> skills{};
  std::vector<std::string> plugins{};
  std::vector<std::string> capabilities{};
  std::string uuid{};
  static constexpr auto wire =
      fields(field<&SystemInit::subtype>("subtype", "init, at the start of every turn.").or_default(),
             field<&SystemInit::cwd>("cwd", "The working folder.").or_default(),
             field<&SystemInit::session_id>("session_id", "For --resume.").or_default(),
             field<&SystemInit::tools>("tools", "Names.").or_default(),
             field<&SystemInit::mcp_servers>("mcp_servers", "Name and status.").or_default(),
             field<&SystemInit::model>("model", "The model that answers.").or_default(),
             field<&SystemInit::permission_mode>("permissionMode", "The mode that holds.").or_default(),
             field<&SystemInit::slash_commands>("slash_commands", "Names.").or_default(),
             field<&SystemInit::api_key_source>("apiKeySource", "Where the key comes from.").or_default(),
             field<&SystemInit::version>("claude_code_version", "The agent's.").or_default(),
             field<&SystemInit::output_style>("output_style", "The style in use.").or_default(),
             field<&SystemInit::agents>("agents", "Sub-agents.").or_default(),
             field<&SystemInit::skills>("skills", "Names.").or_default(),
             field<&SystemInit::capabilities>("capabilities", "What the agent can do beyond the oldest.").or_default(),
             field<&SystemInit::uuid>("uuid", "Of this line.").or_default());
};

}  // namespace parlance::claude
