// SPDX-License-Identifier: Apache-2.0
// The messages of an editor's tools for agents with their own tool loop. Values; any thread.
#pragma once

#include "parlance/face/ide/editor_values.h"

namespace parlance::face::editor_tool {

using ide::Range;
using wire::field;
using wire::fields;
using wire::Nothing;

namespace doc {
inline constexpr const char* file = "Absolute path of the file.";
}

struct Selected {
  std::optional<std::string> path{};
  std::string text{};
  Range range{};
  static constexpr auto wire =
      fields(field<&Selected::path>("path", "Absolute path of the file. Absent: the editor does not name the file."),
             field<&Selected::text>("text", "The selected text. Empty: nothing is selected, and the range is the cursor."),
             field<&Selected::range>("range", "Range of the selection in the file."));
};
struct OpenOne {
  std::string path{};
  bool active = false;
  bool unsaved = false;
  static constexpr auto wire =
      fields(field<&OpenOne::path>("path", "Absolute path of the file, or its name if the file has no path."),
             field<&OpenOne::active>("active", "True: the file has the focus."),
             field<&OpenOne::unsaved>("unsaved", "True: the file has unsaved changes."));
};
struct Open {
  std::vector<OpenOne> files{};
  static constexpr auto wire = fields(field<&Open::files>("files", "All open files."));
};
struct OfFile {
  std::optional<std::string> path{};
  static constexpr auto wire =
      fields(field<&OfFile::path>("path", "Return only diagnostics of this file: an absolute path. Default: all files."));
};
enum class Severity : std::uint8_t { error, warning, information, hint };
constexpr auto wire_names(Severity) { return wire::names("error", "warning", "information", "hint"); }
struct Problem {
  std::string path{};
  Range range{};
  Severity severity = Severity::error;
  std::string message{};
  std::string source{};
  static constexpr auto wire =
      fields(field<&Problem::path>("path", doc::file), field<&Problem::range>("range", "Range of the problem in the file."),
             field<&Problem::severity>("severity", "Severity: error, warning, information or hint."),
             field<&Problem::message>("message", "Text of the problem."),
             field<&Problem::source>("source", "Program that reports the problem. May be empty."));
};
struct Problems {
  std::vector<Problem> problems{};
  bool more = false;
  static constexpr auto wire = fields(field<&Problems::problems>("problems", "Problems that the editor shows."),
                                      field<&Problems::more>("more", "True: more problems exist. Ask for a single file."));
};
struct Read {
  std::string path{};
  std::optional<std::uint32_t> first{};
  std::optional<std::uint32_t> last{};
  static constexpr auto wire =
      fields(field<&Read::path>("path", doc::file),
             field<&Read::first>("firstLine", "First line to return, counted from 1. Default: 1."),
             field<&Read::last>("lastLine", "Last line to return, this line included. Default: the end of the file."));
};
struct Text {
  std::string content{};
  bool unsaved = false;
  static constexpr auto wire =
      fields(field<&Text::content>("content", "Content of the file in the editor, with unsaved changes."),
             field<&Text::unsaved>("unsaved", "True: the content differs from the file on disk."));
};
struct Show {
  std::string path{};
  std::optional<std::uint32_t> line{};
  static constexpr auto wire = fields(field<&Show::path>("path", doc::file),
                                      field<&Show::line>("line", "Line to show, counted from 1. Default: the editor decides."));
};
struct Propose {
  std::string path{};
  std::string content{};
  std::string title{};
  static constexpr auto wire = fields(
      field<&Propose::path>("path", doc::file), field<&Propose::content>("content", "The complete new content of the file."),
      field<&Propose::title>("title", "The purpose of the change in a few words, for the person.").or_default());
};
struct Decided {
  bool accepted = false;
  bool edited = false;
  std::optional<std::string> content{};
  static constexpr auto wire =
      fields(field<&Decided::accepted>("accepted", "True: the person accepts the change. False: leave the file unchanged."),
             field<&Decided::edited>("edited", "True: the person edited the proposal."),
             field<&Decided::content>("content",
                                      "With accepted: the exact content to write now. The tool has not written the content."));
};
struct Apply {
  std::string path{};
  std::string old_text{};
  std::string new_text{};
  static constexpr auto wire =
      fields(field<&Apply::path>("path", doc::file),
             field<&Apply::old_text>("oldText", "The text to replace. It must occur exactly once in the file."),
             field<&Apply::new_text>("newText", "The replacement text."));
};

struct AddedMethod {
  std::string name{};
  std::string description{};
  wire::Raw parameters{};
  bool read_only = false;
  static constexpr auto wire = fields(
      field<&AddedMethod::name>("name", "Name of the method, for editor_call."),
      field<&AddedMethod::description>("description", "Purpose of the method."),
      field<&AddedMethod::parameters>("parameters", "JSON Schema of the parameters. Absent: the method declares no parameters.")
          .or_default(),
      field<&AddedMethod::read_only>("readOnly", "True: the method changes nothing."));
};
struct AddedMethods {
  std::vector<AddedMethod> methods{};
  static constexpr auto wire = fields(field<&AddedMethods::methods>("methods", "All added methods. Often empty."));
};
struct CallAdded {
  std::string method{};
  wire::Raw params{};
  static constexpr auto wire = fields(
      field<&CallAdded::method>("method", "Name of the method, as returned by editor_methods."),
      field<&CallAdded::params>("params", "Parameters of the method: a JSON object. Default: no parameters.").or_default());
};
struct Called {
  wire::Raw result{};
  static constexpr auto wire = fields(field<&Called::result>("result", "Result of the method."));
};

inline constexpr auto methods = wire::methods(
    wire::call<Nothing, Selected>("editor_selection", "Returns the person's selection in the editor, with file and range."),
    wire::call<Nothing, Open>("editor_open_files", "Lists the files that are open in the editor."),
    wire::call<OfFile, Problems>("editor_diagnostics", "Returns the errors and warnings that the editor shows."),
    wire::call<Read, Text>("editor_read_file", "Returns a file as the editor has it, unsaved changes included."),
    wire::call<Show, Nothing>("editor_open_file", "Opens a file in the editor for the person."),
    wire::call<Propose, Decided>("editor_propose_change",
                                 "Shows a change of one file to the person and waits for the decision. The person may edit the "
                                 "change. The tool writes nothing."),
    wire::call<Apply, Nothing>("editor_apply_change",
                               "Replaces text in a file after the person's consent in the editor. The editor writes the file."),
    wire::call<Nothing, AddedMethods>(
        "editor_methods", "Lists methods that other extensions added to the editor, for editor_call. The list is often empty."),
    wire::call<CallAdded, Called>("editor_call", "Calls a method from the list of editor_methods."));

inline constexpr const auto& selection = wire::method<methods, "editor_selection">;
inline constexpr const auto& open_files = wire::method<methods, "editor_open_files">;
inline constexpr const auto& diagnostics = wire::method<methods, "editor_diagnostics">;
inline constexpr const auto& read_file = wire::method<methods, "editor_read_file">;
inline constexpr const auto& open_file = wire::method<methods, "editor_open_file">;
inline constexpr const auto& propose_change = wire::method<methods, "editor_propose_change">;
inline constexpr const auto& apply_change = wire::method<methods, "editor_apply_change">;
inline constexpr const auto& added_methods = wire::method<methods, "editor_methods">;
inline constexpr const auto& call_added = wire::method<methods, "editor_call">;

}  // namespace parlance::face::editor_tool
