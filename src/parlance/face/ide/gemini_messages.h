// SPDX-License-Identifier: Apache-2.0
// The messages between Gemini's CLI and an editor. Names are the CLI's own. Values; any thread.
#pragma once

#include "parlance/face/ide/editor_values.h"

namespace parlance::face::gemini_ide {

using wire::field;
using wire::fields;
using wire::Nothing;

struct OpenDiff {
  std::string path{};
  std::optional<std::string> content{};
  static constexpr auto wire = fields(field<&OpenDiff::path>("filePath", "Absolute path of the file."),
                                      field<&OpenDiff::content>("newContent", "The complete proposed content of the file."));
};
struct CloseDiff {
  std::string path{};
  std::optional<bool> quiet{};
  static constexpr auto wire =
      fields(field<&CloseDiff::path>("filePath", "Absolute path of the file of an openDiff."),
             field<&CloseDiff::quiet>("suppressNotification",
                                      "True: the editor sends no ide/diffRejected, because the CLI made the decision."));
};
struct Closed {
  std::optional<std::string> content{};
  static constexpr auto wire = fields(
      field<&Closed::content>("content", "The proposed content with the person's edits. Absent: no such change was open."));
};
struct Cursor {
  std::uint32_t line = 1;
  std::uint32_t character = 1;
  static constexpr auto wire = fields(field<&Cursor::line>("line", "Line, counted from 1."),
                                      field<&Cursor::character>("character", "Character in the line, counted from 1."));
};
struct OpenFile {
  std::string path{};
  std::int64_t timestamp = 0;
  std::optional<bool> active{};
  std::optional<std::string> selected{};
  std::optional<Cursor> cursor{};
  static constexpr auto wire =
      fields(field<&OpenFile::path>("path", "Absolute path of the file."),
             field<&OpenFile::timestamp>("timestamp", "Time of the last focus, in milliseconds since 1970."),
             field<&OpenFile::active>("isActive", "True: the file has the focus."),
             field<&OpenFile::selected>("selectedText", "The selected text, cut at 16 KiB. Absent: no selection."),
             field<&OpenFile::cursor>("cursor", "Position of the cursor."));
};
struct Workspace {
  std::vector<OpenFile> files{};
  bool trusted = false;
  static constexpr auto wire =
      fields(field<&Workspace::files>("openFiles", "At most ten open files, the file with the focus first."),
             field<&Workspace::trusted>("isTrusted", "True: the person trusts the folders of the window."));
};
struct ContextUpdate {
  Workspace workspace{};
  static constexpr auto wire = fields(field<&ContextUpdate::workspace>("workspaceState", "The present state of the editor."));
};
struct DiffAccepted {
  std::string path{};
  std::string content{};
  static constexpr auto wire = fields(field<&DiffAccepted::path>("filePath", "Absolute path of the file of an openDiff."),
                                      field<&DiffAccepted::content>("content", "The accepted content, with the person's edits."));
};
struct DiffRejected {
  std::string path{};
  static constexpr auto wire = fields(field<&DiffRejected::path>("filePath", "Absolute path of the file of an openDiff."));
};

inline constexpr auto notices =
    wire::methods(wire::notice<ContextUpdate>("ide/contextUpdate", "Reports the open files and the selection after each change."),
                  wire::notice<DiffAccepted>("ide/diffAccepted", "Reports that the person accepted a change."),
                  wire::notice<DiffRejected>("ide/diffRejected", "Reports that the person rejected a change."));
inline constexpr const auto& context_update = wire::method<notices, "ide/contextUpdate">;
inline constexpr const auto& diff_accepted = wire::method<notices, "ide/diffAccepted">;
inline constexpr const auto& diff_rejected = wire::method<notices, "ide/diffRejected">;

inline constexpr auto tools = wire::methods(
    wire::call<OpenDiff, Nothing>("openDiff", "Shows a change and returns at once. A notice reports the person's decision."),
    wire::call<CloseDiff, Closed>("closeDiff", "Closes a shown change."));
inline constexpr const auto& open_diff = wire::method<tools, "openDiff">;
inline constexpr const auto& close_diff = wire::method<tools, "closeDiff">;

}  // namespace parlance::face::gemini_ide
