// SPDX-License-Identifier: Apache-2.0
// The parsed lines of the conversation itself; all others are forwarded unchanged (stream.h). Values; any thread.
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
  wire::Raw content{};  // Text, or a list of blocks.
  static constexpr auto wire = fields(field<&UserContent::role>("role", "Always user. The agent exits after any other role."),
                                      field<&UserContent::content>("content", "Text or a list of content blocks."));
};
struct UserMessage {
  UserContent message{};
  wire::Nullable<std::string> parent_tool_use_id{};  // The SDK writes null; absent means the same.
  std::optional<std::string> session_id{};
  std::optional<std::string> uuid{};
  std::optional<std::string> priority{};
  std::optional<bool> synthetic{};
  static constexpr auto wire =
      fields(field<&UserMessage::message>("message", "The message with role and content."),
             field<&UserMessage::parent_tool_use_id>(
                 "parent_tool_use_id", "Id of the call whose sub-agent receives the message. Null: the main agent."),
             field<&UserMessage::session_id>("session_id", "Id of the session. Empty in the first message."),
             field<&UserMessage::uuid>("uuid", "Id of the message. Newer agents report the state of a message with an id."),
             field<&UserMessage::priority>("priority", "Priority in the queue: now, next or later."),
             field<&UserMessage::synthetic>("isSynthetic", "True: a program wrote the message."));
};
struct Usage {
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  std::uint64_t cache_creation = 0;
  std::uint64_t cache_read = 0;
  static constexpr auto wire = fields(
      field<&Usage::input_tokens>("input_tokens", "Number of input tokens outside of the cache.").or_default(),
      field<&Usage::cache_creation>("cache_creation_input_tokens", "Number of input tokens written to the cache.").or_default(),
      field<&Usage::cache_read>("cache_read_input_tokens", "Number of input tokens read from the cache.").or_default(),
      field<&Usage::output_tokens>("output_tokens", "Number of output tokens.").or_default());
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
      field<&TurnResult::subtype>("subtype", "Result of the turn: success, error_during_execution, error_max_turns and others."),
      field<&TurnResult::is_error>("is_error", "True: the turn failed. Also true for a `success` with an API error.")
          .or_default(),
      field<&TurnResult::duration_ms>("duration_ms", "Duration of the turn in milliseconds."),
      field<&TurnResult::duration_api_ms>("duration_api_ms", "Time spent waiting for the model, in milliseconds."),
      field<&TurnResult::num_turns>("num_turns", "Number of model answers in the turn."),
      field<&TurnResult::result>("result", "The last text of the turn."),
      field<&TurnResult::structured_output>("structured_output", "Result in the form of the host's schema.").or_default(),
      field<&TurnResult::errors>("errors", "Texts of the errors.").or_default(),
      field<&TurnResult::stop_reason>("stop_reason",
                                      "Reason for the end of the model's answer: end_turn, max_tokens, refusal and others."),
      field<&TurnResult::session_id>("session_id", "Id of the session, for --resume."),
      field<&TurnResult::total_cost_usd>("total_cost_usd", "Cost of the process so far, in US dollars."),
      field<&TurnResult::usage>("usage", "Tokens of the turn."),
      field<&TurnResult::model_usage>("modelUsage", "Tokens of the process so far, by model.").or_default(),
      field<&TurnResult::denials>("permission_denials", "Refused calls of the turn.").or_default(),
      field<&TurnResult::terminal_reason>(
          "terminal_reason", "Reason for the end of the turn: completed, aborted_streaming, aborted_tools and others."),
      field<&TurnResult::api_error_status>("api_error_status", "HTTP status of an API error. Absent: no such error."),
      field<&TurnResult::user_message_uuid>("user_message_uuid", "Id of the prompt of this turn."),
      field<&TurnResult::uuid>("uuid", "Id of this line."));

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
      fields(field<&SystemInit::subtype>("subtype", "Always init, at the start of each turn.").or_default(),
             field<&SystemInit::cwd>("cwd", "Absolute path of the working folder.").or_default(),
             field<&SystemInit::session_id>("session_id", "Id of the session, for --resume.").or_default(),
             field<&SystemInit::tools>("tools", "Names of the tools.").or_default(),
             field<&SystemInit::mcp_servers>("mcp_servers", "Name and state of each MCP server.").or_default(),
             field<&SystemInit::model>("model", "Name of the model.").or_default(),
             field<&SystemInit::permission_mode>("permissionMode", "The present permission mode.").or_default(),
             field<&SystemInit::slash_commands>("slash_commands", "Names of the slash commands.").or_default(),
             field<&SystemInit::api_key_source>("apiKeySource", "Origin of the API key.").or_default(),
             field<&SystemInit::version>("claude_code_version", "Version of Claude Code.").or_default(),
             field<&SystemInit::output_style>("output_style", "Present output style.").or_default(),
             field<&SystemInit::agents>("agents", "Sub-agents that the agent can start.").or_default(),
             field<&SystemInit::skills>("skills", "Names of the skills.").or_default(),
             field<&SystemInit::capabilities>("capabilities", "Optional capabilities of the agent.").or_default(),
             field<&SystemInit::uuid>("uuid", "Id of this line.").or_default());
};

}  // namespace parlance::claude
