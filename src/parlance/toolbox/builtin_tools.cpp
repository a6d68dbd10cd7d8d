// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/builtin_tools.h"

#include <algorithm>

#include "parlance/hub/conversation/session_setup.h"
#include "parlance/toolbox/conversation_tools.h"
#include "parlance/toolbox/typed_tool.h"

namespace parlance::toolbox {
namespace {

using hub::ToolKind;
using wire::field;
using wire::fields;

// Previews beyond this number are forgotten if not carried out (refused, stopped).
constexpr std::int64_t command_timeout_s = 120;
constexpr std::int64_t longest_command_timeout_s = 3600;

struct ListFiles {
  std::string path = ".";
  bool recursive = false;
  static constexpr auto wire =
      fields(field<&ListFiles::path>(
                 "path", "The folder to list: a path relative to the working folder. Default: the working folder itself.")
                 .or_default(),
             field<&ListFiles::recursive>("recursive", "True also lists all subfolders. Default: false.").or_default());
};
struct ReadFile {
  std::string path{};
  std::optional<std::uint64_t> start_line{};
  std::optional<std::uint64_t> end_line{};
  static constexpr auto wire = fields(
      field<&ReadFile::path>("path", "The file to read: a path relative to the working folder."),
      field<&ReadFile::start_line>("start_line", "The first line to return, counted from 1. Default: 1."),
      field<&ReadFile::end_line>("end_line", "The last line to return, this line included. Default: the end of the file."));
};
struct SearchFiles {
  std::string pattern{};
  std::string path = ".";
  bool regex = false;
  bool ignore_case = false;
  std::string name{};
  static constexpr auto wire =
      fields(field<&SearchFiles::pattern>("pattern", "The text to find, or a regular expression if `regex` is true."),
             field<&SearchFiles::path>(
                 "path", "The file or folder to search: a path relative to the working folder. Default: the working folder.")
                 .or_default(),
             field<&SearchFiles::regex>(
                 "regex", "True reads `pattern` as a regular expression. Default: false, which searches for the exact text.")
                 .or_default(),
             field<&SearchFiles::ignore_case>("ignore_case", "True ignores upper and lower case. Default: false.").or_default(),
             field<&SearchFiles::name>("name", "Search only files with this name, for example `*.cpp`. Default: all files.")
                 .or_default());
};
struct WriteFile {
  std::string path{};
  std::string content{};
  static constexpr auto wire = fields(
      field<&WriteFile::path>("path", "The file to write: a path relative to the working folder. A missing file is created."),
      field<&WriteFile::content>("content", "The complete new content of the file. It replaces all earlier content."));
};
struct EditFile {
  std::string path{};
  std::string old_text{};
  std::string new_text{};
  bool replace_all = false;
  static constexpr auto wire = fields(
      field<&EditFile::path>("path", "The file to change: a path relative to the working folder."),
      field<&EditFile::old_text>("old_text",
                                 "The exact text to replace. It must occur exactly once, unless `replace_all` is true."),
      field<&EditFile::new_text>("new_text", "The replacement text. An empty text deletes `old_text`."),
      field<&EditFile::replace_all>("replace_all", "True replaces every occurrence of `old_text`. Default: false.").or_default());
};
// The common part of the two structs above.
struct NamedFile {
  std::string path{};
  static constexpr auto wire = fields(field<&NamedFile::path>("path", "The file: a path relative to the working folder."));
};
struct RunCommand {
  std::string command{};
  std::optional<std::int64_t> timeout_s{};
  static constexpr auto wire =
      fields(field<&RunCommand::command>("command", "The command line. A shell runs the command line in the working folder."),
             field<&RunCommand::timeout_s>(
                 "timeout_s", "Time limit in seconds, from 1 to 3600. The command is ended after this time. Default: 120."));
};
hub::ToolOutcome done(std::string text) { return {.text = std::move(text)}; }

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  return std::to_string(bytes / 1024) + " KiB";
}

std::string text_of(const workspace::Unread& unread) {
  if (unread.count == 0) return {};
  return "… " + std::to_string(unread.count) + " files or folders cannot be read; the first: " + unread.first + "\n";
}

std::string text_of(const workspace::FileList& list) {
  std::string text;
  for (const workspace::FileEntry& entry : list.entries) {
    text += entry.path;
    if (entry.link) text += "  (link)";
    else if (!entry.path.ends_with('/')) text += "  " + size_text(entry.size);
    text += '\n';
  }
  if (list.entries.empty() && list.unread.count == 0) text = "The folder is empty.\n";
  if (list.cut) text += "… and more; list a folder below.\n";
  return text + text_of(list.unread);
}

std::string text_of(const workspace::SearchResult& result) {
  std::string text;
  for (const workspace::SearchHit& hit : result.hits) text += hit.path + ":" + std::to_string(hit.line) + ": " + hit.text + "\n";
  if (result.hits.empty()) text = "Nothing found in " + std::to_string(result.files) + " files.\n";
  if (result.cut) text += "… and more; search for something narrower.\n";
  return text + text_of(result.unread);
}

workspace::ReadFile to_hub(const ReadFile& read) {
  workspace::ReadFile request{.path = read.path, .first_line = std::max<std::uint64_t>(read.start_line.value_or(1), 1)};
  if (read.end_line) request.lines = *read.end_line >= request.first_line ? *read.end_line - request.first_line + 1 : 0;
  return request;
}

std::string text_of(const workspace::FileText& file) {
  std::string text = file.text;
  const std::string next = std::to_string(file.first_line + file.lines);
  if (file.cut_in_line) text += "\n… the rest of this line is too long for this tool; read from line " + next + ".\n";
  else if (file.cut) text += "… the file goes on; read from line " + next + ".\n";
  return text;
}

Result<workspace::FileChange> prepare(const workspace::FileTools& files, const workspace::ResolvedPath& at,
                                      const hub::ToolCall& call, const std::optional<std::string>& open_text) {
  if (call.tool == "write_file") {
    PARLANCE_TRY(write, arguments<WriteFile>(call));
    return files.prepare_write({.path = std::move(write.path), .content = std::move(write.content), .open_text = open_text}, at);
  }
  PARLANCE_TRY(edit, arguments<EditFile>(call));
  return files.prepare_edit({.path = std::move(edit.path),
                             .old_text = std::move(edit.old_text),
                             .new_text = std::move(edit.new_text),
                             .replace_all = edit.replace_all,
                             .open_text = open_text},
                            at);
}

bool is_edit(std::string_view tool) { return tool == "write_file" || tool == "edit_file"; }

// A person has to see where a link leads.
std::string with_real_place(std::string title, const workspace::ResolvedPath& path) {
  if (!path.nowhere && path.shown != path.absolute) title += " (really " + path.absolute + ")";
  return title;
}

std::string lines_of(const ReadFile& read) {
  if (!read.start_line && !read.end_line) return "";
  return ", lines " + std::to_string(read.start_line.value_or(1)) +
         (read.end_line ? " to " + std::to_string(*read.end_line) : " on");
}

}  // namespace

