// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/tools.h"

#include <algorithm>
#include <array>

#include "parlance/adapter/claude/proposal.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/typed.h"
#include "parlance/toolbox/claude_questions.h"
#include "parlance/toolbox/judge.h"

namespace parlance::adapter {
namespace {

constexpr std::size_t title_bytes = 200;  // one line of a card

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

std::string path_of(const ClaudeCall& call) {
  for (const char* name : {"file_path", "notebook_path", "path"})
    if (const auto text = call.input.text_or(name, ""); !text.empty()) return std::string(text);
  return "";
}

std::string one_line(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::string_view cut = utf8_prefix(line, title_bytes);
  return cut.size() == text.size() ? std::string(text) : std::string(cut) + "…";
}

hub::ToolKind label_of(std::string_view tool) {
  if (is_one_of(tool, {"Bash", "BashOutput", "KillShell", "KillBash"})) return hub::ToolKind::execute;
  if (is_one_of(tool, {"Write", "Edit", "MultiEdit", "NotebookEdit"})) return hub::ToolKind::edit;
  if (is_one_of(tool, {"Read", "Glob", "Grep", "LS", "NotebookRead"})) return hub::ToolKind::read;
  if (is_one_of(tool, {"TodoWrite", "AskUserQuestion", "ExitPlanMode"})) return hub::ToolKind::ask;
  return hub::ToolKind::other;
}

// Claude Code's search tools read its working folder where they name none, and the pattern of `Glob` may name another.
void add_searched(toolbox::ReportedCall& report, const ClaudeCall& call) {
  if (!is_one_of(call.tool, {"Glob", "Grep", "LS"})) return;
  if (path_of(call).empty()) report.paths.emplace_back(".");
  if (call.tool == "Glob") report.paths.push_back(toolbox::folder_of_pattern(std::string(call.input.text_or("pattern", "."))));
}

bool replace(std::string& text, std::string_view old_text, std::string_view new_text, bool all) {
  if (old_text.empty()) return false;
  std::size_t at = text.find(old_text);
  if (at == std::string::npos) return false;
  do {
    text.replace(at, old_text.size(), new_text);
    at = text.find(old_text, at + new_text.size());
  } while (all && at != std::string::npos);
  return true;
}

bool apply_edit(std::string& text, const json::Value& edit) {
  return replace(text, edit.text_or("old_string", ""), edit.text_or("new_string", ""), edit.boolean_or("replace_all", false));
}

// The file before and after the call. For an edit that does not apply, the texts of the call.
std::optional<hub::Diff> diff_of(const ClaudeCall& call, const std::string& path, const FileReader& read) {
  const auto before = read(path);
  if (call.tool == "Write")
    return hub::Diff{.path = path, .before = before, .after = std::string(call.input.text_or("content", ""))};
  if (call.tool == "Edit") {
    if (std::string after = before.value_or(""); apply_edit(after, call.input))
      return hub::Diff{.path = path, .before = before, .after = after};
    if (!before && call.input.text_or("old_string", "").empty())
      return hub::Diff{.path = path, .after = std::string(call.input.text_or("new_string", ""))};
    return hub::Diff{.path = path,
                     .before = std::string(call.input.text_or("old_string", "")),
                     .after = std::string(call.input.text_or("new_string", ""))};
  }
  if (call.tool == "MultiEdit") {
    std::string after = before.value_or("");
    if (const json::Value* edits = call.input.find("edits"); edits != nullptr && edits->array() != nullptr)
      for (const json::Value& edit : *edits->array()) apply_edit(after, edit);
    return hub::Diff{.path = path, .before = before, .after = after};
  }
  return std::nullopt;
}

}  // namespace

std::string claude_title(const ClaudeCall& call) {
  for (const char* name :
       {"command", "file_path", "notebook_path", "pattern", "url", "query", "description", "path", "plan", "prompt"})
    if (const auto text = call.input.text_or(name, ""); !text.empty()) return one_line(text);
  if (const json::Value* questions = call.input.find("questions");
      questions != nullptr && questions->array() != nullptr && !questions->array()->empty())
    return one_line(questions->array()->front().text_or("question", ""));
  return call.tool;
}

hub::ToolIntent claude_intent(const ClaudeCall& call, const toolbox::Folders& folders, const FileReader& read) {
  toolbox::ReportedCall report{
      .tool = call.tool, .title = claude_title(call), .label = label_of(call.tool), .inputs = {call.input}};
  if (report.label == hub::ToolKind::execute && call.input.text_or("command", "").empty()) report.title = call.tool;
  add_searched(report, call);
  hub::ToolIntent intent = toolbox::judge(report, folders);
  intent.title = claude_title(call);
  const std::string path = path_of(call);
  if (intent.kind == hub::ToolKind::edit && !path.empty())
    intent.diff = diff_of(call, path.starts_with('/') ? path : folders.own + "/" + path, read);
  intent.editable = claude_editable(call, intent);
  if (intent.kind == hub::ToolKind::other) intent.detail = json::to_text(call.input);
  return intent;
}

std::optional<hub::Diff> claude_diff(const json::Value& result) {
  const std::string path(result.text_or("filePath", ""));
  if (path.empty()) return std::nullopt;
  hub::Diff diff{.path = path};
  const json::Value* original = result.find("originalFile");
  if (original != nullptr && original->text() != nullptr) diff.before = *original->text();
  if (const json::Value* content = result.find("content"); content != nullptr && content->text() != nullptr) {
    diff.after = *content->text();
    return diff;
  }
  const std::string_view old_text = result.text_or("oldString", "");
  const std::string_view new_text = result.text_or("newString", "");
  if (result.find("newString") == nullptr) return std::nullopt;
  diff.after = diff.before.value_or("");
  if (!diff.before || !replace(*diff.after, old_text, new_text, result.boolean_or("replaceAll", false))) {
    diff.before = std::string(old_text);
    diff.after = std::string(new_text);
  }
  return diff;
}

std::optional<std::vector<hub::PlanEntry>> claude_plan(const ClaudeCall& call) {
  const json::Value* todos = call.tool == "TodoWrite" ? call.input.find("todos") : nullptr;
  if (todos == nullptr || todos->array() == nullptr) return std::nullopt;
  std::vector<hub::PlanEntry> plan;
  for (const json::Value& todo : *todos->array()) {
    const std::string_view status = todo.text_or("status", "");
    const std::string_view priority = todo.text_or("priority", "");
    plan.push_back({.content = std::string(todo.text_or("content", "")),
                    .status = status == "completed"     ? hub::PlanStatus::completed
                              : status == "in_progress" ? hub::PlanStatus::in_progress
                                                        : hub::PlanStatus::pending,
                    .priority = priority == "high"  ? hub::PlanPriority::high
                                : priority == "low" ? hub::PlanPriority::low
                                                    : hub::PlanPriority::medium});
  }
  return plan;
}

json::Value claude_todos(const std::vector<hub::PlanEntry>& plan) {
  json::Array todos;
  for (const hub::PlanEntry& entry : plan) {
    json::Object todo;
    todo.set("content", entry.content);
    todo.set("status", entry.status == hub::PlanStatus::completed     ? "completed"
                       : entry.status == hub::PlanStatus::in_progress ? "in_progress"
                                                                      : "pending");
    todo.set("activeForm", entry.content);
    todos.emplace_back(std::move(todo));
  }
  json::Object input;
  input.set("todos", std::move(todos));
  return json::Value(std::move(input));
}

std::optional<std::vector<hub::Question>> claude_questions(const ClaudeCall& call) {
  const json::Value* asked = call.tool == "AskUserQuestion" ? call.input.find("questions") : nullptr;
  if (asked == nullptr || asked->array() == nullptr || asked->array()->empty()) return std::nullopt;
  return toolbox::claude_questions(*asked->array());
}

std::string claude_question_input(const std::vector<hub::Question>& asked) {
  json::Array questions;
  for (const hub::Question& question : asked) {
    json::Array options;
    for (const hub::QuestionOption& option : question.options) {
      json::Object object;
      object.set("label", option.label);
      object.set("description", option.description);
      options.push_back(std::move(object));
    }
    json::Object object;
    object.set("question", question.question);
    object.set("header", question.header);
    object.set("options", std::move(options));
    object.set("multiSelect", question.multiple);
    questions.push_back(std::move(object));
  }
  json::Object input;
  input.set("questions", std::move(questions));
  return json::to_text(json::Value(std::move(input)));
}

std::string claude_answers(const ClaudeCall& call, const hub::AskAnswer& answer) {
  json::Value input = call.input;
  if (input.object() == nullptr) input = json::Object{};
  json::Object answers;
  const auto questions = claude_questions(call).value_or(std::vector<hub::Question>{});
  for (std::size_t i = 0; i < questions.size() && i < answer.answers.size(); ++i) {
    std::string text;
    for (const std::string& label : answer.answers[i]) text += (text.empty() ? "" : ", ") + label;
    answers.set(questions[i].question, std::move(text));
  }
  input.object()->set("answers", std::move(answers));
  return json::to_text(input);
}

hub::Mode hub_mode(std::string_view permission_mode, hub::Mode before) {
  if (permission_mode == "plan") return hub::Mode::plan;
  if (permission_mode == "acceptEdits") return hub::Mode::auto_edit;
  if (permission_mode == "bypassPermissions") return hub::Mode::yolo;
  if (permission_mode == "default") return claude_mode(before) == "default" ? before : hub::Mode::default_;
  return before;
}

std::string claude_mode(hub::Mode mode) {
  if (mode == hub::Mode::plan) return "plan";
  if (mode == hub::Mode::auto_edit) return "acceptEdits";
  return "default";
}

std::string claude_run_mode(hub::Mode mode) { return mode == hub::Mode::plan ? "plan" : "default"; }

hub::Mode lowered_mode(std::string_view mode, hub::Mode before) { return mode == "plan" ? hub::Mode::plan : before; }

}  // namespace parlance::adapter
