#include "apps/parlance/rehearse/folder_editor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

namespace parlance::app {
namespace fs = std::filesystem;
using namespace hub::editor;

namespace {

std::string language_of(const std::string& path) {
  static const std::map<std::string, std::string> known{{".cpp", "cpp"},       {".h", "cpp"},         {".md", "markdown"},
                                                        {".js", "javascript"}, {".ts", "typescript"}, {".py", "python"}};
  const auto found = known.find(fs::path(path).extension().string());
  return found == known.end() ? "plaintext" : found->second;
}

std::uint32_t lines_of(std::string_view text) { return static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1; }

// A character beyond the first plane is two units of UTF-16, and four bytes of UTF-8.
std::uint32_t utf16_units(std::string_view text) {
  std::uint32_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 || byte >= 0xc0) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

Position position_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {.line = lines_of(before) - 1, .character = utf16_units(before.substr(line_begin))};
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Lines from 1, the last one with it.
std::string lines_between(const std::string& text, std::uint32_t first, std::optional<std::uint32_t> last) {
  std::string kept;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (line >= first && (!last || line <= *last)) kept.append(text, at, end - at);
    at = end;
  }
  return kept;
}

Result<void> write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!(file << text).flush()) return fail(Errc::failed, "Cannot write " + path);
  return {};
}

}  // namespace

FolderEditor::FolderEditor(FolderEditorSettings settings) : settings_(std::move(settings)) {
  settings_.folder = fs::weakly_canonical(settings_.folder).string();
  if (!settings_.active.empty()) active_ = (fs::path(settings_.folder) / settings_.active).string();
}

Result<std::string> FolderEditor::inside(const std::string& path) const {
  std::error_code problem;
  const std::string real = fs::weakly_canonical(path, problem).string();
  if (problem || !real.starts_with(settings_.folder + "/")) return fail(Errc::failed, "Not in the workspace: " + path);
  return real;
}

