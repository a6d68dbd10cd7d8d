// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/editor/editor_via_bridge.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parlance/driver/editor/no_response.h"

namespace parlance::driver {
namespace method = editor::method;

namespace {

constexpr std::array first_version{method::ping.method,      method::active_file.method,     method::selection.method,
                                   method::show_diff.method, method::close_diff.method,      method::apply_changes.method,
                                   method::open_file.method, method::workspace_folder.method};

Error explained(std::string_view name, Duration request, Error error) {
  if (error.code == Errc::deadline_exceeded) error.message = no_response(name, request);
  return error;
}

std::unexpected<Error> incomplete(std::string_view name, std::string_view member) {
  return fail(Errc::failed, std::string(name) + ": the editor answered without '" + std::string(member) + "'");
}

}  // namespace

template <class P, class R>
Task<Result<R>> EditorViaBridge::ask(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, Within time) {
  if (peer_ == nullptr) co_return fail(Errc::not_found, "No editor is connected");
  if (!second_version_ && std::ranges::find(first_version, method.method) == first_version.end()) co_return cannot(method.method);
  auto answer = co_await peer_->call(method, std::move(parameters), time);
  if (!answer) co_return std::unexpected(explained(method.method, request_, std::move(answer).error()));
  if constexpr (requires { answer->success; })
    if (!answer->success)
      co_return fail(Errc::failed, answer->error.value_or(std::string(method.method) + ": the editor does not say why not"));
  co_return *std::move(answer);
}

template <class P>
Task<Result<void>> EditorViaBridge::done(const wire::Call<P, editor::Done>& method, std::type_identity_t<P> parameters,
                                         Within time) {
  PARLANCE_CO_TRY_DO(co_await ask(method, std::move(parameters), time));
  co_return Result<void>{};
}

Task<Result<void>> EditorViaBridge::ping() {
  PARLANCE_CO_TRY_DO(co_await ask(method::ping, {}, soon()));
  co_return Result<void>{};
}

Task<Result<hub::editor::File>> EditorViaBridge::active_file() {
  PARLANCE_CO_TRY(answer, co_await ask(method::active_file, {}, soon()));
  if (!answer.file) co_return incomplete(method::active_file.method, "file");
  co_return *std::move(answer.file);
}

Task<Result<hub::editor::Selected>> EditorViaBridge::selection() {
  PARLANCE_CO_TRY(answer, co_await ask(method::selection, {}, soon()));
  if (!answer.selection) co_return incomplete(method::selection.method, "selection");
  co_return *std::move(answer.selection);
}

Task<Result<hub::editor::Selected>> EditorViaBridge::latest_selection() {
  PARLANCE_CO_TRY(answer, co_await ask(method::latest_selection, {}, soon()));
  if (!answer.selection) co_return incomplete(method::latest_selection.method, "selection");
  co_return *std::move(answer.selection);
}

Task<Result<std::vector<hub::editor::OpenEditor>>> EditorViaBridge::open_editors() {
  PARLANCE_CO_TRY(answer, co_await ask(method::open_editors, {}, soon()));
  co_return std::move(answer.editors).value_or(std::vector<hub::editor::OpenEditor>{});
}

Task<Result<std::string>> EditorViaBridge::workspace_folder() {
  PARLANCE_CO_TRY(answer, co_await ask(method::workspace_folder, {}, soon()));
  if (!answer.folder) co_return incomplete(method::workspace_folder.method, "folder");
  co_return *std::move(answer.folder);
}

Task<Result<hub::editor::Folders>> EditorViaBridge::workspace_folders() {
  PARLANCE_CO_TRY(answer, co_await ask(method::workspace_folders, {}, soon()));
  co_return hub::editor::Folders{.folders = std::move(answer.folders).value_or(std::vector<hub::editor::Folder>{}),
                                 .trusted = answer.trusted.value_or(false)};
}

Task<Result<hub::editor::Diagnostics>> EditorViaBridge::diagnostics(std::optional<std::string> path,
                                                                    std::optional<hub::editor::Severity> severity) {
  PARLANCE_CO_TRY(answer, co_await ask(method::diagnostics, {.path = std::move(path), .severity = severity}, soon()));
  co_return hub::editor::Diagnostics{.files = std::move(answer.files).value_or(std::vector<hub::editor::FileDiagnostics>{}),
                                     .truncated = answer.truncated.value_or(false)};
}

Task<Result<hub::editor::DocumentState>> EditorViaBridge::document_state(std::string path) {
  PARLANCE_CO_TRY(answer, co_await ask(method::document_state, {.path = std::move(path)}, soon()));
  co_return hub::editor::DocumentState{.dirty = answer.is_dirty.value_or(false), .untitled = answer.is_untitled.value_or(false)};
}

// The editor asks the person about a file outside the workspace.
Task<Result<hub::editor::Document>> EditorViaBridge::read_document(std::string path, std::optional<std::uint32_t> first,
                                                                   std::optional<std::uint32_t> last) {
  PARLANCE_CO_TRY(
      answer, co_await ask(method::read_document, {.path = std::move(path), .start_line = first, .end_line = last}, no_deadline));
  if (!answer.content) co_return incomplete(method::read_document.method, "content");
  co_return hub::editor::Document{
      .content = *std::move(answer.content), .version = answer.version.value_or(0), .dirty = answer.is_dirty.value_or(false)};
}

Task<Result<void>> EditorViaBridge::save_document(std::string path) {
  PARLANCE_CO_TRY(answer, co_await ask(method::save_document, {.path = path}, no_deadline));
  if (!answer.saved.value_or(true)) co_return fail(Errc::failed, "The editor did not save " + path);
  co_return Result<void>{};
}

Task<Result<void>> EditorViaBridge::open_file(hub::editor::OpenFile request) {
  return done(method::open_file, std::move(request), soon());
}

Task<Result<hub::editor::DiffOutcome>> EditorViaBridge::open_diff(hub::editor::OpenDiff request) {
  PARLANCE_CO_TRY(answer, co_await ask(method::open_diff, std::move(request), no_deadline));
  if (!answer.outcome) co_return incomplete(method::open_diff.method, "outcome");
  // An accepted proposal without content would write an empty file.
  if (answer.outcome == editor::Outcome::accepted && !answer.final_content)
    co_return incomplete(method::open_diff.method, "finalContent");
  co_return hub::editor::DiffOutcome{.accepted = answer.outcome == editor::Outcome::accepted,
                                     .content = std::move(answer.final_content).value_or(""),
                                     .edited = answer.edited.value_or(false),
                                     .reason = std::move(answer.reason).value_or("")};
}

Task<Result<void>> EditorViaBridge::show_diff(hub::editor::ShowDiff request) {
  return done(method::show_diff, std::move(request), soon());
}

Task<Result<void>> EditorViaBridge::close_diff(std::optional<std::string> path) {
  return done(method::close_diff, {.original_path = std::move(path)}, soon());
}

Task<Result<std::uint32_t>> EditorViaBridge::close_all_diffs() {
  PARLANCE_CO_TRY(answer, co_await ask(method::close_all_diffs, {}, soon()));
  co_return answer.closed.value_or(0);
}

Task<Result<void>> EditorViaBridge::apply_changes(hub::editor::ApplyChanges request) {
  return done(method::apply_changes, std::move(request), no_deadline);
}

Task<Result<hub::editor::Applied>> EditorViaBridge::apply_edits(hub::editor::ApplyEdits request) {
  PARLANCE_CO_TRY(answer, co_await ask(method::apply_edits, std::move(request), no_deadline));
  co_return hub::editor::Applied{.applied = answer.applied.value_or(false),
                                 .files = std::move(answer.files).value_or(std::vector<std::string>{})};
}

Task<Result<std::optional<std::string>>> EditorViaBridge::confirm(hub::editor::ConfirmDialog request) {
  PARLANCE_CO_TRY(answer, co_await ask(method::confirm, std::move(request), no_deadline));
  using Choice = std::optional<std::string>;
  if (answer.choice.state != wire::Nullable<std::string>::State::value) co_return Choice{};
  co_return Choice(std::move(answer.choice.value));
}

Task<Result<void>> EditorViaBridge::show_message(hub::editor::Level level, std::string message) {
  return done(method::show_message, {.level = level, .message = std::move(message)}, soon());
}

Task<Result<std::vector<hub::editor::AddedMethod>>> EditorViaBridge::added_methods() {
  PARLANCE_CO_TRY(answer, co_await ask(method::added_methods, {}, soon()));
  std::vector<hub::editor::AddedMethod> added;
  if (answer.methods)
    for (editor::AddedMethod& added_method : *answer.methods)
      added.push_back({.name = std::move(added_method.name),
                       .description = std::move(added_method.description),
                       .parameters_json = std::move(added_method.parameters.json),
                       .read_only = added_method.read_only});
  co_return added;
}

Task<Result<std::string>> EditorViaBridge::call_added(std::string method, std::string params_json) {
  PARLANCE_CO_TRY(
      answer, co_await ask(method::call_added, {.method = std::move(method), .params = {std::move(params_json)}}, no_deadline));
  co_return answer.result.json.empty() ? "null" : std::move(answer.result.json);
}

}  // namespace parlance::driver
