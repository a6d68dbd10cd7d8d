#include "service/builtin_tools.h"

#include <algorithm>
#include <filesystem>

#include "codec/json/typed.h"
#include "codec/schema/json_schema.h"
#include "service/conversation_tools.h"

namespace parlance::service {
namespace {

using hub::ToolKind;
using wire::field;
using wire::fields;

// Shown changes that nobody carried out (refused, stopped) are forgotten beyond so many.
constexpr std::size_t prepared_changes = 64;
constexpr std::int64_t command_timeout_s = 120;
constexpr std::int64_t longest_command_timeout_s = 3600;

struct ListFiles {
  std::string path = ".";
  bool recursive = false;
  static constexpr auto wire =
      fields(field<&ListFiles::path>("path", "A folder, relative to the working folder.").or_default(),
             field<&ListFiles::recursive>("recursive", "Whether to list what lies below as well.").or_default());
};
struct ReadFile {
  std::string path{};
  std::optional<std::uint64_t> start_line{};
  std::optional<std::uint64_t> end_line{};
  static constexpr auto wire = fields(field<&ReadFile::path>("path", "The file, relative to the working folder."),
                                      field<&ReadFile::start_line>("start_line", "The first line wanted, from 1."),
                                      field<&ReadFile::end_line>("end_line", "The last line wanted."));
};
struct SearchFiles {
  std::string pattern{};
  std::string path = ".";
  bool regex = false;
  bool ignore_case = false;
  std::string name{};
  static constexpr auto wire =
      fields(field<&SearchFiles::pattern>("pattern", "The text to look for."),
             field<&SearchFiles::path>("path", "Where to look, relative to the working folder.").or_default(),
             field<&SearchFiles::regex>("regex", "Whether the pattern is a regular expression.").or_default(),
             field<&SearchFiles::ignore_case>("ignore_case", "Whether case does not matter.").or_default(),
             field<&SearchFiles::name>("name", "Only files of this name, for example *.cpp.").or_default());
};
struct WriteFile {
  std::string path{};
  std::string content{};
  static constexpr auto wire = fields(field<&WriteFile::path>("path", "The file, relative to the working folder."),
                                      field<&WriteFile::content>("content", "All of its new content."));
};
struct EditFile {
  std::string path{};
  std::string old_text{};
  std::string new_text{};
  bool replace_all = false;
  static constexpr auto wire =
      fields(field<&EditFile::path>("path", "The file, relative to the working folder."),
             field<&EditFile::old_text>("old_text", "The text to replace; it must occur exactly once."),
             field<&EditFile::new_text>("new_text", "What takes its place."),
             field<&EditFile::replace_all>("replace_all", "Replace it wherever it occurs.").or_default());
};
// What the two before have in common.
struct NamedFile {
  std::string path{};
  static constexpr auto wire = fields(field<&NamedFile::path>("path", "The file, relative to the working folder."));
};
struct RunCommand {
  std::string command{};
  std::optional<std::int64_t> timeout_s{};
  static constexpr auto wire =
      fields(field<&RunCommand::command>("command", "The command line, for the shell, run in the working folder."),
             field<&RunCommand::timeout_s>("timeout_s", "Seconds after which it is ended; 120 unless given."));
};
template <class T>
hub::ToolSpec spec(std::string_view name, ToolKind kind, std::string_view description) {
  return {.name = std::string(name),
          .description = std::string(description),
          .parameters_json = schema::json_schema(wire::type_of<T>()),
          .kind = kind};
}

template <class T>
Result<T> arguments(const hub::ToolCall& call) {
  auto read = json::from_text<T>(call.arguments_json.empty() ? "{}" : call.arguments_json);
  if (!read) return std::unexpected(std::move(read).error().in(call.tool));
  return read;
}

hub::ToolOutcome done(std::string text) { return {.text = std::move(text)}; }

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  return std::to_string(bytes / 1024) + " KiB";
}

std::string text_of(const hub::FileList& list) {
  std::string text;
  for (const hub::FileEntry& entry : list.entries) {
    text += entry.path;
    if (entry.link) text += "  (link)";
    else if (!entry.path.ends_with('/')) text += "  " + size_text(entry.size);
    text += '\n';
  }
  if (list.entries.empty()) text = "The folder is empty.\n";
  if (list.cut) text += "… and more; list a folder below.\n";
  return text;
}

std::string text_of(const hub::SearchResult& result) {
  std::string text;
  for (const hub::SearchHit& hit : result.hits) text += hit.path + ":" + std::to_string(hit.line) + ": " + hit.text + "\n";
  if (result.hits.empty()) text = "Nothing found in " + std::to_string(result.files) + " files.\n";
  if (result.cut) text += "… and more; search for something narrower.\n";
  return text;
}

hub::ReadFile to_hub(const ReadFile& read) {
  hub::ReadFile request{.path = read.path, .first_line = std::max<std::uint64_t>(read.start_line.value_or(1), 1)};
  if (read.end_line) request.lines = *read.end_line >= request.first_line ? *read.end_line - request.first_line + 1 : 0;
  return request;
}

std::string text_of(const hub::FileText& file) {
  std::string text = file.text;
  if (file.cut)
    text += (text.ends_with('\n') ? "" : "\n") + std::string("… the file goes on; read from line ") +
            std::to_string(file.first_line + file.lines) + ".\n";
  return text;
}

Result<hub::FileTools> open_files(const std::string& folder) {
  PARLANCE_TRY(guard, hub::PathGuard::open(folder));
  return hub::FileTools(std::move(guard));
}

Result<hub::FileChange> prepare(const hub::FileTools& files, const hub::ToolCall& call) {
  if (call.tool == "write_file") {
    PARLANCE_TRY(write, arguments<WriteFile>(call));
    return files.prepare_write({.path = std::move(write.path), .content = std::move(write.content)});
  }
  PARLANCE_TRY(edit, arguments<EditFile>(call));
  return files.prepare_edit({.path = std::move(edit.path),
                             .old_text = std::move(edit.old_text),
                             .new_text = std::move(edit.new_text),
                             .replace_all = edit.replace_all});
}

std::string key_of(const hub::Conversation& conversation, const hub::ToolCall& call) { return conversation.id + "\n" + call.id; }

bool is_edit(std::string_view tool) { return tool == "write_file" || tool == "edit_file"; }

hub::ToolIntent intent_of(ToolKind kind, const hub::ResolvedPath& path, std::string title) {
  hub::ToolIntent intent{.kind = kind, .title = std::move(title), .path = path.shown, .path_inside = path.inside};
  if (!path.nowhere) {
    intent.real_path = path.absolute;
    intent.canonical_path = path.canonical;
  }
  return intent;
}

// A person has to see where a link leads.
std::string with_real_place(std::string title, const hub::ResolvedPath& path) {
  if (!path.nowhere && path.shown != path.absolute) title += " (really " + path.absolute + ")";
  return title;
}

std::string lines_of(const ReadFile& read) {
  if (!read.start_line && !read.end_line) return "";
  return ", lines " + std::to_string(read.start_line.value_or(1)) +
         (read.end_line ? " to " + std::to_string(*read.end_line) : " on");
}

}  // namespace

