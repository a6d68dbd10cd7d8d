// SPDX-License-Identifier: Apache-2.0
// A reported tool call: announced, then changed. Permissions refer to calls too. Values; any thread.
#pragma once

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

enum class ToolKind : std::uint8_t { read, edit, remove, move, search, execute, think, fetch, switch_mode, other };
constexpr auto wire_names(ToolKind) {
  return wire::names("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other");
}
enum class ToolStatus : std::uint8_t { pending, in_progress, completed, failed };
constexpr auto wire_names(ToolStatus) { return wire::names("pending", "in_progress", "completed", "failed"); }

struct ToolText {  // A content block.
  static constexpr std::string_view tag = "content";
  Content content{};
  Raw args{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ToolText::content>("content", "A content block."),
             field<&ToolText::args>("args", "iFlow: arguments of the tool.").or_default(), meta_field<&ToolText::meta>());
};
struct ToolDiff {
  static constexpr std::string_view tag = "diff";
  std::string path{};
  std::optional<std::string> old_text{};
  std::string new_text{};
  std::optional<std::string> file_diff{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ToolDiff::path>("path", "Absolute path of the file."),
             field<&ToolDiff::old_text>("oldText", "Text before the change. Null: the file is new."),
             field<&ToolDiff::new_text>("newText", "Text after the change.").or_default(),
             field<&ToolDiff::file_diff>("fileDiff", "iFlow: the change as a unified diff."), meta_field<&ToolDiff::meta>());
};
struct ToolTerminal {
  static constexpr std::string_view tag = "terminal";
  std::string terminal_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ToolTerminal::terminal_id>("terminalId", "Id of a terminal. The client shows its output as it arrives."),
             meta_field<&ToolTerminal::meta>());
};
using ToolContent = Tagged<"type", ToolText, ToolDiff, ToolTerminal, Other>;

struct ToolLocation {
  std::string path{};
  std::optional<std::uint32_t> line{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ToolLocation::path>("path", "Absolute path of the file."),
             field<&ToolLocation::line>("line", "Line, counted from 1."), meta_field<&ToolLocation::meta>());
};

// Changes of a call: absent members stay, lists are replaced. May arrive for a call without an announcement, and with `_meta`
// only. In a permission, this is the call to approve.
struct ToolCallUpdate {
  static constexpr std::string_view tag = "tool_call_update";
  std::string tool_call_id{};
  std::optional<std::string> title{};
  std::optional<Open<ToolKind>> kind{};
  std::optional<Open<ToolStatus>> status{};
  std::optional<std::vector<ToolContent>> content{};
  std::optional<std::vector<ToolLocation>> locations{};
  Raw raw_input{};
  Raw raw_output{};
  std::optional<std::string> name{};
  std::optional<std::string> tool_name{};
  std::optional<std::string> agent_id{};
  std::optional<std::string> type{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ToolCallUpdate::tool_call_id>("toolCallId", "Id of the call."),
      field<&ToolCallUpdate::title>("title", "Title for people."),
      field<&ToolCallUpdate::kind>("kind", "Kind of the tool. Absent in every message: other."),
      field<&ToolCallUpdate::status>("status", "State of the call, such as pending or completed."),
      field<&ToolCallUpdate::content>("content", "The whole content of the call. It replaces earlier content."),
      field<&ToolCallUpdate::locations>("locations", "All files that the call uses. They replace earlier locations."),
      field<&ToolCallUpdate::raw_input>("rawInput", "Input of the tool.").or_default(),
      field<&ToolCallUpdate::raw_output>("rawOutput", "Output of the tool.").or_default(),
      field<&ToolCallUpdate::name>("name", "Name of the tool for programs."),
      field<&ToolCallUpdate::tool_name>("toolName", "iFlow: name of the tool for programs."),
      field<&ToolCallUpdate::agent_id>("agentId", "iFlow: id of the sub-agent that makes the call."),
      field<&ToolCallUpdate::type>("type", "iFlow, in a permission: kind of the tool."), meta_field<&ToolCallUpdate::meta>());
};

// The announcement of a call: the same members, some of them always present. Both kinds share a table, because both begin at the
// same byte.
struct ToolCall {
  static constexpr std::string_view tag = "tool_call";
  ToolCallUpdate call{};
  static constexpr auto wire = ToolCallUpdate::wire;
};
static_assert(std::is_standard_layout_v<ToolCall>);

}  // namespace parlance::acp
