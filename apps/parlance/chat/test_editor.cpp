// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/test_editor.h"

#include <utility>

#include "parlance/base/utf8.h"

namespace parlance::app {
namespace {

constexpr std::size_t shown_of_a_selection = 30;  // characters
constexpr std::size_t looked_at = 200;            // lines, each searched in the whole file

std::string in_one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return line;
}
std::string place(const hub::editor::Position& position) {
  return std::to_string(position.line) + ":" + std::to_string(position.character);
}

EditorCheck not_passed(std::string what, const Error& error) { return {.what = std::move(what), .detail = error.message}; }

EditorCheck about(std::string what, const Result<void>& done, std::string detail) {
  if (!done) return not_passed(std::move(what), done.error());
  return {.what = std::move(what), .passed = true, .detail = std::move(detail)};
}

EditorCheck about(std::string what, const Result<hub::editor::File>& file) {
  if (!file) return not_passed(std::move(what), file.error());
  return {.what = std::move(what), .passed = true, .detail = file->path + " (" + std::to_string(file->lines) + " lines)"};
}
EditorCheck about(std::string what, const Result<hub::editor::Selected>& selection) {
  if (!selection) return not_passed(std::move(what), selection.error());
  const std::string text = in_one_line(utf8_characters(selection->text, shown_of_a_selection));
  return {.what = std::move(what),
          .passed = true,
          .detail = (text.empty() ? "nothing, the cursor at " : "\"" + text + "\" at ") + place(selection->range.start) + " to " +
                    place(selection->range.end)};
}

// A text with a single occurrence in the file, so that replacing the text with itself changes nothing. Without such a line among
// the first lines: the whole file.
std::string text_that_stands_once(const std::string& content) {
  std::size_t begin = 0;
  for (std::size_t line_number = 0; begin < content.size() && line_number < looked_at; ++line_number) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    std::string line = content.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();  // editors search with their own line ends
    if (!line.empty() && content.find(line) == begin && content.find(line, begin + 1) == std::string::npos) return line;
    begin = end + 1;
  }
  return content;
}

}  // namespace

Task<std::vector<EditorCheck>> check_editor(hub::Editor& editor) {
  std::vector<EditorCheck> checks;
  const auto file = co_await editor.active_file();
  checks.push_back(about("Active file", file));
  checks.push_back(about("Selection", co_await editor.selection()));
  const std::string path = file ? file->path : "";
  const std::string content = file ? file->content : "";
  if (file) {
    checks.push_back(about(
        "Show a diff",
        co_await editor.show_diff({.title = "parlance test: nothing changes", .path = path, .new_content = content}), path));
    const std::string same = text_that_stands_once(content);
    if (same.empty()) checks.push_back({.what = "Apply a change", .detail = "the file is empty: open one with text in it"});
    else
      checks.push_back(about("Apply a change", co_await editor.apply_changes({.path = path, .old_text = same, .new_text = same}),
                             "the same text in its own place"));
    static_cast<void>(co_await editor.close_diff(path));  // the diff was only a look
    checks.push_back(
        about("Open a file", co_await editor.open_file({.path = path, .line = 42, .column = 10}), path + ", line 42, column 10"));
  } else {
    for (const char* step : {"Show a diff", "Apply a change", "Open a file"}) checks.push_back(not_passed(step, file.error()));
  }
  const auto folder = co_await editor.workspace_folder();
  checks.push_back(folder ? EditorCheck{.what = "Workspace folder", .passed = true, .detail = *folder}
                          : not_passed("Workspace folder", folder.error()));
  co_return checks;
}

std::string check_table(const std::vector<EditorCheck>& checks, bool real) {
  std::string table = std::string("Mode: ") + (real ? "VSCode RPC" : "Mock") + "\n";
  std::size_t passed = 0;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const EditorCheck& check = checks[i];
    passed += check.passed ? 1 : 0;
    table += "  " + std::to_string(i + 1) + " " + (check.passed ? "✓ " : "✗ ") + check.what +
             std::string(18 - std::min<std::size_t>(check.what.size(), 17), ' ') + check.detail + "\n";
  }
  return table + std::to_string(passed) + " of " + std::to_string(checks.size()) + " work";
}

}  // namespace parlance::app
