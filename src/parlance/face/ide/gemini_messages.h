// SPDX-License-Identifier: Apache-2.0
// What Gemini's CLI asks of an editor and is told by it. Names and members are the CLI's own. Values; any thread.
#pragma once

#include "parlance/face/ide/editor_values.h"

namespace parlance::face::gemini_ide {

using wire::field;
using wire::fields;
using wire::Nothing;

struct OpenDiff {
  std::string path{};
  std::optional<std::string> content{};
  static constexpr auto wire = fields(field<&OpenDiff::path>("filePath", "An absolute path."),
                                      field<&OpenDiff::content>("newContent", "All of the file, as it would be."));
};
struct CloseDiff {
  std::string path{};
  std::optional<bool> quiet{};
  static constexpr auto wire =
      fields(field<&CloseDiff::path>("filePath", "Of openDiff."),
             field<&CloseDiff::quiet>("suppressNotification", "Without ide/diffRejected: it was the CLI that decided."));
};
struct Closed {
  std::optional<std::string> content{};
  static constexpr auto wire = fields(field<&Closed::content>("content", "What was proposed; absent: it was not open."));
};
struct Cursor {
  std::uint32_t line = 1;
  std::uint32_t character = 1;
  static constexpr auto wire = fields(field<&Cursor::line>("line", "From 1."), field<&Cursor::character>("character", "From 1."));
};
struct OpenFile {
  std::string path{};
  std::int64_t timestamp = 0;
  std::optional<bool> active{};
  std::optional<std::string> selected{};
  std::optional<Cursor> cursor{};
  static constexpr auto wire = fields(field<&OpenFile::path>("path", "An absolute path."),
                                      field<&OpenFile::timestamp>("timestamp", "When it was in front, milliseconds since 1970."),
                                      field<&OpenFile::active>("isActive", "It is in front."),
                                      field<&OpenFile::selected>("selectedText", "What is selected in it; cut to 16 KiB."),
                                      field<&OpenFile::cursor>("cursor", "Where the cursor is."));
};
struct Workspace {
  std::vector<OpenFile> files{};
  bool trusted = false;
  static constexpr auto wire = fields(field<&Workspace::files>("openFiles", "Ten at most, the one in front first."),
                                      field<&Workspace::trusted>("isTrusted", "The person trusts the folders."));
};
struct ContextUpdate {
  Workspace workspace{};
  static constexpr auto wire = fields(field<&ContextUpdate::workspace>("workspaceState", "As it is now."));
};
struct DiffAccepted {
  std::string path{};
  std::string content{};
  static constexpr auto wire = fields(field<&DiffAccepted::path>("filePath", "Of openDiff."),
                                      field<&DiffAccepted::content>("content", "As the person left it."));
};
struct DiffRejected {
  std::string path{};
  static constexpr auto wire = fields(field<&DiffRejected::path>("filePath", "Of openDiff."));
};

inline constexpr auto notices = wire::methods(wire::notice<ContextUpdate>("ide/contextUpdate", "What is open and selected."),
                                              wire::notice<DiffAccepted>("ide/diffAccepted", "The person took the change."),
                                              wire::notice<DiffRejected>("ide/diffRejected", "The person did not."));
inline constexpr const auto& context_update = wire::method<notices, "ide/contextUpdate">;
inline constexpr const auto& diff_accepted = wire::method<notices, "ide/diffAccepted">;
inline constexpr const auto& diff_rejected = wire::method<notices, "ide/diffRejected">;

inline constexpr auto tools =
    wire::methods(wire::call<OpenDiff, Nothing>(
                      "openDiff", "Shows a change. Answered at once, with nothing; what the person decides is a notice."),
                  wire::call<CloseDiff, Closed>("closeDiff", "Takes a change back."));
inline constexpr const auto& open_diff = wire::method<tools, "openDiff">;
inline constexpr const auto& close_diff = wire::method<tools, "closeDiff">;

}  // namespace parlance::face::gemini_ide