BuiltinTools::BuiltinTools(Loop& loop, hub::CommandRunner& commands, AgentBackend* memory)
    : commands_(commands), worker_(loop, "files") {
  if (memory != nullptr) memory_.emplace(*memory);
  specs_ = {spec<ListFiles>("list_files", ToolKind::read, "Lists a folder."),
            spec<ReadFile>("read_file", ToolKind::read, "Reads a text file, or some of its lines."),
            spec<SearchFiles>("search_files", ToolKind::read, "Finds text in files."),
            spec<WriteFile>("write_file", ToolKind::edit, "Writes a whole file, new or not."),
            spec<EditFile>("edit_file", ToolKind::edit,
                           "Replaces a piece of a file. The old text must be exact, with enough around it to occur once."),
            spec<RunCommand>("run_command", ToolKind::execute, "Runs a shell command and returns what it printed.")};
  if (memory_)
    for (hub::ToolSpec& memory_tool : MemoryTools::specs()) specs_.push_back(std::move(memory_tool));
  for (hub::ToolSpec& conversation_tool : conversation_tool_specs()) specs_.push_back(std::move(conversation_tool));
}

void BuiltinTools::offer_only(const std::vector<std::string>& names) {
  std::erase_if(specs_, [&](const hub::ToolSpec& one) { return std::ranges::find(names, one.name) == names.end(); });
}

// Relative paths are always those of the working folder.
std::string BuiltinTools::folder_of(const std::string& folder, const std::string& path) const {
  const std::filesystem::path named = std::filesystem::path(path).lexically_normal();
  const auto lies_in = [&](const std::string& in) {
    const std::filesystem::path below = named.lexically_relative(in);
    return !below.empty() && *below.begin() != "..";
  };
  if (lies_in(folder)) return folder;
  const auto found = std::ranges::find_if(more_folders_, lies_in);
  return found == more_folders_.end() ? folder : *found;
}

