// SPDX-License-Identifier: Apache-2.0
// The tools that an editor is to agents which run their tools themselves. Values; any thread.
#pragma once

#include "parlance/face/ide/editor_values.h"

namespace parlance::face::editor_tool {

using ide::Range;
using wire::field;
using wire::fields;
using wire::Nothing;

namespace doc {
inline constexpr const char* file = "An absolute path.";
}

struct Selected {
  std::optional<std::string> path{};
  std::string text{};
  Range range{};
  static constexpr auto wire = fields(field<&Selected::path>("path", "Of which file, where the editor says."),
                                      field<&Selected::text>("text", "Empty: nothing, and the range is the cursor."),
                                      field<&Selected::range>("range", "Where."));
};
struct OpenOne {
  std::string path{};
  bool active = false;
  bool unsaved = false;
  static constexpr auto wire = fields(field<&OpenOne::path>("path", "Its path, or its name where it has none."),
                                      field<&OpenOne::active>("active", "It is in front."),
                                      field<&OpenOne::unsaved>("unsaved", "It was changed since it was saved."));
};
struct Open {
  std::vector<OpenOne> files{};
  static constexpr auto wire = fields(field<&Open::files>("files", "All that are open."));
};
struct OfFile {
  std::optional<std::string> path{};
  static constexpr auto wire = fields(field<&OfFile::path>("path", "Only of this file: an absolute path."));
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
      fields(field<&Problem::path>("path", doc::file), field<&Problem::range>("range", "Where."),
             field<&Problem::severity>("severity", "How bad."), field<&Problem::message>("message", "What is wrong."),
             field<&Problem::source>("source", "Who says so; may be empty."));
};
struct Problems {
  std::vector<Problem> problems{};
  bool more = false;
  static constexpr auto wire = fields(field<&Problems::problems>("problems", "What the editor shows."),
                                      field<&Problems::more>("more", "There are more; ask for one file."));
};
struct Read {
  std::string path{};
  std::optional<std::uint32_t> first{};
  std::optional<std::uint32_t> last{};
  static constexpr auto wire = fields(field<&Read::path>("path", doc::file), field<&Read::first>("firstLine", "From 1."),
                                      field<&Read::last>("lastLine", "From 1, with it."));
};
struct Text {
  std::string content{};
  bool unsaved = false;
  static constexpr auto wire = fields(field<&Text::content>("content", "As it is in the editor."),
                                      field<&Text::unsaved>("unsaved", "The file on the disk is another."));
};
struct Show {
  std::string path{};
  std::optional<std::uint32_t> line{};
  static constexpr auto wire = fields(field<&Show::path>("path", doc::file), field<&Show::line>("line", "From 1."));
};
struct Propose {
  std::string path{};
  std::string content{};
  std::string title{};
  static constexpr auto wire =
      fields(field<&Propose::path>("path", doc::file), field<&Propose::content>("content", "All of the file's new content."),
             field<&Propose::title>("title", "What the change is for, in a few words.").or_default());
};
struct Decided {
  bool accepted = false;
  bool edited = false;
  std::optional<std::string> content{};
  static constexpr auto wire =
      fields(field<&Decided::accepted>("accepted", "false: leave the file as it is."),
             field<&Decided::edited>("edited", "The person changed the proposal."),
             field<&Decided::content>("content", "Accepted: what is to be written now, exactly so. It has not been written."));
};
struct Apply {
  std::string path{};
  std::string old_text{};
  std::string new_text{};
  static constexpr auto wire =
      fields(field<&Apply::path>("path", doc::file), field<&Apply::old_text>("oldText", "What stands there, in one place only."),
             field<&Apply::new_text>("newText", "What is to stand there."));
};

struct AddedMethod {
  std::string name{};
  std::string description{};
  wire::Raw parameters{};
  bool read_only = false;
  static constexpr auto wire = fields(
      field<&AddedMethod::name>("name", "For editor_call."), field<&AddedMethod::description>("description", "What it is for."),
      field<&AddedMethod::parameters>("parameters", "What it takes, as a JSON Schema; absent: it does not say.").or_default(),
      field<&AddedMethod::read_only>("readOnly", "It only looks."));
};
struct AddedMethods {
  std::vector<AddedMethod> methods{};
  static constexpr auto wire = fields(field<&AddedMethods::methods>("methods", "All of them."));
};
struct CallAdded {
  std::string method{};
  wire::Raw params{};
  static constexpr auto wire = fields(field<&CallAdded::method>("method", "Its name, as editor_methods tells it."),
                                      field<&CallAdded::params>("params", "A JSON object; absent: nothing.").or_default());
};
struct Called {
  wire::Raw result{};
  static constexpr auto wire = fields(field<&Called::result>("result", "What it answered."));
};

inline constexpr auto methods = wire::methods(
    wire::call<Nothing, Selected>("editor_selection", "What the person has selected in the editor, and where."),
    wire::call<Nothing, Open>("editor_open_files", "Which files are open in the editor."),
    wire::call<OfFile, Problems>("editor_diagnostics", "Errors and warnings that the editor shows."),
    wire::call<Read, Text>("editor_read_file", "A file as it is in the editor, with what is not saved yet."),
    wire::call<Show, Nothing>("editor_open_file", "Shows the person a file."),
    wire::call<Propose, Decided>("editor_propose_change",
                                 "Shows the person a change of one file, which they may edit, and waits for what they decide. "
                                 "Nothing is written by it."),
    wire::call<Apply, Nothing>("editor_apply_change",
                               "Replaces text in a file, in the editor, once the person agrees there. The editor writes it."),
    wire::call<Nothing, AddedMethods>(
        "editor_methods", "What other extensions of the person have added to the editor, for editor_call. Often nothing."),
    wire::call<CallAdded, Called>("editor_call", "Calls one of editor_methods."));

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
