// SPDX-License-Identifier: Apache-2.0
// The pieces of which a webview makes an answer: beginnings, contents and ends. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/wire/describe.h"

namespace parlance::webview {

using wire::field;
using wire::fields;

// Names something that waits for the person, in one connection.
using RequestId = std::int64_t;
// A plan that nothing of the agent's waits for: it planned and ended its turn without handing the plan in.
inline constexpr RequestId synthetic_request = -1;

namespace doc {
inline constexpr std::string_view request = "Id of the request, for the answer.";
inline constexpr std::string_view tool = "Id of the call, equal in all its chunks.";
}  // namespace doc

enum class IconType : std::uint8_t { url, emoji };
constexpr auto wire_names(IconType) { return wire::names("url", "emoji"); }

struct Icon {
  IconType type = IconType::emoji;
  std::string value{};
  static constexpr auto wire =
      fields(field<&Icon::type>("type", "Kind of the value."), field<&Icon::value>("value", "The icon to show."));
};

enum class ConfirmationType : std::uint8_t { edit, execute, mcp, fetch, other };
constexpr auto wire_names(ConfirmationType) { return wire::names("edit", "execute", "mcp", "fetch", "other"); }

enum class OptionKind : std::uint8_t { reject_once, reject_always, allow_once, allow_always };
constexpr auto wire_names(OptionKind) { return wire::names("reject_once", "reject_always", "allow_once", "allow_always"); }

struct OfferedOption {
  std::string option_id{};
  std::string name{};
  OptionKind kind = OptionKind::allow_once;
  static constexpr auto wire = fields(
      field<&OfferedOption::option_id>("optionId", "Id of the option."), field<&OfferedOption::name>("name", "Label for people."),
      field<&OfferedOption::kind>("kind",
                                  "Meaning of the option. `allow`, `alwaysAllow` and `reject` select an option by its kind."));
};

struct QuestionChoice {
  std::string label{};
  std::string description{};
  static constexpr auto wire =
      fields(field<&QuestionChoice::label>("label", "Text of the choice, and the answer after selection."),
             field<&QuestionChoice::description>("description", "Description for people. May be empty."));
};
struct Question {
  std::string question{};
  std::string header{};
  std::vector<QuestionChoice> options{};
  bool multi_select = false;
  static constexpr auto wire =
      fields(field<&Question::question>("question", "Text of the question."),
             field<&Question::header>("header", "Short name of the question, and its key in the answers."),
             field<&Question::options>("options", "Offered choices. Any other text is an answer too."),
             field<&Question::multi_select>("multiSelect", "True: several choices may be selected."));
};

enum class PlanStatus : std::uint8_t { pending, in_progress, completed };
constexpr auto wire_names(PlanStatus) { return wire::names("pending", "in_progress", "completed"); }
enum class PlanPriority : std::uint8_t { high, medium, low };
constexpr auto wire_names(PlanPriority) { return wire::names("high", "medium", "low"); }

struct PlanEntry {
  std::string content{};
  PlanStatus status = PlanStatus::pending;
  PlanPriority priority = PlanPriority::medium;
  static constexpr auto wire = fields(field<&PlanEntry::content>("content", "Text of the task."),
                                      field<&PlanEntry::status>("status", "State of the task."),
                                      field<&PlanEntry::priority>("priority", "Priority of the task."));
};

namespace chunk {

struct Text {
  static constexpr std::string_view tag = "text";
  std::string content{};
  static constexpr auto wire = fields(field<&Text::content>("content", "The next piece of Markdown. Append it."));
};
struct ThinkingStart {
  static constexpr std::string_view tag = "thinking_start";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct ThinkingContent {
  static constexpr std::string_view tag = "thinking_content";
  std::string content{};
  static constexpr auto wire = fields(field<&ThinkingContent::content>("content", "The next piece of thinking. Append it."));
};
struct ThinkingEnd {
  static constexpr std::string_view tag = "thinking_end";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct CodeStart {
  static constexpr std::string_view tag = "code_start";
  std::string language{};
  static constexpr auto wire = fields(field<&CodeStart::language>("language", "Language of the fence. May be empty."));
};
struct CodeContent {
  static constexpr std::string_view tag = "code_content";
  std::string content{};
  static constexpr auto wire = fields(field<&CodeContent::content>("content", "The next piece of code. Append it."));
};
struct CodeEnd {
  static constexpr std::string_view tag = "code_end";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct ToolStart {
  static constexpr std::string_view tag = "tool_start";
  std::string tool_id{};
  std::string name{};
  wire::Raw input{};
  std::optional<std::string> label{};
  Icon icon{};
  std::optional<std::string> parent_id{};
  static constexpr auto wire = fields(
      field<&ToolStart::tool_id>("toolId", doc::tool), field<&ToolStart::name>("name", "Name of the tool."),
      field<&ToolStart::input>(
          "input", "Input of the call: an object. `file_path`, `content` and `old_string` are added if the call shows them."),
      field<&ToolStart::label>("label", "One line for people."),
      field<&ToolStart::icon>("icon", "Icon for the kind of the call."),
      field<&ToolStart::parent_id>("parentId", "Id of the sub-agent's call that makes this call. Absent: the main agent."));
};
struct ToolOutput {
  static constexpr std::string_view tag = "tool_output";
  std::string tool_id{};
  std::string content{};
  static constexpr auto wire = fields(field<&ToolOutput::tool_id>("toolId", doc::tool),
                                      field<&ToolOutput::content>("content", "The next piece of output. Append it."));
};
enum class ToolResult : std::uint8_t { completed, error };
constexpr auto wire_names(ToolResult) { return wire::names("completed", "error"); }
struct ToolEnd {
  static constexpr std::string_view tag = "tool_end";
  std::string tool_id{};
  ToolResult status = ToolResult::completed;
  static constexpr auto wire =
      fields(field<&ToolEnd::tool_id>("toolId", doc::tool), field<&ToolEnd::status>("status", "Result of the call."));
};
struct ToolConfirmation {
  static constexpr std::string_view tag = "tool_confirmation";
  RequestId request_id = 0;
  std::string tool_id{};
  std::string tool_name{};
  std::string description{};
  ConfirmationType confirmation_type = ConfirmationType::other;
  std::vector<OfferedOption> options{};
  static constexpr auto wire = fields(
      field<&ToolConfirmation::request_id>("requestId", doc::request),
      field<&ToolConfirmation::tool_id>("toolId", "Id of the waiting call. Empty: the request concerns no call."),
      field<&ToolConfirmation::tool_name>("toolName", "Name of the tool."),
      field<&ToolConfirmation::description>("description", "The complete effect of the call, and the reason of the request."),
      field<&ToolConfirmation::confirmation_type>("confirmationType", "Kind of the effect."),
      field<&ToolConfirmation::options>("options", "Options offered to the person."));
};
struct UserQuestion {
  static constexpr std::string_view tag = "user_question";
  RequestId request_id = 0;
  std::vector<Question> questions{};
  static constexpr auto wire = fields(field<&UserQuestion::request_id>("requestId", doc::request),
                                      field<&UserQuestion::questions>("questions", "All questions of the request."));
};
struct PlanApproval {
  static constexpr std::string_view tag = "plan_approval";
  RequestId request_id = 0;
  std::string plan{};
  static constexpr auto wire =
      fields(field<&PlanApproval::request_id>(
                 "requestId", "Id of the request, for the answer. -1: the agent ended its turn with a plan and asked nothing."),
             field<&PlanApproval::plan>("plan", "The plan as Markdown. Empty: the plan is in the text above."));
};
struct Plan {
  static constexpr std::string_view tag = "plan";
  std::vector<PlanEntry> entries{};
  static constexpr auto wire = fields(field<&Plan::entries>("entries", "The whole plan. It replaces the earlier plan."));
};
struct FileRef {
  static constexpr std::string_view tag = "file_ref";
  std::string path{};
  std::optional<std::uint64_t> line_start{};
  static constexpr auto wire = fields(field<&FileRef::path>("path", "Path of a file that the call above reads or changes."),
                                      field<&FileRef::line_start>("lineStart", "Line, counted from 1."));
};
struct Warning {
  static constexpr std::string_view tag = "warning";
  std::string message{};
  static constexpr auto wire = fields(field<&Warning::message>("message", "Text for people."));
};
struct Failure {
  static constexpr std::string_view tag = "error";
  std::string code{};
  std::string message{};
  static constexpr auto wire = fields(field<&Failure::code>("code", "Error code for programs."),
                                      field<&Failure::message>("message", "Text of the error for people."));
};

}  // namespace chunk

using StreamChunk =
    wire::Tagged<"chunkType", chunk::Text, chunk::ThinkingStart, chunk::ThinkingContent, chunk::ThinkingEnd, chunk::CodeStart,
                 chunk::CodeContent, chunk::CodeEnd, chunk::ToolStart, chunk::ToolOutput, chunk::ToolEnd, chunk::ToolConfirmation,
                 chunk::UserQuestion, chunk::PlanApproval, chunk::Plan, chunk::FileRef, chunk::Warning, chunk::Failure>;

}  // namespace parlance::webview
