// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/rehearse/folder_editor.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "apps/parlance/rehearse/compiler_lines.h"
#include "apps/parlance/rehearse/places.h"
#include "apps/parlance/rehearse/planned_edits.h"
#include "parlance/protocol/editor/limits.h"

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

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Differs for different contents.
std::uint64_t version_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

// Whether the edits were made for the current documents.
bool is_current(const ApplyEdits& request, const PlannedEdits& plan) {
  if (!request.version) return true;
  return std::ranges::all_of(request.edits, [&](const FileEdit& edit) {
    const auto before = plan.before(edit.path);
    return edit.create || (before && version_of(*before) == *request.version);
  });
}

}  // namespace

FolderEditor::FolderEditor(FolderEditorSettings settings) : settings_(std::move(settings)) {
  settings_.folder = fs::weakly_canonical(settings_.folder).string();
  if (!settings_.active.empty()) active_ = (fs::path(settings_.folder) / settings_.active).string();
}

Result<std::string> FolderEditor::guarded(const std::string& path, std::string_view what) const {
  std::error_code problem;
  const fs::path real = fs::weakly_canonical(path, problem);
  if (problem || !real.is_absolute()) return fail(Errc::failed, "No absolute path: " + path);
  const fs::path folder(settings_.folder);
  const bool inside = std::ranges::mismatch(folder, real).in1 == folder.end();
  if (inside || settings_.decide_outside(std::string(what) + " " + real.string() + "?")) return real.string();
  return fail(Errc::failed, "Rejected by user");
}

Result<std::string> FolderEditor::text_of(const std::string& path) const {
  PARLANCE_TRY(real, guarded(path, "read"));
  return read_whole(real);
}

Task<Result<void>> FolderEditor::ping() { co_return Result<void>{}; }

Task<Result<File>> FolderEditor::active_file() {
  if (active_.empty()) co_return fail(Errc::failed, "No active file");
  PARLANCE_CO_TRY(text, text_of(active_));
  const std::uint32_t lines = line_count(text);
  co_return File{.path = active_, .content = std::move(text), .language = language_of(active_), .lines = lines};
}

Task<Result<Selected>> FolderEditor::selection() {
  if (active_.empty()) co_return fail(Errc::failed, "No active editor");
  PARLANCE_CO_TRY(text, text_of(active_));
  const std::size_t at = text.find(settings_.selection);
  if (at == std::string::npos) co_return Selected{};
  co_return Selected{.text = settings_.selection,
                     .range = {.start = position_of(text, at), .end = position_of(text, at + settings_.selection.size())}};
}

