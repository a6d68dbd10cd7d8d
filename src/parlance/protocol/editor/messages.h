// SPDX-License-Identifier: Apache-2.0
// The methods of the editor bridge: requests of an agent to an editor, and notifications in both directions. Both sides send
// `cancel`, which the dialect handles. Values; any thread.
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
    wire::call<wire::Nothing, Pong>("ping", "Checks the connection. Returns at once."),
    wire::call<Initialize, Initialized>(
        "initialize", "Exchanges names and capabilities. Editors of the first version do not serve this method."),
    wire::call<wire::Nothing, ActiveFile>("getActiveFile", "Returns the file with the focus."),
    wire::call<wire::Nothing, Selection>("getSelection", "Returns the selection in the file with the focus."),
    wire::call<wire::Nothing, Selection>("getLatestSelection",
                                         "Returns the latest selection with text, also after the focus has moved."),
    wire::call<wire::Nothing, OpenEditors>("getOpenEditors", "Lists the open tabs."),
    wire::call<wire::Nothing, WorkspaceFolder>("getWorkspaceFolder", "Returns the first folder of the window."),
    wire::call<wire::Nothing, WorkspaceFolders>("getWorkspaceFolders",
                                                "Lists all folders of the window, and whether the person trusts them."),
    wire::call<GetDiagnostics, Diagnostics>("getDiagnostics", "Returns the errors and warnings that the editor shows."),
    wire::call<ReadDocument, Document>("readDocument", "Returns a document as the editor has it, unsaved changes included."),
    wire::call<OfPath, DocumentState>("checkDocumentDirty", "Reports whether a document has unsaved changes."),
    wire::call<OfPath, Saved>("saveDocument", "Saves a document."),
    wire::call<OpenFile, Done>("openFile", "Opens a file at a line."),
    wire::call<ShowDiff, Done>("showDiff", "Shows a change and returns at once."),
    wire::call<OpenDiff, DiffOutcome>("openDiff", "Shows a change and waits for the person's decision."),
    wire::call<CloseDiff, Done>("closeDiff", "Closes a shown change."),
    wire::call<wire::Nothing, DiffsClosed>("closeAllDiffs", "Closes all shown changes."),
    wire::call<ApplyChanges, Done>("applyChanges", "Replaces text in a file after the person's consent."),
    wire::call<ApplyEdits, Applied>("applyEdits", "Changes several files after one consent, as one undo step."),
    wire::call<ConfirmDialog, Choice>("confirmDialog", "Asks the person and waits for the choice."),
    wire::call<ShowMessage, Done>("showMessage", "Shows a message to the person and returns at once."),
    wire::call<wire::Nothing, AddedMethods>("getAddedMethods", "Lists methods that other extensions added to the editor."),
    wire::call<CallAdded, AddedResult>("callAddedMethod", "Calls an added method."),
    wire::notice<Status>("status", "Reports the state of the agent."),
    wire::notice<Log>("log", "Writes a line to the output channel."));

inline constexpr auto of_agent =
    wire::methods(wire::notice<UserInput>("userInput", "Reports text typed by the person."),
                  wire::notice<ContextChanged>("contextChanged", "Reports a change of the focused file or of the selection."),
                  wire::notice<DiffClosed>("diffClosed", "Reports the decision about a change of showDiff."),
                  wire::notice<AtMentioned>("atMentioned", "Reports lines that the person wants to add to the conversation."),
                  wire::notice<OfPath>("documentSaved", "Reports that a file was saved."),
                  wire::notice<Cancel>("cancel", "Cancels a request. Both sides may send this notification."),
                  wire::notice<wire::Nothing>("shutdown", "Reports the end of the editor."));

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
