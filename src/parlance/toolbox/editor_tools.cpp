// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/editor_tools.h"

#include <algorithm>
#include <array>

#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/toolbox/typed_tool.h"

namespace parlance::toolbox {
namespace {

using wire::field;
using wire::fields;

constexpr std::string_view selection_tool = "editor_selection";
constexpr std::string_view open_files_tool = "editor_open_files";
constexpr std::string_view diagnostics_tool = "editor_diagnostics";
constexpr std::string_view propose_tool = "editor_propose_change";
constexpr std::string_view methods_tool = "editor_methods";
constexpr std::string_view call_tool = "editor_call";

struct Nothing {
  static constexpr std::array<wire::Field, 0> wire{};
};
struct Diagnostics {
  std::optional<std::string> path{};
  static constexpr auto wire =
      fields(field<&Diagnostics::path>("path", "Return only diagnostics of this file: an absolute path. Default: all files."));
};
struct Propose {
  std::string path{};
  std::string content{};
  std::string title{};
  static constexpr auto wire = fields(
      field<&Propose::path>("path", "The file to change: a path relative to the working folder."),
      field<&Propose::content>("content", "The complete new content of the file."),
      field<&Propose::title>("title", "The purpose of the change in a few words. The editor shows this text above the change.")
          .or_default());
};

struct CallAdded {
  std::string method{};
  wire::Raw params{};
  static constexpr auto wire = fields(
      field<&CallAdded::method>("method", "Name of the method, as returned by editor_methods."),
      field<&CallAdded::params>("params", "Parameters of the method: a JSON object. Default: no parameters.").or_default());
};

// People and models count lines from 1.
std::string place(const hub::editor::Position& at) {
  return std::to_string(at.line + 1) + ":" + std::to_string(at.character + 1);
}

std::string_view severity(hub::editor::Severity level) {
  switch (level) {
    case hub::editor::Severity::error: return "error";
    case hub::editor::Severity::warning: return "warning";
    case hub::editor::Severity::information: return "information";
    case hub::editor::Severity::hint: break;
  }
  return "hint";
}

bool is_ours(std::string_view tool) {
  return tool == selection_tool || tool == open_files_tool || tool == diagnostics_tool || tool == propose_tool ||
         tool == methods_tool || tool == call_tool;
}

}  // namespace

std::vector<hub::ToolSpec> EditorTools::list() const {
  std::vector<hub::ToolSpec> specs = inner_.list();
  specs.push_back(tool_spec<Nothing>(selection_tool, hub::ToolKind::read,
                                     "Returns the person's selection in the editor, with file and range."));
  specs.push_back(tool_spec<Nothing>(open_files_tool, hub::ToolKind::read, "Lists the files that are open in the editor."));
  specs.push_back(
      tool_spec<Diagnostics>(diagnostics_tool, hub::ToolKind::read, "Returns the errors and warnings that the editor shows."));
  specs.push_back(
      tool_spec<Propose>(propose_tool, hub::ToolKind::ask,
                         "Shows a change of one file in the editor and waits for the decision. The person may edit the change."));
  specs.push_back(tool_spec<Nothing>(methods_tool, hub::ToolKind::read,
                                     "Lists methods that other extensions added to the editor, for editor_call."));
  specs.push_back(tool_spec<CallAdded>(call_tool, hub::ToolKind::other, "Calls a method from the list of editor_methods."));
  return specs;
}

Task<Result<hub::ToolIntent>> EditorTools::intent(const hub::SessionSetup& setup, const hub::ToolCall& call) {
  const hub::ToolCall named = call;
  if (!is_ours(named.tool)) co_return co_await inner_.intent(setup, call);
  if (named.tool == propose_tool) co_return co_await proposal(setup, call);
  if (named.tool == call_tool) co_return co_await added(named);
  if (named.tool == diagnostics_tool) PARLANCE_CO_TRY_DO(arguments<Diagnostics>(named));
  co_return hub::ToolIntent{.kind = hub::ToolKind::read, .title = "the diagnostics of the editor", .placeless = true};
}

Task<Result<hub::ToolIntent>> EditorTools::proposal(const hub::SessionSetup& setup, const hub::ToolCall& call) {
  const Folders folders = folders_of(setup);
  const bool planning = setup.mode == hub::Mode::plan;
  std::string key = intent_key(setup.id, call);
  PARLANCE_CO_TRY(wanted, arguments<Propose>(call));
  const workspace::WriteFile write{.path = wanted.path, .content = std::move(wanted.content)};
  PARLANCE_CO_TRY(change, co_await files_.look(folders, wanted.path,
                                               [write](const workspace::FileTools& files, const workspace::ResolvedPath& at) {
                                                 return files.prepare_write(write, at);
                                               }));
  hub::ToolIntent intent = change_intent(folders, change, wanted.path);
  if (!intent.guarded && !planning) intent.kind = hub::ToolKind::ask;
  proposed_.keep(std::move(key), std::move(change));
  co_return intent;
}

// The extension declares whether the method only reads. The person has installed the extension, so the hub trusts this.
Task<Result<hub::ToolIntent>> EditorTools::added(hub::ToolCall call) {
  PARLANCE_CO_TRY(wanted, arguments<CallAdded>(call));
  PARLANCE_CO_TRY(known, co_await editor_.added_methods());
  const auto found = std::ranges::find(known, wanted.method, &hub::editor::AddedMethod::name);
  if (found == known.end())
    co_return fail(Errc::invalid_params,
                   "nobody has added \"" + wanted.method + "\" to the editor; editor_methods lists all methods");
  co_return hub::ToolIntent{.kind = found->read_only ? hub::ToolKind::read : hub::ToolKind::other,
                            .title = wanted.method + " in the editor",
                            .detail = wanted.params.json,
                            .placeless = found->read_only};
}

Task<hub::ToolOutcome> EditorTools::call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) {
  if (!is_ours(call.tool)) co_return co_await inner_.call(setup, call, std::move(host));
  hub::ToolCall named = call;
  named.id = intent_key(setup.id, call);
  auto outcome = co_await run(folders_of(setup), std::move(named));
  if (!outcome) co_return hub::ToolOutcome{.state = hub::ToolEndState::failed, .text = outcome.error().message};
  co_return *std::move(outcome);
}