Result<std::string> FolderEditor::text_of(const std::string& path) const {
  PARLANCE_TRY(real, inside(path));
  std::ifstream file(real, std::ios::binary);
  if (!file || fs::is_directory(real)) return fail(Errc::failed, "Cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Task<Result<void>> FolderEditor::ping() { co_return Result<void>{}; }

Task<Result<File>> FolderEditor::active_file() {
  if (active_.empty()) co_return fail(Errc::failed, "No active file");
  PARLANCE_CO_TRY(text, text_of(active_));
  const std::uint32_t lines = lines_of(text);
  co_return File{.path = active_, .content = std::move(text), .language = language_of(active_), .lines = lines};
}

Task<Result<Selection>> FolderEditor::selection() {
  if (active_.empty()) co_return fail(Errc::failed, "No active editor");
  PARLANCE_CO_TRY(text, text_of(active_));
  const std::size_t at = text.find(settings_.selection);
  if (at == std::string::npos) co_return Selection{};
  co_return Selection{.text = settings_.selection,
                      .range = {.start = position_of(text, at), .end = position_of(text, at + settings_.selection.size())}};
}

Task<Result<Selection>> FolderEditor::latest_selection() {
  PARLANCE_CO_TRY(selected, co_await selection());
  if (selected.text.empty()) co_return fail(Errc::failed, "No selection yet");
  selected.path = active_;
  co_return selected;
}

Task<Result<std::vector<OpenEditor>>> FolderEditor::open_editors() {
  std::vector<OpenEditor> open;
  if (!active_.empty())
    open.push_back({.path = active_,
                    .uri = "file://" + active_,
                    .label = fs::path(active_).filename().string(),
                    .language = language_of(active_),
                    .active = true,
                    .group = 1});
  co_return open;
}

Task<Result<std::string>> FolderEditor::workspace_folder() { co_return settings_.folder; }

Task<Result<Folders>> FolderEditor::workspace_folders() {
  Folders folders{.trusted = true};
  folders.folders.push_back(
      {.name = fs::path(settings_.folder).filename().string(), .path = settings_.folder, .uri = "file://" + settings_.folder});
  co_return folders;
}

Task<Result<Diagnostics>> FolderEditor::diagnostics(std::optional<std::string>, std::optional<Severity>) {
  co_return Diagnostics{};  // a folder has no compiler
}

Task<Result<DocumentState>> FolderEditor::document_state(std::string path) {
  if (path != active_) co_return fail(Errc::failed, "Document not open: " + path);
  co_return DocumentState{};
}

Task<Result<Document>> FolderEditor::read_document(std::string path, std::optional<std::uint32_t> first,
                                                   std::optional<std::uint32_t> last) {
  PARLANCE_CO_TRY(text, text_of(path));
  co_return Document{.content = lines_between(text, first.value_or(1), last), .version = 1};
}

Task<Result<void>> FolderEditor::save_document(std::string path) {
  if (path != active_) co_return fail(Errc::failed, "Document not open: " + path);
  co_return Result<void>{};
}

Task<Result<void>> FolderEditor::open_file(OpenFile request) {
  PARLANCE_CO_TRY_DO(text_of(request.path));
  active_ = request.path;
  settings_.tell("opened " + request.path + ":" + std::to_string(request.line.value_or(1)));
  co_return Result<void>{};
}

Task<Result<DiffOutcome>> FolderEditor::open_diff(OpenDiff request) {
  PARLANCE_CO_TRY_DO(inside(request.path));
  if (!settings_.decide("take this change of " + request.path + "?\n" + request.new_content))
    co_return DiffOutcome{.reason = "button"};
  co_return DiffOutcome{.accepted = true, .content = std::move(request.new_content)};
}

Task<Result<void>> FolderEditor::show_diff(ShowDiff request) {
  settings_.tell("diff \"" + request.title + "\" of " + request.path + ":\n" + request.new_content);
  shown_.push_back(std::move(request.path));
  co_return Result<void>{};
}

Task<Result<void>> FolderEditor::close_diff(std::optional<std::string> path) {
  const auto found = path ? std::ranges::find(shown_, *path) : shown_.empty() ? shown_.end() : std::prev(shown_.end());
  if (found == shown_.end()) co_return fail(Errc::failed, "No diff to close");
  shown_.erase(found);
  co_return Result<void>{};
}

Task<Result<std::uint32_t>> FolderEditor::close_all_diffs() {
  co_return static_cast<std::uint32_t>(std::exchange(shown_, {}).size());
}

Task<Result<void>> FolderEditor::apply_changes(ApplyChanges request) {
  PARLANCE_CO_TRY(real, inside(request.path));
  PARLANCE_CO_TRY(text, text_of(request.path));
  const std::size_t there = request.old_text.empty() ? 0 : count_of(text, request.old_text);
  if (there == 0) co_return fail(Errc::failed, "Old string not found in file");
  if (there > 1 && !request.replace_all)
    co_return fail(Errc::failed, "Old string is not unique (" + std::to_string(there) + " matches)");
  if (!settings_.decide("change " + request.path + "?\n- " + request.old_text + "\n+ " + request.new_text))
    co_return fail(Errc::failed, "Rejected by user");
  replace_all(text, request.old_text, request.new_text);
  co_return write(real, text);
}

// Agreeing takes the default, or the first; disagreeing dismisses the dialog.
Task<Result<std::optional<std::string>>> FolderEditor::confirm(ConfirmDialog request) {
  using Choice = std::optional<std::string>;
  if (request.options.empty() || !settings_.decide(request.title + ": " + request.message)) co_return Choice{};
  const auto preset = std::ranges::find(request.options, true, &DialogOption::is_default);
  co_return Choice(preset == request.options.end() ? request.options.front().id : preset->id);
}

Task<Result<void>> FolderEditor::show_message(Level, std::string message) {
  settings_.tell(message);
  co_return Result<void>{};
}

}  // namespace parlance::app
