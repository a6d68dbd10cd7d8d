// SPDX-License-Identifier: Apache-2.0
// The notices of both sides: messages without an answer. Values; any thread.
#pragma once

#include "parlance/protocol/editor/dialogs.h"
#include "parlance/protocol/editor/diffs.h"

namespace parlance::editor {

struct UserInput {
  std::string text{};
  static constexpr auto wire =
      fields(field<&UserInput::text>("text", "The typed text. It may have several lines and may begin with a brace."));
};
struct ContextFile {
  std::string path{};
  std::string name{};
  static constexpr auto wire = fields(field<&ContextFile::path>("path", doc::path),
                                      field<&ContextFile::name>("name", "File name without its folder.").or_default());
};
struct ContextSelection {
  std::string file_path{};
  std::string file_name{};
  std::string text{};
  std::uint32_t line_start = 0;
  std::uint32_t line_end = 0;
  static constexpr auto wire =
      fields(field<&ContextSelection::file_path>("filePath", doc::path),
             field<&ContextSelection::file_name>("fileName", "File name without its folder.").or_default(),
             field<&ContextSelection::text>("text", "The selected text, at most 5,000 characters."),
             field<&ContextSelection::line_start>("lineStart", "First line, counted from 1."),
             field<&ContextSelection::line_end>("lineEnd", "Last line, this line included."));
};
struct ContextChanged {
  Nullable<ContextFile> active_file{};  // null is said aloud: no file is open
  Nullable<ContextSelection> selection{};
  static constexpr auto wire =
      fields(field<&ContextChanged::active_file>("activeFile", "The file with the focus. Null: no file has the focus."),
             field<&ContextChanged::selection>("selection", "The selection. Null: nothing is selected."));
};
struct DiffClosed {
  std::string path{};
  Outcome outcome = Outcome::rejected;
  std::optional<std::string> final_content{};
  static constexpr auto wire =
      fields(field<&DiffClosed::path>("path", "Absolute path of the file of a showDiff."),
             field<&DiffClosed::outcome>("outcome", "Decision of the person."),
             field<&DiffClosed::final_content>("finalContent", "With accepted: the content with the person's edits."));
};
struct AtMentioned {
  std::string file_path{};
  std::optional<std::uint32_t> line_start{};
  std::optional<std::uint32_t> line_end{};
  static constexpr auto wire = fields(field<&AtMentioned::file_path>("filePath", doc::path),
                                      field<&AtMentioned::line_start>("lineStart", "First line, counted from 1."),
                                      field<&AtMentioned::line_end>("lineEnd", "Last line, this line included."));
};
struct Cancel {
  Raw id{};
  static constexpr auto wire = fields(field<&Cancel::id>("id", "Id of the cancelled request."));
};

enum class State : std::uint8_t { idle, thinking, tool, waiting };
constexpr auto wire_names(State) { return wire::names("idle", "thinking", "tool", "waiting"); }

struct Status {
  State state = State::idle;
  std::optional<std::string> text{};
  static constexpr auto wire = fields(field<&Status::state>("state", "State of the agent."),
                                      field<&Status::text>("text", "Text of the state for people."));
};
struct Log {
  Level level = Level::info;
  std::string message{};
  static constexpr auto wire = fields(field<&Log::level>("level", "Severity of the line."),
                                      field<&Log::message>("message", "Text for the output channel."));
};

}  // namespace parlance::editor