std::string BuiltinTools::shown(const std::string& folder, const hub::ResolvedPath& path) const {
  return folder_of(folder, path.absolute) == folder ? path.relative : path.absolute;
}

template <class F>
auto BuiltinTools::with_files(const std::string& folder, const std::string& path, F work) {
  using R = std::invoke_result_t<F&, const hub::FileTools&>;
  return worker_.run([folder = folder_of(folder, path), work = std::move(work)]() mutable -> R {
    const Result<hub::FileTools> files = open_files(folder);
    if (!files) return std::unexpected(files.error());
    return work(*files);
  });
}

// ---- what a call would do ----------------------------------------------------------------------------------------------

Task<Result<hub::ToolIntent>> BuiltinTools::intent(const hub::Conversation& conversation, const hub::ToolCall& call) {
  const std::string folder = conversation.folder;
  const hub::ToolCall named = call;
  if (std::ranges::find(specs_, named.tool, &hub::ToolSpec::name) == specs_.end())
    co_return fail(Errc::not_found, "there is no tool called " + named.tool);
  if (is_conversation_tool(named.tool)) co_return conversation_tool_intent(named);
  if (is_edit(named.tool)) co_return co_await edit_intent(folder, key_of(conversation, call), named);
  const std::string key = key_of(conversation, call);
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
    co_return co_await command_intent(folder, key, run.command);
  }
  if (memory_ && MemoryTools::has(named.tool)) co_return co_await memory_->intent(named);
  co_return fail(Errc::not_found, "there is no tool called " + named.tool);
}

Task<Result<hub::ToolIntent>> BuiltinTools::edit_intent(std::string folder, std::string key, hub::ToolCall call) {
  PARLANCE_CO_TRY(file, arguments<NamedFile>(call));
  PARLANCE_CO_TRY(change,
                  co_await with_files(folder, file.path, [call](const hub::FileTools& files) { return prepare(files, call); }));
  hub::ToolIntent intent = intent_of(ToolKind::edit, change.path, shown(folder, change.path));
  if (change.path.shown != change.path.absolute) intent.title += " (named " + file.path + ")";
  intent.guarded = change.guarded;
  intent.diff = change.diff;
  keep(std::move(key), {.change = std::move(change)});
  co_return intent;
}

Task<Result<hub::ToolIntent>> BuiltinTools::read_intent(std::string folder, std::string key, std::string path,
                                                        std::string title) {
  PARLANCE_CO_TRY(place, co_await with_files(folder, path, [path](const hub::FileTools& files) -> Result<hub::ResolvedPath> {
                    return files.guard().resolve(path);
                  }));
  hub::ToolIntent intent = intent_of(ToolKind::read, place, with_real_place(std::move(title), place));
  keep(std::move(key), {.place = std::move(place)});
  co_return intent;
}

Task<Result<hub::ToolIntent>> BuiltinTools::command_intent(std::string folder, std::string key, std::string command) {
  hub::ToolIntent intent{
      .kind = ToolKind::execute, .title = command.substr(0, command.find('\n')), .command = command, .detail = command};
  Prepared prepared;
  if (auto seen = co_await check_.look(std::move(folder), std::move(command))) {
    intent.look = std::move(seen->look);
    prepared.plain = std::move(seen->plain);
  }
  keep(std::move(key), std::move(prepared));
  co_return intent;
}

void BuiltinTools::keep(std::string key, Prepared prepared) {
  std::erase(prepared_order_, key);
  prepared_order_.push_back(key);
  prepared_[std::move(key)] = std::move(prepared);
  while (prepared_order_.size() > prepared_changes) {
    prepared_.erase(prepared_order_.front());
    prepared_order_.pop_front();
  }
}

BuiltinTools::Prepared BuiltinTools::take(const std::string& key) {
  const auto found = prepared_.find(key);
  if (found == prepared_.end()) return {};
  Prepared prepared = std::move(found->second);
  prepared_.erase(found);
  std::erase(prepared_order_, key);
  return prepared;
}

// ---- doing it ----------------------------------------------------------------------------------------------------------

Task<hub::ToolOutcome> BuiltinTools::call(const hub::Conversation& conversation, const hub::ToolCall& call,
                                          hub::ToolHost host) {
  auto outcome = co_await run(conversation, call, std::move(host.output));
  if (!outcome) co_return hub::ToolOutcome{.state = hub::ToolEndState::failed, .text = outcome.error().message};
  co_return *std::move(outcome);
}