Task<Result<hub::ToolOutcome>> EditorTools::run(Folders folders, hub::ToolCall call) {
  if (call.tool == propose_tool) co_return co_await propose(std::move(folders), std::move(call));
  auto text = call.tool == selection_tool    ? co_await selection()
              : call.tool == open_files_tool ? co_await open_files()
              : call.tool == methods_tool    ? co_await added_methods()
              : call.tool == call_tool       ? co_await call_added(std::move(call))
                                             : co_await diagnostics(std::move(call));
  if (!text) co_return std::unexpected(text.error());
  co_return hub::ToolOutcome{.text = *std::move(text)};
}

// Without a selection in the focused editor, the tool returns the latest selection.
Task<Result<std::string>> EditorTools::selection() {
  auto found = co_await editor_.selection();
  if (!found || found->text.empty())
    if (auto latest = co_await editor_.latest_selection(); latest && !latest->text.empty()) found = std::move(latest);
  if (!found) co_return std::unexpected(found.error());
  if (!found->path)
    if (const auto file = co_await editor_.active_file()) found->path = file->path;
  std::string text = found->path ? *found->path + ", " : std::string();
  if (found->text.empty()) co_return text + "no text is selected; the cursor is at " + place(found->range.start) + "\n";
  co_return text + place(found->range.start) + " to " + place(found->range.end) + ":\n" + found->text + "\n";
}

Task<Result<std::string>> EditorTools::open_files() {
  const auto open = co_await editor_.open_editors();
  if (!open && open.error().code != Errc::unknown_method) co_return std::unexpected(open.error());
  if (!open) {  // an editor of the first protocol version reports only the active file
    PARLANCE_CO_TRY(file, co_await editor_.active_file());
    co_return file.path + "  (active)\n";
  }
  std::string text;
  for (const hub::editor::OpenEditor& open_editor : *open)
    text += (open_editor.path.empty() ? open_editor.label : open_editor.path) + (open_editor.active ? "  (active)" : "") +
            (open_editor.dirty ? "  (not saved)" : "") + "\n";
  co_return text.empty() ? "No file is open.\n" : text;
}

