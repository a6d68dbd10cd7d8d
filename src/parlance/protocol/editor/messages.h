// SPDX-License-Identifier: Apache-2.0
// The methods of the editor bridge: what an agent asks of an editor, and what each tells the other. `cancel` is told by both, and is the
// dialect's: no handler sees it. Values; any thread.
#pragma once

#include "parlance/protocol/editor/added.h"
#include "parlance/protocol/editor/changes.h"
#include "parlance/protocol/editor/diagnostics.h"
#include "parlance/protocol/editor/diffs.h"
#include "parlance/protocol/editor/documents.h"
#include "parlance/protocol/editor/initialize.h"
#include "parlance/protocol/editor/notices.h"

namespace parlance::editor::method {

inline constexpr auto of_editor = wire::methods(
    wire::call<wire::Nothing, Pong>("ping", "Answers at once."),
    wire::call<Initialize, Initialized>("initialize",
                                        "Who is there, and what it can. Editors of the first version do not know it."),
    wire::call<wire::Nothing, ActiveFile>("getActiveFile", "The file in front."),
    wire::call<wire::Nothing, Selection>("getSelection", "What is selected in it."),
    wire::call<wire::Nothing, Selection>("getLatestSelection", "The last that was not empty, wherever the focus is now."),
    wire::call<wire::Nothing, OpenEditors>("getOpenEditors", "All tabs."),
    wire::call<wire::Nothing, WorkspaceFolder>("getWorkspaceFolder", "The first folder."),
    wire::call<wire::Nothing, WorkspaceFolders>("getWorkspaceFolders", "All folders, and whether they are trusted."),
    wire::call<GetDiagnostics, Diagnostics>("getDiagnostics", "Errors and warnings."),
    wire::call<ReadDocument, Document>("readDocument", "A document as the editor has it."),
    wire::call<OfPath, DocumentState>("checkDocumentDirty", "Whether it holds what is not saved."),
    wire::call<OfPath, Saved>("saveDocument", "Saves it."), wire::call<OpenFile, Done>("openFile", "Shows a file at a place."),
    wire::call<ShowDiff, Done>("showDiff", "Shows a change, and does not wait."),
    wire::call<OpenDiff, DiffOutcome>("openDiff", "Shows a change, and waits for the person."),
    wire::call<CloseDiff, Done>("closeDiff", "Closes one."),
    wire::call<wire::Nothing, DiffsClosed>("closeAllDiffs", "Closes all."),
    wire::call<ApplyChanges, Done>("applyChanges", "Replaces text in a file, after the person's approval."),
    wire::call<ApplyEdits, Applied>("applyEdits", "Changes several files after one approval, as one step to undo."),
    wire::call<ConfirmDialog, Choice>("confirmDialog", "Asks the person, and waits."),
    wire::call<ShowMessage, Done>("showMessage", "Tells the person something, and does not wait."),
    wire::call<wire::Nothing, AddedMethods>("getAddedMethods", "Methods that other extensions of the person have added."),
    wire::call<CallAdded, AddedResult>("callAddedMethod", "Calls one of them."),
    wire::notice<Status>("status", "What the agent does."), wire::notice<Log>("log", "A line for the output channel."));

inline constexpr auto of_agent =
    wire::methods(wire::notice<UserInput>("userInput", "What the person has typed."),
                  wire::notice<ContextChanged>("contextChanged", "Another file, another selection."),
                  wire::notice<DiffClosed>("diffClosed", "How a change ended that was shown and not waited for."),
                  wire::notice<AtMentioned>("atMentioned", "The person wants these lines in the conversation."),
                  wire::notice<OfPath>("documentSaved", "A file was saved."),
                  wire::notice<Cancel>("cancel", "Of both sides: a request is no longer wanted."),
                  wire::notice<wire::Nothing>("shutdown", "The editor ends."));

inline constexpr const auto& ping = wire::method<of_editor, "ping">;
inline constexpr const auto& initialize = wire::method<of_editor, "initialize">;
inline constexpr const auto& active_file = wire::method<of_editor, "getActiveFile">;
inline constexpr const auto& selection = wire::method<of_editor, "getSelection">;
inline constexpr const auto& latest_selection = wire::method<of_editor, "getLatestSelection">;
inline constexpr const auto& open_editors = wire::method<of_editor, "getOpenEditors">;
inline constexpr const auto& workspace_folder = wire::method<of_editor, "getWorkspaceFolder">;
inline constexpr const auto& workspace_folders = wire::method<of_editor, "getWorkspaceFolders">;
inline constexpr const auto& diagnostics = wire::method<of_editor, "getDiagnostics">;
inline constexpr const auto& read_document = wire::method<of_editor, "readDocument">;
inline constexpr const auto& document_state = wire::method<of_editor, "checkDocumentDirty">;
inline constexpr const auto& save_document = wire::method<of_editor, "saveDocument">;
inline constexpr const auto& open_file = wire::method<of_editor, "openFile">;
inline constexpr const auto& show_diff = wire::method<of_editor, "showDiff">;
inline constexpr const auto& open_diff = wire::method<of_editor, "openDiff">;
inline constexpr const auto& close_diff = wire::method<of_editor, "closeDiff">;
inline constexpr const auto& close_all_diffs = wire::method<of_editor, "closeAllDiffs">;
inline constexpr const auto& apply_changes = wire::method<of_editor, "applyChanges">;
inline constexpr const auto& apply_edits = wire::method<of_editor, "applyEdits">;
inline constexpr const auto& confirm = wire::method<of_editor, "confirmDialog">;
inline constexpr const auto& show_message = wire::method<of_editor, "showMessage">;
inline constexpr const auto& added_methods = wire::method<of_editor, "getAddedMethods">;
inline constexpr const auto& call_added = wire::method<of_editor, "callAddedMethod">;
inline constexpr const auto& status = wire::method<of_editor, "status">;
inline constexpr const auto& log = wire::method<of_editor, "log">;

inline constexpr const auto& user_input = wire::method<of_agent, "userInput">;
inline constexpr const auto& context_changed = wire::method<of_agent, "contextChanged">;
inline constexpr const auto& diff_closed = wire::method<of_agent, "diffClosed">;
inline constexpr const auto& at_mentioned = wire::method<of_agent, "atMentioned">;
inline constexpr const auto& document_saved = wire::method<of_agent, "documentSaved">;
inline constexpr const auto& cancel = wire::method<of_agent, "cancel">;
inline constexpr const auto& shutdown = wire::method<of_agent, "shutdown">;

}  // namespace parlance::editor::method