BuiltinTools::BuiltinTools(Loop& loop, workspace::CommandRunner& commands, agent::AgentBackend* memory)
    : commands_(commands), worker_(loop, "files") {
  if (memory != nullptr) memory_.emplace(*memory);
  specs_ = {
      tool_spec<ListFiles>("list_files", ToolKind::read, "Lists the files and folders of a folder, with sizes."),
      tool_spec<ReadFile>("read_file", ToolKind::read, "Reads a text file, or a range of its lines."),
      tool_spec<SearchFiles>(
          "search_files", ToolKind::read,
          "Searches files for a text or a regular expression. Returns path, line number and line of each match."),
      tool_spec<WriteFile>("write_file", ToolKind::edit,
                           "Writes a whole file. Creates a missing file and replaces an existing file."),
      tool_spec<EditFile>("edit_file", ToolKind::edit,
                          "Replaces text in a file. `old_text` must match exactly and contain enough context to occur once."),
      tool_spec<RunCommand>("run_command", ToolKind::execute, "Runs a shell command. Returns its output and exit code.")};
  if (memory_)
    for (hub::ToolSpec& memory_tool : MemoryTools::specs()) specs_.push_back(std::move(memory_tool));
  for (hub::ToolSpec& conversation_tool : conversation_tool_specs()) specs_.push_back(std::move(conversation_tool));
}

