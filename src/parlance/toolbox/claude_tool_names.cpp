// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/claude_tool_names.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/schema/json_schema.h"
#include "parlance/toolbox/tool_values.h"
#include "parlance/wire/describe.h"

namespace parlance::toolbox {
namespace {

using wire::field;
using wire::fields;

// ---- the inputs of Claude Code's tools

struct Bash {
  std::string command{};
  std::optional<std::string> description{};
  std::optional<double> timeout{};
  static constexpr auto wire = fields(
      field<&Bash::command>("command", "The command line. A shell runs the command line in the working folder."),
      field<&Bash::description>("description",
                                "The effect of the command in a few words, for the person who approves the command."),
      field<&Bash::timeout>("timeout", "Time limit in milliseconds. The command is ended after this time. Default: 120000."));
};
struct Read {
  std::string file_path{};
  std::optional<std::uint64_t> offset{};
  std::optional<std::uint64_t> limit{};
  static constexpr auto wire =
      fields(field<&Read::file_path>("file_path", "The file to read: an absolute path."),
             field<&Read::offset>("offset", "The first line to return, counted from 1. Default: 1."),
             field<&Read::limit>("limit", "The number of lines to return. Default: all lines up to the end of the file."));
};
struct Write {
  std::string file_path{};
  std::string content{};
  static constexpr auto wire =
      fields(field<&Write::file_path>("file_path", "The file to write: an absolute path. A missing file is created."),
             field<&Write::content>("content", "The complete new content of the file. It replaces all earlier content."));
};
struct Edit {
  std::string file_path{};
  std::string old_string{};
  std::string new_string{};
  bool replace_all = false;
  static constexpr auto wire = fields(
      field<&Edit::file_path>("file_path", "The file to change: an absolute path."),
      field<&Edit::old_string>("old_string",
                               "The exact text to replace. It must occur exactly once, unless `replace_all` is true."),
      field<&Edit::new_string>("new_string", "The replacement text. An empty text deletes `old_string`."),
      field<&Edit::replace_all>("replace_all", "True replaces every occurrence of `old_string`. Default: false.").or_default());
};
struct Glob {
  std::string pattern{};
  std::optional<std::string> path{};
  static constexpr auto wire = fields(
      field<&Glob::pattern>("pattern",
                            "Pattern of the file names: `*` finds the files of the folder, `**/*.ts` finds all files with this "
                            "ending below the folder."),
      field<&Glob::path>("path", "The folder to search. Default: the working folder."));
};
struct Grep {
  std::string pattern{};
  std::optional<std::string> path{};
  std::optional<std::string> glob{};
  bool ignore_case = false;
  static constexpr auto wire =
      fields(field<&Grep::pattern>("pattern", "The regular expression to find."),
             field<&Grep::path>("path", "The file or folder to search. Default: the working folder."),
             field<&Grep::glob>("glob", "Search only files with this name, for example `*.cpp`. Default: all files."),
             field<&Grep::ignore_case>("-i", "True ignores upper and lower case. Default: false.").or_default());
};
struct Todo {
  std::string content{};
  std::string status{};
  std::optional<std::string> active_form{};
  static constexpr auto wire = fields(
      field<&Todo::content>("content", "The step of the plan, in a few words."),
      field<&Todo::status>("status", "State of the step: pending, in_progress or completed."),
      field<&Todo::active_form>("activeForm", "The same step in the present continuous, shown while the step is in progress."));
};
struct TodoWrite {
  std::vector<Todo> todos{};
  static constexpr auto wire =
      fields(field<&TodoWrite::todos>("todos", "The whole plan in order. It replaces the earlier plan."));
};
struct Choice {
  std::string label{};
  std::string description{};
  static constexpr auto wire = fields(field<&Choice::label>("label", "The choice in a few words."),
                                      field<&Choice::description>("description", "The effect of the choice.").or_default());
};
struct Question {
  std::string question{};
  std::string header{};
  std::vector<Choice> options{};
  bool multi_select = false;
  static constexpr auto wire =
      fields(field<&Question::question>("question", "The complete question."),
             field<&Question::header>("header", "A heading of one or two words.").or_default(),
             field<&Question::options>("options", "The choices. The person may also answer in their own words.").or_default(),
             field<&Question::multi_select>("multiSelect", "True allows several choices. Default: false.").or_default());
};
struct AskUserQuestion {
  std::vector<Question> questions{};
  static constexpr auto wire = fields(field<&AskUserQuestion::questions>("questions", "One to four questions."));
};
struct ExitPlanMode {
  std::string plan{};
  static constexpr auto wire =
      fields(field<&ExitPlanMode::plan>("plan", "The plan as Markdown. The person approves or rejects this text."));
};

// ---- conversion between the two forms

json::Value object(std::initializer_list<std::pair<const char*, json::Value>> members) {
  json::Object made;
  for (const auto& [name, value] : members)
    if (!value.is_null()) made.set(name, value);
  return made;
}
template <class T>
json::Value or_nothing(const std::optional<T>& value) {
  return value ? json::Value(*value) : json::Value();
}
json::Value member(const json::Value& of, std::string_view name) {
  const json::Value* found = of.find(name);
  return found == nullptr ? json::Value() : *found;
}
json::Value absolute(const json::Value& path, const std::string& folder) {
  if (path.text() == nullptr) return path;
  const std::filesystem::path whole = (std::filesystem::path(folder) / *path.text()).lexically_normal();
  std::string text = whole.string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}
// A regular expression that matches exactly this text.
std::string expression_of(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").contains(c)) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

Result<json::Value> ours(const Bash& in) {
  json::Value seconds;
  if (in.timeout) seconds = static_cast<std::int64_t>(std::clamp(*in.timeout / 1000, 1.0, 1e9));
  return object({{"command", in.command}, {"timeout_s", seconds}});
}
Result<json::Value> ours(const Read& in) {
  json::Value last;
  const std::uint64_t first = std::max<std::uint64_t>(in.offset.value_or(1), 1);
  if (in.limit) last = first + std::min(std::max<std::uint64_t>(*in.limit, 1) - 1, UINT64_MAX - first);
  return object({{"path", in.file_path}, {"start_line", or_nothing(in.offset)}, {"end_line", last}});
}
Result<json::Value> ours(const Write& in) { return object({{"path", in.file_path}, {"content", in.content}}); }
Result<json::Value> ours(const Edit& in) {
  return object({{"path", in.file_path},
                 {"old_text", in.old_string},
                 {"new_text", in.new_string},
                 {"replace_all", in.replace_all ? json::Value(true) : json::Value()}});
}
Result<json::Value> ours(const Glob& in) {
  return object({{"path", in.path.value_or(".")}, {"recursive", in.pattern.contains('/') || in.pattern.contains("**")}});
}
Result<json::Value> ours(const Grep& in) {
  return object({{"pattern", in.pattern},
                 {"path", or_nothing(in.path)},
                 {"regex", true},
                 {"ignore_case", in.ignore_case ? json::Value(true) : json::Value()},
                 {"name", or_nothing(in.glob)}});
}
Result<json::Value> ours(const TodoWrite& in) {
  json::Array entries;
  for (const Todo& todo : in.todos) entries.push_back(object({{"content", todo.content}, {"status", todo.status}}));
  return object({{"entries", std::move(entries)}});
}
Result<json::Value> ours(const AskUserQuestion& in) {
  json::Array questions;
  for (const Question& question : in.questions) {
    json::Array options;
    for (const Choice& choice : question.options)
      options.push_back(object({{"label", choice.label}, {"description", choice.description}}));
    questions.push_back(object({{"header", question.header},
                                {"question", question.question},
                                {"multiple", question.multi_select},
                                {"options", std::move(options)}}));
  }
  return object({{"questions", std::move(questions)}});
}
Result<json::Value> ours(const ExitPlanMode& in) { return object({{"plan", in.plan}}); }

template <class T>
Result<json::Value> to_ours(const hub::ToolCall& call) {
  const Result<T>& read = message_of<T>(call);
  if (!read) return std::unexpected(read.error());
  return ours(*read);
}
template <class T>
std::string schema_of() {
  return schema::json_schema(wire::type_of<T>());
}

json::Value bash(const json::Value& in, const std::string&) {
  std::int64_t seconds = in.integer_or("timeout_s", 0);
  return object({{"command", member(in, "command")},
                 {"timeout", seconds > 0 ? json::Value(std::min(seconds, INT64_MAX / 1000) * 1000) : json::Value()}});
}
json::Value read(const json::Value& in, const std::string& folder) {
  const std::int64_t first = in.integer_or("start_line", 1);
  const std::int64_t last = in.integer_or("end_line", 0);
  return object({{"file_path", absolute(member(in, "path"), folder)},
                 {"offset", member(in, "start_line")},
                 {"limit", last >= first ? json::Value(last - first + 1) : json::Value()}});
}
json::Value write(const json::Value& in, const std::string& folder) {
  return object({{"file_path", absolute(member(in, "path"), folder)}, {"content", member(in, "content")}});
}
json::Value edit(const json::Value& in, const std::string& folder) {
  return object({{"file_path", absolute(member(in, "path"), folder)},
                 {"old_string", member(in, "old_text")},
                 {"new_string", member(in, "new_text")},
                 {"replace_all", member(in, "replace_all")}});
}
json::Value glob(const json::Value& in, const std::string& folder) {
  return object({{"pattern", in.boolean_or("recursive", false) ? "**/*" : "*"},
                 {"path", absolute(json::Value(in.text_or("path", ".")), folder)}});
}
json::Value grep(const json::Value& in, const std::string& folder) {
  json::Value pattern = member(in, "pattern");
  if (pattern.text() != nullptr && !in.boolean_or("regex", false)) pattern = expression_of(*pattern.text());
  return object({{"pattern", pattern},
                 {"path", absolute(member(in, "path"), folder)},
                 {"glob", member(in, "name")},
                 {"-i", member(in, "ignore_case")}});
}
json::Value todos(const json::Value& in, const std::string&) {
  json::Array all;
  if (const json::Value* entries = in.find("entries"); entries != nullptr && entries->array() != nullptr)
    for (const json::Value& entry : *entries->array())
      all.push_back(object({{"content", member(entry, "content")},
                            {"status", entry.text_or("status", "pending")},
                            {"activeForm", member(entry, "content")}}));
  return object({{"todos", std::move(all)}});
}
json::Value questions(const json::Value& in, const std::string&) {
  json::Array all;
  if (const json::Value* asked = in.find("questions"); asked != nullptr && asked->array() != nullptr)
    for (const json::Value& question : *asked->array()) {
      const json::Value options = member(question, "options");
      all.push_back(object({{"question", member(question, "question")},
                            {"header", question.text_or("header", "")},
                            {"options", options.is_null() ? json::Value(json::Array{}) : options},
                            {"multiSelect", question.boolean_or("multiple", false)}}));
    }
  return object({{"questions", std::move(all)}});
}
json::Value plan(const json::Value& in, const std::string&) { return object({{"plan", member(in, "plan")}}); }

constexpr std::array<ClaudeTool, 9> tools{{
    {"Read", "read_file", "Reads a text file, or a range of its lines.", schema_of<Read>, to_ours<Read>, read},
    {"Write", "write_file", "Writes a whole file. Creates a missing file and replaces an existing file.", schema_of<Write>,
     to_ours<Write>, write},
    {"Edit", "edit_file", "Replaces text in a file. `old_string` must match exactly and contain enough context to occur once.",
     schema_of<Edit>, to_ours<Edit>, edit},
    {"Bash", "run_command", "Runs a shell command. Returns its output and exit code.", schema_of<Bash>, to_ours<Bash>, bash},
    {"Grep", "search_files", "Searches files for a regular expression. Returns path, line number and line of each match.",
     schema_of<Grep>, to_ours<Grep>, grep},
    {"Glob", "list_files", "Lists files with names that match a pattern.", schema_of<Glob>, to_ours<Glob>, glob},
    {"TodoWrite", "update_plan",
     "Shows the person the plan of this task with the state of each step. Call this tool again after each change of a step.",
     schema_of<TodoWrite>, to_ours<TodoWrite>, todos},
    {"AskUserQuestion", "ask_user",
     "Asks the person one to four questions and waits for the answers. Use this tool for decisions of the person only.",
     schema_of<AskUserQuestion>, to_ours<AskUserQuestion>, questions},
    {"ExitPlanMode", "propose_plan", "Shows a plan and waits for the person's approval. Use this tool before larger changes.",
     schema_of<ExitPlanMode>, to_ours<ExitPlanMode>, plan},
}};

}  // namespace

std::span<const ClaudeTool> claude_tools() { return tools; }

const ClaudeTool* claude_tool(std::string_view claude) {
  const auto* const found = std::ranges::find(tools, claude, &ClaudeTool::claude);
  return found == tools.end() ? nullptr : found;
}
const ClaudeTool* claude_tool_of_ours(std::string_view ours) {
  const auto* const found = std::ranges::find(tools, ours, &ClaudeTool::ours);
  return found == tools.end() ? nullptr : found;
}

hub::ToolCall claude_call(hub::ToolCall call, const std::string& folder) {
  const ClaudeTool* const tool = claude_tool_of_ours(call.tool);
  if (tool == nullptr) return call;
  call.tool = tool->claude;
  if (const Result<json::Value>& arguments = value_of(call); arguments && arguments->object() != nullptr)
    call.arguments_json = json::to_text(tool->to_claude(*arguments, folder));
  return call;
}

namespace {

// The converted input, cached with the original input: its parsed forms are then cached too.
struct OwnInput {
  const ClaudeTool* of = nullptr;
  Result<hub::ToolInput> input{};
};

Result<hub::ToolInput> own_input(const ClaudeTool& tool, const hub::ToolCall& call) {
  PARLANCE_TRY(arguments, tool.to_ours(call));
  return hub::ToolInput(json::to_text(arguments));
}

}  // namespace

Result<hub::ToolCall> own_call(hub::ToolCall call) {
  const ClaudeTool* const tool = claude_tool(call.tool);
  if (tool == nullptr) return call;
  const OwnInput& kept = call.arguments_json.read_as<OwnInput>(
      [&](std::string_view) { return OwnInput{.of = tool, .input = own_input(*tool, call)}; });
  auto input = kept.of == tool ? kept.input : own_input(*tool, call);  // the cache may hold the input under another tool name
  if (!input) return std::unexpected(std::move(input).error().in(call.tool));
  call.tool = tool->ours;
  call.arguments_json = *std::move(input);
  return call;
}

std::string own_tool(const std::string& claude) {
  if (claude == "MultiEdit") return "edit_file";  // of older versions
  if (claude == "LS") return "list_files";
  const ClaudeTool* const tool = claude_tool(claude);
  return tool == nullptr ? claude : std::string(tool->ours);
}

}  // namespace parlance::toolbox
