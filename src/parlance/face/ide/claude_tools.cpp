// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/ide/claude_tools.h"

#include <utility>

namespace parlance::face::claude_ide {
namespace {

using mcp::CallToolResult;

template <class... Text>
CallToolResult said(Text... lines) {
  CallToolResult result;
  result.content.emplace();
  (result.content->push_back(mcp::text(std::move(lines))), ...);
  return result;
}
template <class T>
CallToolResult as_json(const T& value) {
  return said(json::to_text(value));
}

// A temporary failure of the editor is an answer; other errors are failed calls.
Result<CallToolResult> not_now(const Error& error) {
  if (error.code != Errc::failed && error.code != Errc::denied) return std::unexpected(error);
  return as_json(Done{.success = false, .message = error.message});
}

// The CLI compares these words.
std::string_view severity(hub::editor::Severity level) {
  switch (level) {
    case hub::editor::Severity::error: return "Error";
    case hub::editor::Severity::warning: return "Warning";
    case hub::editor::Severity::information: return "Info";
    case hub::editor::Severity::hint: break;
  }
  return "Hint";
}

std::optional<std::string> if_any(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

FileDiagnostics to_wire(const hub::editor::FileDiagnostics& file) {
  FileDiagnostics made{.uri = ide::file_uri(file.path)};
  for (const hub::editor::Diagnostic& diagnostic : file.diagnostics)
    made.diagnostics.push_back({.message = diagnostic.message,
                                .severity = std::string(severity(diagnostic.severity)),
                                .range = diagnostic.range,
                                .source = if_any(diagnostic.source),
                                .code = if_any(diagnostic.code)});
  return made;
}

Tab to_wire(const hub::editor::OpenEditor& open_editor) {
  return {.uri = open_editor.uri.empty() ? ide::file_uri(open_editor.path) : open_editor.uri,
          .active = open_editor.active,
          .pinned = open_editor.pinned,
          .dirty = open_editor.dirty,
          .label = open_editor.label,
          .language = open_editor.language,
          .group = open_editor.group,
          .path = open_editor.path};
}

}  // namespace

ClaudeTools::ClaudeTools(mcp::Server& server, Loop& loop, hub::Editor& editor) : editor_(editor), proposals_(loop, editor) {
  add(server, claude_ide::open_file, false, &ClaudeTools::open_file);
  add(server, claude_ide::open_diff, false, &ClaudeTools::open_diff);
  add(server, claude_ide::current_selection, true, &ClaudeTools::current_selection);
  add(server, claude_ide::latest_selection, true, &ClaudeTools::latest_selection);
  add(server, claude_ide::open_editors, true, &ClaudeTools::open_editors);
  add(server, claude_ide::workspace_folders, true, &ClaudeTools::workspace_folders);
  add(server, claude_ide::diagnostics, true, &ClaudeTools::diagnostics);
  add(server, claude_ide::check_dirty, true, &ClaudeTools::check_dirty);
  add(server, claude_ide::save_document, false, &ClaudeTools::save_document);
  add(server, claude_ide::close_tab, false, &ClaudeTools::close_tab);
  add(server, claude_ide::close_all_diffs, false, &ClaudeTools::close_all_diffs);
  add(server, claude_ide::execute_code, false, &ClaudeTools::execute_code);
}

template <class Arguments, class Reply>
void ClaudeTools::add(mcp::Server& server, const wire::Call<Arguments, Reply>& tool, bool reads,
                      Called (ClaudeTools::*handler)(Arguments)) {
  mcp::Tool what{.name = std::string(tool.method),
                 .description = std::string(tool.doc),
                 .annotations = mcp::ToolAnnotations{.read_only = reads, .open_world = false}};
  what.input_schema = mcp::closed_schema(wire::type_of<Arguments>());
  server.add(std::move(what), [this, handler](wire::Raw given, mcp::Request& request) -> Called {
    Arguments arguments{};
    PARLANCE_CO_TRY_DO(mcp::read_arguments(given, wire::type_of<Arguments>(), &arguments, request));
    co_return co_await (this->*handler)(std::move(arguments));
  });
}

// ---- files -----------------------------------------------------------------------------------------------------------------------------

ClaudeTools::Called ClaudeTools::open_file(OpenFile wanted) {
  hub::editor::OpenFile open{.path = ide::path_of(wanted.path)};
  std::optional<hub::editor::Document> document;
  const bool looks = wanted.start_text && !wanted.start_text->empty();
  if (looks || wanted.make_frontmost == false)
    if (auto read = co_await editor_.read_document(open.path, {}, {})) document = *std::move(read);
  if (const auto at = looks && document ? ide::find_text(document->content, *wanted.start_text) : std::nullopt) {
    open.line = at->line + 1;
    open.column = at->character;
  }
  if (const auto opened = co_await editor_.open_file(open); !opened) co_return not_now(opened.error());
  if (wanted.make_frontmost != false) co_return said("Opened file: " + open.path);
  FileOpened answer{.path = open.path};
  if (const auto file = co_await editor_.active_file(); file && file->path == open.path) {
    answer.language = file->language;
    answer.lines = file->lines;
  }
  co_return as_json(answer);
}

ClaudeTools::Called ClaudeTools::check_dirty(OneFile wanted) {
  const std::string path = ide::path_of(wanted.path);
  const auto state = co_await editor_.document_state(path);
  if (!state) co_return not_now(state.error());
  co_return as_json(DocumentState{.path = path, .dirty = state->dirty, .untitled = state->untitled});
}

ClaudeTools::Called ClaudeTools::save_document(OneFile wanted) {
  const std::string path = ide::path_of(wanted.path);
  if (const auto saved = co_await editor_.save_document(path); !saved) co_return not_now(saved.error());
  co_return as_json(Saved{.path = path, .message = "Document saved"});
}

// ---- changes ---------------------------------------------------------------------------------------------------------------------------

// Writes no file: the CLI writes the person's version.
ClaudeTools::Called ClaudeTools::open_diff(OpenDiff wanted) {
  const std::string path = ide::path_of(wanted.new_path.empty() ? wanted.old_path : wanted.new_path);
  auto decided =
      co_await proposals_.ask(wanted.tab, {.path = path, .new_content = std::move(wanted.new_contents), .title = wanted.tab});
  if (!decided && decided.error().code != Errc::cancelled) co_return std::unexpected(decided.error());
  if (!decided || !decided->accepted) co_return said(std::string("DIFF_REJECTED"), std::move(wanted.tab));
  co_return said(std::string("FILE_SAVED"), std::move(decided->content));
}

// The CLI closes each proposal after use, answered ones too.
ClaudeTools::Called ClaudeTools::close_tab(CloseTab wanted) {
  proposals_.take_back(wanted.tab);
  co_return said(std::string("TAB_CLOSED"));
}

ClaudeTools::Called ClaudeTools::close_all_diffs(Nothing) {
  const std::size_t ours = proposals_.take_back_all();
  const auto others = co_await editor_.close_all_diffs();
  if (!others && others.error().code != Errc::unknown_method) co_return std::unexpected(others.error());
  co_return said("CLOSED_" + std::to_string(ours + others.value_or(0)) + "_DIFF_TABS");
}

// ---- open files and selections ------------------------------------------------------------------------------------------------

ClaudeTools::Called ClaudeTools::selected(Result<hub::editor::Selected> found) {
  if (!found) co_return not_now(found.error());
  if (!found->path)
    if (const auto file = co_await editor_.active_file()) found->path = file->path;
  const std::string path = found->path.value_or("");
  co_return as_json(Selection{.text = found->text,
                              .path = path,
                              .url = path.empty() ? "" : ide::file_uri(path),
                              .range = {.start = found->range.start, .end = found->range.end, .empty = found->text.empty()}});
}
ClaudeTools::Called ClaudeTools::current_selection(Nothing) { co_return co_await selected(co_await editor_.selection()); }
ClaudeTools::Called ClaudeTools::latest_selection(Nothing) { co_return co_await selected(co_await editor_.latest_selection()); }

ClaudeTools::Called ClaudeTools::open_editors(Nothing) {
  PARLANCE_CO_TRY(open, co_await editor_.open_editors());
  Tabs answer;
  for (const hub::editor::OpenEditor& editor : open) answer.tabs.push_back(to_wire(editor));
  co_return as_json(answer);
}

ClaudeTools::Called ClaudeTools::workspace_folders(Nothing) {
  const auto known = co_await editor_.workspace_folders();
  if (!known) co_return not_now(known.error());
  Folders answer{.root = known->folders.empty() ? "" : known->folders.front().path};
  for (const hub::editor::Folder& folder : known->folders)
    answer.folders.push_back(
        {.name = folder.name, .uri = folder.uri.empty() ? ide::file_uri(folder.path) : folder.uri, .path = folder.path});
  co_return as_json(answer);
}

// For a file without diagnostics the CLI expects an entry too, with the given name.
ClaudeTools::Called ClaudeTools::diagnostics(DiagnosticsOf wanted) {
  std::optional<std::string> path;
  if (wanted.uri && !wanted.uri->empty()) path = ide::path_of(*wanted.uri);
  PARLANCE_CO_TRY(found, co_await editor_.diagnostics(path, {}));
  std::vector<FileDiagnostics> answer;
  for (const hub::editor::FileDiagnostics& file : found.files) answer.push_back(to_wire(file));
  if (path && answer.empty()) answer.emplace_back();
  if (path)
    for (FileDiagnostics& file_diagnostics : answer) file_diagnostics.uri = *wanted.uri;
  co_return as_json(answer);
}

ClaudeTools::Called ClaudeTools::execute_code(ExecuteCode) {
  co_return fail(Errc::failed, "this editor has no notebook that code could run in: run it in a terminal");
}

}  // namespace parlance::face::claude_ide