Task<Result<hub::ToolOutcome>> BuiltinTools::run(const hub::Conversation& conversation, const hub::ToolCall& call,
                                                 hub::ToolOutputSink output) {
  const std::string folder = conversation.folder;
  const hub::ToolCall named = call;
  Prepared prepared = take(key_of(conversation, call));
  if (is_edit(named.tool)) co_return co_await apply_change(folder, std::move(prepared));
  if (named.tool == "run_command") co_return co_await run_command(folder, named, std::move(prepared), std::move(output));
  if (memory_ && MemoryTools::has(named.tool)) co_return co_await memory_->call(conversation.id, named);
  co_return co_await read(folder, named, std::move(prepared.place));
}

// What was judged is what is opened; when nobody judged anything, only what lies inside.
Task<Result<hub::ToolOutcome>> BuiltinTools::read(std::string folder, hub::ToolCall named, std::optional<hub::ResolvedPath> at) {
  if (named.tool == "list_files") {
    PARLANCE_CO_TRY(list, arguments<ListFiles>(named));
    const std::string path = at ? at->absolute : list.path;
    PARLANCE_CO_TRY(found, co_await with_files(folder, path, [list, at](const hub::FileTools& files) {
                      const hub::ListFiles request{.path = list.path, .recursive = list.recursive};
                      return at ? files.list(request, *at) : files.list(request);
                    }));
    co_return done(text_of(found));
  }
  if (named.tool == "read_file") {
    PARLANCE_CO_TRY(read, arguments<ReadFile>(named));
    const std::string path = at ? at->absolute : read.path;
    PARLANCE_CO_TRY(text, co_await with_files(folder, path, [read, at](const hub::FileTools& files) {
                      return at ? files.read(to_hub(read), *at) : files.read(to_hub(read));
                    }));
    co_return done(text_of(text));
  }
  if (named.tool == "search_files") {
    PARLANCE_CO_TRY(search, arguments<SearchFiles>(named));
    const std::string path = at ? at->absolute : search.path;
    PARLANCE_CO_TRY(found, co_await with_files(folder, path, [search, at](const hub::FileTools& files) {
                      const hub::SearchFiles request{.pattern = search.pattern,
                                                     .regex = search.regex,
                                                     .ignore_case = search.ignore_case,
                                                     .path = search.path,
                                                     .name = search.name};
                      return at ? files.search(request, *at) : files.search(request);
                    }));
    if (const std::string searched = folder_of(folder, path); searched != folder)
      for (hub::SearchHit& hit : found.hits) hit.path = searched + "/" + hit.path;  // a relative path would lead elsewhere
    co_return done(text_of(found));
  }
  co_return fail(Errc::not_found, "there is no tool called " + named.tool);
}

Task<Result<hub::ToolOutcome>> BuiltinTools::apply_change(std::string folder, Prepared prepared) {
  if (!prepared.change) co_return fail(Errc::failed, "the change that was shown is not kept any more: ask again");
  const hub::FileChange change = *std::move(prepared.change);
  PARLANCE_CO_TRY_DO(
      co_await with_files(folder, change.path.absolute, [change](const hub::FileTools& files) { return files.apply(change); }));
  std::string text = change.diff.before ? "Changed " : "Created ";
  text += shown(folder, change.path);
  if (change.replaced > 1) text += " in " + std::to_string(change.replaced) + " places";
  co_return hub::ToolOutcome{.text = text + ".", .diff = change.diff};
}

Task<Result<hub::ToolOutcome>> BuiltinTools::run_command(std::string folder, hub::ToolCall call, Prepared prepared,
                                                         hub::ToolOutputSink output) {
  PARLANCE_CO_TRY(run, arguments<RunCommand>(call));
  const std::int64_t timeout = std::clamp<std::int64_t>(run.timeout_s.value_or(command_timeout_s), 1, longest_command_timeout_s);
  if (prepared.plain) {  // its words may lead elsewhere by now
    const auto seen = co_await check_.look(folder, run.command);
    if (!seen || seen->plain != prepared.plain)
      co_return fail(Errc::failed, "what this command would reach has changed since it was decided on: call it again");
  }
  PARLANCE_CO_TRY(result, co_await commands_.run({.command = std::move(run.command),
                                                  .plain = std::move(prepared.plain),
                                                  .folder = std::move(folder),
                                                  .timeout = std::chrono::seconds(timeout)},
                                                 std::move(output)));
  co_return hub::outcome_of(result);
}

}  // namespace parlance::service