Task<Result<std::string>> EditorTools::diagnostics(hub::ToolCall call) {
  PARLANCE_CO_TRY(wanted, arguments<Diagnostics>(call));
  PARLANCE_CO_TRY(found, co_await editor_.diagnostics(std::move(wanted.path), {}));
  std::string text;
  for (const hub::editor::FileDiagnostics& file : found.files)
    for (const hub::editor::Diagnostic& diagnostic : file.diagnostics)
      text += file.path + ":" + place(diagnostic.range.start) + ": " + std::string(severity(diagnostic.severity)) + ": " +
              diagnostic.message + (diagnostic.source.empty() ? "" : " [" + diagnostic.source + "]") + "\n";
  if (text.empty()) text = "The editor shows no problems.\n";
  if (found.truncated) text += "… and more; ask for a single file.\n";
  co_return text;
}

Task<Result<std::string>> EditorTools::added_methods() {
  const auto added = co_await editor_.added_methods();
  if (!added && added.error().code != Errc::unknown_method) co_return std::unexpected(added.error());
  std::string text;
  if (added)
    for (const hub::editor::AddedMethod& added_method : *added)
      text += added_method.name + ": " + added_method.description +
              (added_method.parameters_json.empty() ? "" : "\n  params: " + added_method.parameters_json) + "\n";
  co_return text.empty() ? "Nothing was added.\n" : text;
}

Task<Result<std::string>> EditorTools::call_added(hub::ToolCall call) {
  PARLANCE_CO_TRY(wanted, arguments<CallAdded>(call));
  std::string params = wanted.params.json.empty() ? "{}" : std::move(wanted.params.json);
  co_return co_await editor_.call_added(std::move(wanted.method), std::move(params));
}

Task<Result<hub::ToolOutcome>> EditorTools::propose(Folders folders, hub::ToolCall call) {
  std::optional<workspace::FileChange> kept = proposed_.take(call.id);
  if (!kept) co_return fail(Errc::failed, "the shown change is no longer available: propose it again");
  workspace::FileChange change = *std::move(kept);
  PARLANCE_CO_TRY(wanted, arguments<Propose>(call));
  const std::string path = shown_path(folders, change.path);
  const std::string title = wanted.title.empty() ? "Change of " + path : wanted.title;
  const auto outcome =
      co_await editor_.open_diff({.path = change.path.absolute, .new_content = *change.diff.after, .title = title});
  if (!outcome && outcome.error().code == Errc::unknown_method) {  // one of the first version shows, and does not ask
    PARLANCE_CO_TRY_DO(
        co_await editor_.show_diff({.title = title, .path = change.path.absolute, .new_content = *change.diff.after}));
    co_return hub::ToolOutcome{.text = "Shown in the editor, where this change cannot be accepted: no file is written.",
                               .diff = change.diff};
  }
  if (!outcome) co_return std::unexpected(outcome.error());
  if (!outcome->accepted)
    co_return hub::ToolOutcome{
        .state = hub::ToolEndState::rejected,
        .text = "The person rejected the change of " + path + (outcome->reason.empty() ? "." : " (" + outcome->reason + ").")};
  if (outcome->content.size() > limits::file_edit_bytes)
    co_return fail(Errc::invalid_params, "the accepted text is too large: " + path);
  change.diff.after = outcome->content;
  PARLANCE_CO_TRY_DO(co_await files_.in(change.path, [change](const workspace::FileTools& files) -> Result<void> {
    if (const auto now = files.content(change.path); now && *now == change.diff.after)
      return {};  // the editor has saved the file
    return files.apply(change);
  }));
  std::string text = (change.diff.before ? "Changed " : "Created ") + path + ".";
  if (outcome->edited) text += " The person edited the proposal first; the file is now:\n" + outcome->content;
  co_return hub::ToolOutcome{.text = std::move(text), .diff = change.diff};
}

}  // namespace parlance::toolbox
