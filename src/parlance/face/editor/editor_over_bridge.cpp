// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/editor/editor_over_bridge.h"

#include <optional>
#include <utility>

namespace parlance::face {
namespace method = editor::method;

namespace {

// Unknown and malformed calls are errors; failures with a possible retry are answers.
bool is_broken_call(const Error& error) {
  return error.code == Errc::unknown_method || error.code == Errc::invalid_params || error.code == Errc::cancelled ||
         error.code == Errc::internal;
}

// The reply of a method: `make` inserts the editor's answer.
template <class Reply, class Value, class F>
Task<Result<Reply>> reply(Task<Result<Value>> asked, F make) {
  auto value = co_await std::move(asked);
  if (!value && is_broken_call(value.error())) co_return std::unexpected(value.error());
  Reply out{};
  if (!value) {
    out.success = false;
    out.error = value.error().message;
  } else if constexpr (std::is_void_v<Value>) {
    make(out);
  } else {
    make(out, *std::move(value));
  }
  co_return out;
}

Task<Result<editor::Done>> done(Task<Result<void>> asked, std::string message) {
  return reply<editor::Done>(std::move(asked), [said = std::move(message)](editor::Done& out) { out.message = said; });
}

void serve_looking(Router& router, hub::Editor& editor) {
  router.on(method::active_file, [&editor](const wire::Nothing&, Context&) {
    return reply<editor::ActiveFile>(editor.active_file(),
                                     [](editor::ActiveFile& out, hub::editor::File file) { out.file = std::move(file); });
  });
  const auto selected = [](editor::Selection& out, hub::editor::Selected selection) { out.selection = std::move(selection); };
  router.on(method::selection, [&editor, selected](const wire::Nothing&, Context&) {
    return reply<editor::Selection>(editor.selection(), selected);
  });
  router.on(method::latest_selection, [&editor, selected](const wire::Nothing&, Context&) {
    return reply<editor::Selection>(editor.latest_selection(), selected);
  });
  router.on(method::open_editors, [&editor](const wire::Nothing&, Context&) {
    return reply<editor::OpenEditors>(
        editor.open_editors(),
        [](editor::OpenEditors& out, std::vector<hub::editor::OpenEditor> open) { out.editors = std::move(open); });
  });
  router.on(method::workspace_folder, [&editor](const wire::Nothing&, Context&) {
    return reply<editor::WorkspaceFolder>(
        editor.workspace_folder(), [](editor::WorkspaceFolder& out, std::string folder) { out.folder = std::move(folder); });
  });
  router.on(method::workspace_folders, [&editor](const wire::Nothing&, Context&) {
    return reply<editor::WorkspaceFolders>(editor.workspace_folders(),
                                           [](editor::WorkspaceFolders& out, hub::editor::Folders folders) {
                                             out.trusted = folders.trusted;
                                             out.folders = std::move(folders.folders);
                                           });
  });
  router.on(method::diagnostics, [&editor](editor::GetDiagnostics& wanted, Context&) {
    return reply<editor::Diagnostics>(editor.diagnostics(std::move(wanted.path), wanted.severity),
                                      [](editor::Diagnostics& out, hub::editor::Diagnostics found) {
                                        out.files = std::move(found.files);
                                        if (found.truncated) out.truncated = true;
                                      });
  });
}

void serve_documents(Router& router, hub::Editor& editor) {
  router.on(method::read_document, [&editor](editor::ReadDocument& wanted, Context&) {
    return reply<editor::Document>(editor.read_document(std::move(wanted.path), wanted.start_line, wanted.end_line),
                                   [](editor::Document& out, hub::editor::Document document) {
                                     out.content = std::move(document.content);
                                     out.version = document.version;
                                     out.is_dirty = document.dirty;
                                   });
  });
  router.on(method::document_state, [&editor](editor::OfPath& of, Context&) {
    return reply<editor::DocumentState>(editor.document_state(std::move(of.path)),
                                        [](editor::DocumentState& out, hub::editor::DocumentState state) {
                                          out.is_dirty = state.dirty;
                                          out.is_untitled = state.untitled;
                                        });
  });
  router.on(method::save_document, [&editor](editor::OfPath& of, Context&) {
    return reply<editor::Saved>(editor.save_document(std::move(of.path)), [](editor::Saved& out) { out.saved = true; });
  });
  router.on(method::open_file, [&editor](const editor::OpenFile& file, Context&) {
    return done(editor.open_file(file), "Opened file: " + file.path);
  });
}

void serve_diffs(Router& router, hub::Editor& editor) {
  router.on(method::show_diff, [&editor](editor::ShowDiff& diff, Context&) {
    std::string shown = "Diff shown: " + diff.title;
    return done(editor.show_diff(std::move(diff)), std::move(shown));
  });
  router.on(method::open_diff, [&editor](editor::OpenDiff& diff, Context&) {
    return reply<editor::DiffOutcome>(editor.open_diff(std::move(diff)),
                                      [](editor::DiffOutcome& out, hub::editor::DiffOutcome outcome) {
                                        out.outcome = outcome.accepted ? editor::Outcome::accepted : editor::Outcome::rejected;
                                        if (outcome.accepted) {
                                          out.final_content = std::move(outcome.content);
                                          out.edited = outcome.edited;
                                        } else {
                                          out.reason = std::move(outcome.reason);
                                        }
                                      });
  });
  router.on(method::close_diff, [&editor](editor::CloseDiff& diff, Context&) {
    return done(editor.close_diff(std::move(diff.original_path)), "Diff closed");
  });
  router.on(method::close_all_diffs, [&editor](const wire::Nothing&, Context&) {
    return reply<editor::DiffsClosed>(editor.close_all_diffs(),
                                      [](editor::DiffsClosed& out, std::uint32_t closed) { out.closed = closed; });
  });
}

void serve_changes(Router& router, hub::Editor& editor) {
  router.on(method::apply_changes, [&editor](editor::ApplyChanges& change, Context&) {
    std::string applied = "Applied changes to " + change.path;
    return done(editor.apply_changes(std::move(change)), std::move(applied));
  });
  router.on(method::apply_edits, [&editor](editor::ApplyEdits& edits, Context&) {
    return reply<editor::Applied>(editor.apply_edits(std::move(edits)), [](editor::Applied& out, hub::editor::Applied applied) {
      out.applied = applied.applied;
      out.files = std::move(applied.files);
    });
  });
  router.on(method::confirm, [&editor](editor::ConfirmDialog& dialog, Context&) {
    return reply<editor::Choice>(editor.confirm(std::move(dialog)), [](editor::Choice& out, std::optional<std::string> choice) {
      using State = wire::Nullable<std::string>::State;
      out.choice = {.state = choice ? State::value : State::null, .value = std::move(choice).value_or("")};
    });
  });
  router.on(method::show_message, [&editor](editor::ShowMessage& message, Context&) {
    return reply<editor::Done>(editor.show_message(message.level, std::move(message.message)), [](editor::Done&) {});
  });
}

void serve_added(Router& router, hub::Editor& editor) {
  router.on(method::added_methods, [&editor](const wire::Nothing&, Context&) {
    return reply<editor::AddedMethods>(editor.added_methods(),
                                       [](editor::AddedMethods& out, std::vector<hub::editor::AddedMethod> added) {
                                         out.methods.emplace();
                                         for (hub::editor::AddedMethod& method : added)
                                           out.methods->push_back({.name = std::move(method.name),
                                                                   .description = std::move(method.description),
                                                                   .parameters = {std::move(method.parameters_json)},
                                                                   .read_only = method.read_only});
                                       });
  });
  router.on(method::call_added, [&editor](editor::CallAdded& wanted, Context&) {
    std::string params = wanted.params.json.empty() ? "{}" : std::move(wanted.params.json);
    return reply<editor::AddedResult>(editor.call_added(std::move(wanted.method), std::move(params)),
                                      [](editor::AddedResult& out, std::string result) { out.result.json = std::move(result); });
  });
}

template <const auto& Table>
std::vector<std::string> names(bool calls) {
  std::vector<std::string> all;
  for (const wire::Method& method : Table.all())
    if ((method.reply != nullptr) == calls) all.emplace_back(method.name);
  return all;
}

}  // namespace

void serve_editor(Router& router, hub::Editor& editor, editor::Program about) {
  router.on_unknown([](std::string_view name) { return Error{Errc::unknown_method, "Method not found: " + std::string(name)}; });
  router.on(method::ping, [](const wire::Nothing&, Context&) -> Result<editor::Pong> { return editor::Pong{}; });
  router.on(method::initialize, [about](const editor::Initialize&, Context&) -> Result<editor::Initialized> {
    return editor::Initialized{
        .editor = about, .methods = names<method::of_editor>(true), .notifications = names<method::of_agent>(false)};
  });
  serve_looking(router, editor);
  serve_documents(router, editor);
  serve_diffs(router, editor);
  serve_changes(router, editor);
  serve_added(router, editor);
}

}  // namespace parlance::face