void BuiltinTools::offer_only(const std::vector<std::string>& names) {
  std::erase_if(specs_, [&](const hub::ToolSpec& tool_spec) { return std::ranges::find(names, tool_spec.name) == names.end(); });
}

Folders BuiltinTools::folders(const hub::SessionSetup& setup) const {
  Folders folders = folders_of(setup);
  folders.more.insert(folders.more.end(), more_folders_.begin(), more_folders_.end());
  return folders;
}

template <class F>
Task<std::invoke_result_t<F&, const workspace::FileTools&, const workspace::ResolvedPath&>> BuiltinTools::with_file(
    Folders folders, std::string path, std::optional<workspace::ResolvedPath> judged, F work) {
  if (judged)
    co_return co_await files_.in(*judged, [at = *judged, work](const workspace::FileTools& files) { return work(files, at); });
  co_return co_await files_.look(std::move(folders), std::move(path),
                                 [work](const workspace::FileTools& files, workspace::ResolvedPath at) {
                                   at.nowhere = at.nowhere || !at.inside;
                                   return work(files, at);
                                 });
}

// ---- the effects of a call ---------------------------------------------------------------------------------------------

Task<Result<hub::ToolIntent>> BuiltinTools::intent(const hub::SessionSetup& setup, const hub::ToolCall& call) {
  const Folders folder = folders(setup);
  const hub::ToolCall named = call;
  if (!offers(named.tool)) co_return fail(Errc::not_found, "there is no tool called " + named.tool);
  if (is_conversation_tool(named.tool)) co_return conversation_tool_intent(named);
  if (is_edit(named.tool)) co_return co_await edit_intent(setup.id, folder, intent_key(setup.id, call), named);
  const std::string key = intent_key(setup.id, call);
  if (named.tool == "list_files") {
    PARLANCE_CO_TRY(list, arguments<ListFiles>(named));
    co_return co_await read_intent(folder, key, list.path, list.path);
  }
  if (named.tool == "read_file") {
    PARLANCE_CO_TRY(read, arguments<ReadFile>(named));
    co_return co_await read_intent(folder, key, read.path, read.path + lines_of(read));
  }
  if (named.tool == "search_files") {
    PARLANCE_CO_TRY(search, arguments<SearchFiles>(named));
    co_return co_await read_intent(folder, key, search.path, "\"" + search.pattern + "\" in " + search.path);
  }
  if (named.tool == "run_command") {
    PARLANCE_CO_TRY(run, arguments<RunCommand>(named));
    co_return co_await command_intent(folder.own, key, run.command);
  }
  if (memory_ && MemoryTools::has(named.tool)) co_return co_await memory_->intent(named);
  co_return fail(Errc::not_found, "there is no tool called " + named.tool);
}

Task<Result<hub::ToolIntent>> BuiltinTools::edit_intent(std::string conversation, Folders folders, std::string key,
                                                        hub::ToolCall call) {
  PARLANCE_CO_TRY(file, arguments<NamedFile>(call));
  std::optional<std::string> open_text;
  bool new_there = false;
  if (open_files_ != nullptr && open_files_->reads(conversation) && open_files_->writes(conversation)) {
    PARLANCE_CO_TRY(place, co_await files_.place(folders, file.path));
    new_there = place.inside && !place.exists;
    if (place.inside && place.exists)
      if (auto text = co_await open_files_->read(conversation, place.absolute)) open_text = *std::move(text);
  }
  PARLANCE_CO_TRY(change,
                  co_await with_file(folders, file.path, {},
                                     [call, open_text](const workspace::FileTools& files, const workspace::ResolvedPath& at) {
                                       return prepare(files, at, call, open_text);
                                     }));
  hub::ToolIntent intent = change_intent(folders, change, file.path);
  if (offers("write_file")) intent.editable = hub::EditablePart::diff;
  const bool open = open_text || (new_there && !change.diff.before);
  prepared_.keep(std::move(key), {.change = std::move(change), .open = open});
  co_return intent;
}

