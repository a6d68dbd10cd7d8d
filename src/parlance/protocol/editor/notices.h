// SPDX-License-Identifier: Apache-2.0
// What the two sides tell each other without an answer. Values; any thread.
#pragma once

#include "parlance/protocol/editor/dialogs.h"
#include "parlance/protocol/editor/diffs.h"

namespace parlance::editor {

struct UserInput {
  std::string text{};
  static constexpr auto wire = fields(field<&UserInput::text>("text", "May have several lines, and begin with a brace."));
};
struct ContextFile {
  std::string path{};
  std::string name{};
  static constexpr auto wire =
      fields(field<&ContextFile::path>("path", doc::path), field<&ContextFile::name>("name", "Its last part.").or_default());
};
struct ContextSelection {
  std::string file_path{};
  std::string file_name{};
  std::string text{};
  std::uint32_t line_start = 0;
  std::uint32_t line_end = 0;
  static constexpr auto wire = fields(field<&ContextSelection::file_path>("filePath", doc::path),
                                      field<&ContextSelection::file_name>("fileName", "Its last part.").or_default(),
                                      field<&ContextSelection::text>("text", "5,000 characters at most."),
                                      field<&ContextSelection::line_start>("lineStart", "From 1."),
                                      field<&ContextSelection::line_end>("lineEnd", "With it."));
};
struct ContextChanged {
  Nullable<ContextFile> active_file{};  // null is said aloud: no file is open
  Nullable<ContextSelection> selection{};
  static constexpr auto wire = fields(field<&ContextChanged::active_file>("activeFile", "The one in front; null: none."),
                                      field<&ContextChanged::selection>("selection", "What is selected; null: nothing."));
};
struct DiffClosed {
  std::string path{};
  Outcome outcome = Outcome::rejected;
  std::optional<std::string> final_content{};
  static constexpr auto wire = fields(field<&DiffClosed::path>("path", "Of a showDiff."),
                                      field<&DiffClosed::outcome>("outcome", "What the person decided."),
                                      field<&DiffClosed::final_content>("finalContent", "Accepted: as it is by now."));
};
struct AtMentioned {
  std::string file_path{};
  std::optional<std::uint32_t> line_start{};
  std::optional<std::uint32_t> line_end{};
  static constexpr auto wire =
      fields(field<&AtMentioned::file_path>("filePath", doc::path), field<&AtMentioned::line_start>("lineStart", "From 1."),
             field<&AtMentioned::line_end>("lineEnd", "With it."));
};
struct Cancel {
  Raw id{};
  static constexpr auto wire = fields(field<&Cancel::id>("id", "Of the request that is no longer wanted."));
};

enum class State : std::uint8_t { idle, thinking, tool, waiting };
constexpr auto wire_names(State) { return wire::names("idle", "thinking", "tool", "waiting"); }

struct Status {
  State state = State::idle;
  std::optional<std::string> text{};
  static constexpr auto wire =
      fields(field<&Status::state>("state", "What the agent does."), field<&Status::text>("text", "In words for people."));
};
struct Log {
  Level level = Level::info;
  std::string message{};
  static constexpr auto wire =
      fields(field<&Log::level>("level", "How bad."), field<&Log::message>("message", "For the output channel."));
};

}  // namespace parlance::editor
