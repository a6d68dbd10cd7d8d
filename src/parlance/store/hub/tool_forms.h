// SPDX-License-Identifier: Apache-2.0
// The JSON of what is told of tool calls: their input is any JSON, and their content one of several kinds, which the plain structs of
// hub/conversation/tool_event.h do not say of themselves. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/tool_event.h"
#include "parlance/store/hub/hub_tables.h"

namespace parlance::wire {

template <>
struct Describe<hub::Location> {
  static constexpr auto wire = fields(field<&hub::Location::path>("path", "The file."),
                                      field<&hub::Location::line>("line", "From 1; absent: the file as a whole."));
};

}  // namespace parlance::wire

// Events whose JSON is not their members: the hub keeps JSON that it passes on as text.
namespace parlance::store::form {

struct ToolText {
  static constexpr std::string_view tag = "text";
  std::string text{};
  static constexpr auto wire = wire::fields(wire::field<&ToolText::text>("text", "What it says."));
};
struct ToolDiff {
  static constexpr std::string_view tag = "diff";
  std::string path{};
  std::optional<std::string> before{};
  std::optional<std::string> after{};
  static constexpr auto wire = wire::fields(wire::field<&ToolDiff::path>("path", "The file."),
                                            wire::field<&ToolDiff::before>("before", "Absent: the file is new."),
                                            wire::field<&ToolDiff::after>("after", "Absent: the file is deleted."));
};
struct ToolTerminal {
  static constexpr std::string_view tag = "terminal";
  std::string terminal{};
  static constexpr auto wire = wire::fields(wire::field<&ToolTerminal::terminal>("terminal", "Its id."));
};
struct ToolPicture {
  static constexpr std::string_view tag = "picture";
  hub::AttachmentInfo attachment{};
  static constexpr auto wire = wire::fields(wire::field<&ToolPicture::attachment>("attachment", "Its bytes lie beside the log."));
};
using ToolContent = wire::Tagged<"type", ToolText, ToolDiff, ToolTerminal, ToolPicture>;

// `call_kind`, because `kind` is what the event is.
struct ToolStart {
  std::string call{};
  std::string tool{};
  std::string title{};
  wire::Raw input{};
  std::optional<std::string> parent{};
  std::optional<hub::CallKind> kind{};
  std::optional<std::vector<hub::Location>> locations{};
  static constexpr auto wire =
      wire::fields(wire::field<&ToolStart::call>("call", "Unique in the conversation's turn."),
                   wire::field<&ToolStart::tool>("tool", "Its name."), wire::field<&ToolStart::title>("title", "One line."),
                   wire::field<&ToolStart::input>("input", "Any JSON."),
                   wire::field<&ToolStart::parent>("parent", "The call of the sub-agent that makes this call."),
                   wire::field<&ToolStart::kind>("call_kind", "What it is about; absent: other."),
                   wire::field<&ToolStart::locations>("locations", "Where it reads or changes something."));
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
      wire::field<&ToolUpdate::call>("call", "The call; what is absent stays as it was."),
      wire::field<&ToolUpdate::title>("title", "One line."), wire::field<&ToolUpdate::kind>("call_kind", "What it is about."),
      wire::field<&ToolUpdate::status>("status", "How far it is."), wire::field<&ToolUpdate::input>("input", "Any JSON."),
      wire::field<&ToolUpdate::locations>("locations", "All of them."),
      wire::field<&ToolUpdate::content>("content", "All of it: texts, changed files, terminals, pictures."));
};

ToolStart of(const hub::event::ToolStart& start);
ToolUpdate of(const hub::event::ToolUpdate& update);
hub::event::ToolStart from(ToolStart form);
hub::event::ToolUpdate from(ToolUpdate form);

}  // namespace parlance::store::form