Task<Result<hub::ToolIntent>> BuiltinTools::read_intent(Folders folders, std::string key, std::string path, std::string title) {
  PARLANCE_CO_TRY(place, co_await files_.place(folders, std::move(path)));
  hub::ToolIntent intent = file_intent(ToolKind::read, folders, place, with_real_place(std::move(title), place));
  prepared_.keep(std::move(key), {.place = std::move(place)});
  co_return intent;
}

Task<Result<hub::ToolIntent>> BuiltinTools::command_intent(std::string folder, std::string key, std::string command) {
  hub::ToolIntent intent{.kind = ToolKind::execute,
                         .title = command.substr(0, command.find('\n')),
                         .command = command,
                         .editable = hub::EditablePart::command,
                         .detail = command};
  Prepared prepared{.scripts = co_await check_.scripts(folder, command)};
  if (auto seen = co_await check_.look(std::move(folder), std::move(command))) {
    intent.look = std::move(seen->look);
    prepared.plain = std::move(seen->plain);
  }
  prepared_.keep(std::move(key), std::move(prepared));
  co_return intent;
}

// ---- running a call ----------------------------------------------------------------------------------------------------

Task<hub::ToolOutcome> BuiltinTools::call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) {
  auto outcome = co_await run(setup, call, std::move(host.output));
  if (!outcome) co_return hub::ToolOutcome{.state = hub::ToolEndState::failed, .text = outcome.error().message};
  co_return *std::move(outcome);
}

Task<Result<hub::ToolOutcome>> BuiltinTools::run(const hub::SessionSetup& setup, const hub::ToolCall& call,
                                                 hub::ToolOutputSink output) {
  const Folders folder = folders(setup);
  const hub::ToolCall named = call;
  Prepared prepared = prepared_.take(intent_key(setup.id, call)).value_or(Prepared{});
  if (is_edit(named.tool)) co_return co_await apply_change(setup.id, folder, std::move(prepared));
  if (named.tool == "run_command") co_return co_await run_command(folder.own, named, std::move(prepared), std::move(output));
  if (memory_ && MemoryTools::has(named.tool)) co_return co_await memory_->call(setup.id, named);
  co_return co_await read(setup.id, folder, named, std::move(prepared.place));
}

// Opens exactly the judged path; without a judgement, only paths inside the folder.
Task<Result<hub::ToolOutcome>> BuiltinTools::read(std::string conversation, Folders folders, hub::ToolCall named,
                                                  std::optional<workspace::ResolvedPath> judged) {
  using workspace::FileTools;
  using workspace::ResolvedPath;
  if (named.tool == "list_files") {
    PARLANCE_CO_TRY(list, arguments<ListFiles>(named));
    PARLANCE_CO_TRY(found, co_await with_file(std::move(folders), list.path, std::move(judged),
                                              [list](const FileTools& files, const ResolvedPath& at) {
                                                return files.list({.path = list.path, .recursive = list.recursive}, at);
                                              }));
    co_return done(text_of(found));
  }
  if (named.tool == "read_file") {
    PARLANCE_CO_TRY(read, arguments<ReadFile>(named));
    if (open_files_ != nullptr && open_files_->reads(conversation)) {
      if (!judged) {
        PARLANCE_CO_TRY(place, co_await files_.place(folders, read.path));
        place.nowhere = place.nowhere || !place.inside;
        judged = std::move(place);
      }
      // Files unknown to the editor are read from the disk. The editor is not asked for missing files, because iFlow's SDK shows
      // its user an error.
      if (!judged->nowhere && judged->exists)
        if (const auto text = co_await open_files_->read(conversation, judged->absolute))
          co_return done(text_of(workspace::lines_of(to_hub(read), *text)));
    }
    PARLANCE_CO_TRY(text, co_await with_file(
                              std::move(folders), read.path, std::move(judged),
                              [read](const FileTools& files, const ResolvedPath& at) { return files.read(to_hub(read), at); }));
    co_return done(text_of(text));
  }
  if (named.tool == "search_files") {
    PARLANCE_CO_TRY(search, arguments<SearchFiles>(named));
    const auto look = [search, own = folders.own](const FileTools& files,
                                                  const ResolvedPath& at) -> Result<workspace::SearchResult> {
      PARLANCE_TRY(found, files.search({.pattern = search.pattern,
                                        .regex = search.regex,
                                        .ignore_case = search.ignore_case,
                                        .path = search.path,
                                        .name = search.name},
                                       at));
      if (at.guard != own)  // relative paths refer to the conversation's own folder
        for (workspace::SearchHit& hit : found.hits) hit.path = at.guard + "/" + hit.path;
      return found;
    };
    PARLANCE_CO_TRY(found, co_await with_file(std::move(folders), search.path, std::move(judged), look));
    co_return done(text_of(found));
  }
  co_return fail(Errc::not_found, "there is no tool called " + named.tool);
}