Task<Result<Selected>> FolderEditor::latest_selection() {
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

// A folder has no compiler: reads another program's output at each call.
Task<Result<Diagnostics>> FolderEditor::diagnostics(std::optional<std::string> path, std::optional<Severity> severity) {
  if (settings_.problems.empty()) co_return Diagnostics{};
  PARLANCE_CO_TRY(printed, read_whole(settings_.problems));
  const auto text_inside = [this](const std::string& of) {
    return of.starts_with(settings_.folder + "/") ? text_of(of).value_or("") : std::string();
  };
  co_return chosen(compiler_lines(printed, settings_.folder, text_inside), path, severity,
                   ::parlance::editor::limits::diagnostics);
}

Task<Result<DocumentState>> FolderEditor::document_state(std::string path) {
  if (path != active_) co_return fail(Errc::failed, "Document not open: " + path);
  co_return DocumentState{};
}

Task<Result<Document>> FolderEditor::read_document(std::string path, std::optional<std::uint32_t> first,
                                                   std::optional<std::uint32_t> last) {
  PARLANCE_CO_TRY(text, text_of(path));
  co_return Document{.content = lines_between(text, first.value_or(1), last), .version = version_of(text)};
}

Task<Result<void>> FolderEditor::save_document(std::string path) {
  if (path != active_) co_return fail(Errc::failed, "Document not open: " + path);
  co_return Result<void>{};
}

Task<Result<void>> FolderEditor::open_file(OpenFile request) {
  PARLANCE_CO_TRY_DO(text_of(request.path));
  active_ = request.path;
  settings_.report("opened " + request.path + ":" + std::to_string(request.line.value_or(1)));
  co_return Result<void>{};
}

Task<Result<DiffOutcome>> FolderEditor::open_diff(OpenDiff request) {
  PARLANCE_CO_TRY_DO(guarded(request.path, "change"));
  if (!settings_.decide("take this change of " + request.path + "?\n" + request.new_content))
    co_return DiffOutcome{.reason = "button"};
  co_return DiffOutcome{.accepted = true, .content = std::move(request.new_content)};
}

Task<Result<void>> FolderEditor::show_diff(ShowDiff request) {
  settings_.report("diff \"" + request.title + "\" of " + request.path + ":\n" + request.new_content);
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
  PARLANCE_CO_TRY(real, guarded(request.path, "change"));
  PARLANCE_CO_TRY(text, read_whole(real));
  const std::size_t there = request.old_text.empty() ? 0 : count_of(text, request.old_text);
  if (there == 0) co_return fail(Errc::failed, "Old string not found in file");
  if (there > 1 && !request.replace_all)
    co_return fail(Errc::failed, "Old string is not unique (" + std::to_string(there) + " matches)");
  if (!settings_.decide("change " + request.path + "?\n- " + request.old_text + "\n+ " + request.new_text))
    co_return fail(Errc::failed, "Rejected by user");
  replace_all(text, request.old_text, request.new_text);
  co_return write_whole(real, text);
}

Task<Result<Applied>> FolderEditor::apply_edits(ApplyEdits request) {
  std::vector<std::string> files;  // with the caller's names
  std::map<std::string, std::string> real;
  for (FileEdit& edit : request.edits)
    for (std::string* const path : {&edit.path, edit.rename_to ? &*edit.rename_to : nullptr}) {
      if (path == nullptr) continue;
      if (!real.contains(*path)) {
        PARLANCE_CO_TRY(target, guarded(*path, "change"));
        real.emplace(*path, std::move(target));
        files.push_back(*path);
      }
      *path = real.at(*path);
    }
  PARLANCE_CO_TRY(plan, PlannedEdits::of(request.edits));
  if (!is_current(request, plan)) co_return fail(Errc::failed, "The document has changed since the request");
  if (!settings_.decide(request.label + ": " + plan.words())) co_return fail(Errc::failed, "Rejected by user");
  PARLANCE_CO_TRY_DO(plan.carry_out());
  co_return Applied{.applied = true, .files = std::move(files)};
}

// Agreeing takes the default, or the first; disagreeing dismisses the dialog.
Task<Result<std::optional<std::string>>> FolderEditor::confirm(ConfirmDialog request) {
  using Choice = std::optional<std::string>;
  if (request.options.empty() || !settings_.decide(request.title + ": " + request.message)) co_return Choice{};
  const auto preset = std::ranges::find(request.options, true, &DialogOption::is_default);
  co_return Choice(preset == request.options.end() ? request.options.front().id : preset->id);
}

Task<Result<void>> FolderEditor::show_message(Level, std::string message) {
  settings_.report(message);
  co_return Result<void>{};
}

Task<Result<std::vector<AddedMethod>>> FolderEditor::added_methods() {
  std::vector<AddedMethod> added;
  for (const ScriptedMethod& method : settings_.added) added.push_back(method.about);
  co_return added;
}

Task<Result<std::string>> FolderEditor::call_added(std::string method, std::string params_json) {
  const auto found = std::ranges::find(settings_.added, method,
                                       [](const ScriptedMethod& scripted_method) { return scripted_method.about.name; });
  if (found == settings_.added.end()) co_return fail(Errc::unknown_method, "Method not found: " + method);
  settings_.report("called " + method + " " + params_json);
  co_return found->result_json;
}

}  // namespace parlance::app
