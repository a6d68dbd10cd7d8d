// SPDX-License-Identifier: Apache-2.0
// The JSON of tool call events. Their input is any JSON and their content has several kinds, so the plain structs of
// hub/conversation/tool_event.h cannot describe them. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/tool_event.h"
#include "parlance/wire_form/hub_tables.h"

namespace parlance::wire {

template <>
struct Describe<hub::Location> {
  static constexpr auto wire = fields(field<&hub::Location::path>("path", "Absolute path of the file."),
                                      field<&hub::Location::line>("line", "Line, counted from 1. Absent: the whole file."));
};

}  // namespace parlance::wire

// Events with a JSON form of their own: the hub keeps opaque JSON as text.
namespace parlance::wire_form {

struct ToolText {
  static constexpr std::string_view tag = "text";
  std::string text{};
  static constexpr auto wire = wire::fields(wire::field<&ToolText::text>("text", "Text of the output."));
};
struct ToolDiff {
  static constexpr std::string_view tag = "diff";
  std::string path{};
  std::optional<std::string> before{};
  std::optional<std::string> after{};
  static constexpr auto wire =
      wire::fields(wire::field<&ToolDiff::path>("path", "Absolute path of the file."),
                   wire::field<&ToolDiff::before>("before", "Text before the change. Absent: the file is new."),
                   wire::field<&ToolDiff::after>("after", "Text after the change. Absent: the file is deleted."));
};
struct ToolTerminal {
  static constexpr std::string_view tag = "terminal";
  std::string terminal{};
  static constexpr auto wire = wire::fields(wire::field<&ToolTerminal::terminal>("terminal", "Id of the terminal."));
};
struct ToolPicture {
  static constexpr std::string_view tag = "picture";
  hub::AttachmentInfo attachment{};
  static constexpr auto wire =
      wire::fields(wire::field<&ToolPicture::attachment>("attachment", "The picture. Its bytes are stored outside of the log."));
};
using ToolContent = wire::Tagged<"type", ToolText, ToolDiff, ToolTerminal, ToolPicture>;

// Named `call_kind`, because `kind` is the kind of the event.
struct ToolStart {
  std::string call{};
  std::string tool{};
  std::string title{};
  wire::Raw input{};
  std::optional<std::string> parent{};
  std::optional<hub::CallKind> kind{};
  std::optional<std::vector<hub::Location>> locations{};
  static constexpr auto wire = wire::fields(
      wire::field<&ToolStart::call>("call", "Id of the call, unique in the turn."),
      wire::field<&ToolStart::tool>("tool", "Name of the tool."), wire::field<&ToolStart::title>("title", "One line for people."),
      wire::field<&ToolStart::input>("input", "Input of the call, any JSON."),
      wire::field<&ToolStart::parent>("parent", "Id of the sub-agent's call that makes this call. Absent: the main agent."),
      wire::field<&ToolStart::kind>("call_kind", "Kind of the call. Absent: other."),
      wire::field<&ToolStart::locations>("locations", "Files that the call reads or changes."));
};

struct ToolUpdate {
  std::string call{};
  std::optional<std::string> title{};
  std::optional<hub::CallKind> kind{};
  std::optional<hub::CallStatus> status{};
  std::optional<wire::Raw> input{};
  std::optional<std::vector<hub::Location>> locations{};
  std::optional<std::vector<ToolContent>> content{};
  static constexpr auto wire = wire::fields(
      wire::field<&ToolUpdate::call>("call", "Id of the call. Absent members keep their values."),
      wire::field<&ToolUpdate::title>("title", "One line for people."),
      wire::field<&ToolUpdate::kind>("call_kind", "Kind of the call."),
      wire::field<&ToolUpdate::status>("status", "State of the call: pending or running."),
      wire::field<&ToolUpdate::input>("input", "Input of the call, any JSON."),
      wire::field<&ToolUpdate::locations>("locations", "All files that the call reads or changes."),
      wire::field<&ToolUpdate::content>("content", "The whole content: texts, changed files, terminals and pictures."));
};

ToolStart of(const hub::event::ToolStart& start);
ToolUpdate of(const hub::event::ToolUpdate& update);
hub::event::ToolStart from(ToolStart form);
hub::event::ToolUpdate from(ToolUpdate form);

}  // namespace parlance::wire_form