// The same conditions as on the disk: the judged path, and the previewed text.
Task<Result<void>> BuiltinTools::write_open(std::string conversation, workspace::FileChange change) {
  PARLANCE_CO_TRY(exists, co_await files_.in(change.path, [change](const workspace::FileTools& files) -> Result<bool> {
    PARLANCE_TRY_DO(files.check_place(change));
    return files.guard().resolve(change.path.absolute).exists;
  }));
  bool is_as_shown = exists == change.diff.before.has_value();
  if (is_as_shown && exists) {
    PARLANCE_CO_TRY(now, co_await open_files_->read(conversation, change.path.absolute));
    is_as_shown = now == change.diff.before;
  }
  if (!is_as_shown) co_return fail(Errc::failed, "the file has changed since the preview: " + change.path.absolute);
  co_return co_await open_files_->write(conversation, change.path.absolute, *change.diff.after);
}

Task<Result<hub::ToolOutcome>> BuiltinTools::apply_change(std::string conversation, Folders folders, Prepared prepared) {
  if (!prepared.change) co_return fail(Errc::failed, "the shown change is no longer available: ask again");
  const workspace::FileChange change = *std::move(prepared.change);
  auto written = prepared.open && change.diff.after ? co_await write_open(std::move(conversation), change)
                                                    : Result<void>(fail(Errc::unknown_method, ""));
  if (!written && written.error().code == Errc::unknown_method)
    written = co_await files_.in(change.path, [change](const workspace::FileTools& files) { return files.apply(change); });
  PARLANCE_CO_TRY_DO(written);
  std::string text = change.diff.before ? "Changed " : "Created ";
  text += shown_path(folders, change.path);
  if (change.replaced > 1) text += " in " + std::to_string(change.replaced) + " places";
  co_return hub::ToolOutcome{.text = text + ".", .diff = change.diff};
}

Task<Result<hub::ToolOutcome>> BuiltinTools::run_command(std::string folder, hub::ToolCall call, Prepared prepared,
                                                         hub::ToolOutputSink output) {
  PARLANCE_CO_TRY(run, arguments<RunCommand>(call));
  const std::int64_t timeout = std::clamp<std::int64_t>(run.timeout_s.value_or(command_timeout_s), 1, longest_command_timeout_s);
  if (prepared.plain && !co_await check_.leads_as_before(folder, run.command, *prepared.plain))
    co_return fail(Errc::failed, "the files or programs of this command have changed since the decision: call the tool again");
  if (prepared.scripts && co_await check_.scripts(folder, run.command) != *prepared.scripts)
    co_return fail(Errc::failed, "a script of this command has changed since the decision: call the tool again");
  PARLANCE_CO_TRY(result, co_await commands_.run({.command = std::move(run.command),
                                                  .plain = std::move(prepared.plain),
                                                  .folder = std::move(folder),
                                                  .timeout = std::chrono::seconds(timeout)},
                                                 std::move(output)));
  co_return workspace::outcome_of(result);
}

}  // namespace parlance::toolbox
