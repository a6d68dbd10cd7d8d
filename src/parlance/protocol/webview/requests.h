// SPDX-License-Identifier: Apache-2.0
// Messages of a webview, or of its editor, to the host. Values; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/webview/stream_chunk.h"

namespace parlance::webview {

enum class Mode : std::uint8_t { default_, auto_edit, yolo, plan, smart };
constexpr auto wire_names(Mode) { return wire::names("default", "autoEdit", "yolo", "plan", "smart"); }

// The active file and selection of the editor.
struct ActiveFile {
  std::string path{};
  std::string name{};
  static constexpr auto wire = fields(field<&ActiveFile::path>("path", "Absolute path of the file."),
                                      field<&ActiveFile::name>("name", "File name without its folder."));
};
struct Selection {
  std::string file_path{};
  std::string file_name{};
  std::string text{};
  std::uint64_t line_start = 1;
  std::uint64_t line_end = 1;
  static constexpr auto wire =
      fields(field<&Selection::file_path>("filePath", "Absolute path of the file."),
             field<&Selection::file_name>("fileName", "File name without its folder."),
             field<&Selection::text>("text", "The selected text. The gateway uses the first 5,000 characters."),
             field<&Selection::line_start>("lineStart", "First line, counted from 1."),
             field<&Selection::line_end>("lineEnd", "Last line, this line included."));
};
struct IdeContext {
  wire::Nullable<ActiveFile> active_file{.state = wire::Nullable<ActiveFile>::State::null};
  wire::Nullable<Selection> selection{.state = wire::Nullable<Selection>::State::null};
  static constexpr auto wire =
      fields(field<&IdeContext::active_file>("activeFile", "The file with the focus. Null: no file has the focus."),
             field<&IdeContext::selection>("selection", "The selection. Null: nothing is selected."));
};

struct AttachedFile {
  std::string path{};
  std::optional<std::string> content{};
  static constexpr auto wire =
      fields(field<&AttachedFile::path>("path", "Absolute path, or a path below the folder of the conversation."),
             field<&AttachedFile::content>(
                 "content", "Text of the file. Absent: the gateway reads the file, under the rules of `readFiles`."));
};

// ---- of the webview --------------------------------------------------------------------------------------------------------

struct Ready {
  static constexpr std::string_view tag = "ready";
  std::optional<std::string> conversation_id{};
  std::optional<bool> code_chunks{};
  static constexpr auto wire = fields(
      field<&Ready::conversation_id>("conversationId",
                                     "Id of the conversation shown before. Absent or deleted: the newest conversation."),
      field<&Ready::code_chunks>(
          "codeChunks",
          "True: fenced code arrives as `code_start`, `code_content` and `code_end` outside of the text. Default: false."));
};
struct RecheckCli {
  static constexpr std::string_view tag = "recheckCli";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct PickFiles {
  static constexpr std::string_view tag = "pickFiles";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct SearchFiles {
  static constexpr std::string_view tag = "searchFiles";
  std::string query{};
  static constexpr auto wire = fields(
      field<&SearchFiles::query>("query", "Characters to find in the path, in this order. Empty: the first files.").or_default());
};
struct ListWorkspaceFiles {
  static constexpr std::string_view tag = "listWorkspaceFiles";
  std::string query{};
  static constexpr auto wire =
      fields(field<&ListWorkspaceFiles::query>("query", "Characters to find in the path, as in `searchFiles`.").or_default());
};
struct ReadFiles {
  static constexpr std::string_view tag = "readFiles";
  std::vector<std::string> paths{};
  static constexpr auto wire =
      fields(field<&ReadFiles::paths>("paths", "Paths in a folder of the conversation, or paths chosen with `pickFiles`."));
};
struct OpenFile {
  static constexpr std::string_view tag = "openFile";
  std::string path{};
  std::optional<std::uint64_t> line{};
  static constexpr auto wire = fields(field<&OpenFile::path>("path", "Path of the file to show in the editor."),
                                      field<&OpenFile::line>("line", "Line to show, counted from 1."));
};
struct SendMessage {
  static constexpr std::string_view tag = "sendMessage";
  std::optional<std::string> prompt{};
  std::optional<std::string> content{};
  std::optional<std::vector<AttachedFile>> attached_files{};
  std::optional<Mode> mode{};
  std::optional<bool> think{};
  std::optional<std::string> model{};
  wire::Nullable<IdeContext> ide_context{};
  std::optional<std::vector<std::string>> workspace_files{};
  static constexpr auto wire =
      fields(field<&SendMessage::prompt>("prompt", "Text of the person."),
             field<&SendMessage::content>("content", "Another name of `prompt`."),
             field<&SendMessage::attached_files>("attachedFiles", "Attached files. A long file is cut, with a `warning`."),
             field<&SendMessage::mode>("mode", "New mode from this turn on. Absent: unchanged."),
             field<&SendMessage::think>("think", "New setting for thinking from this turn on. Absent: unchanged."),
             field<&SendMessage::model>("model", "New model from this turn on. Absent: unchanged."),
             field<&SendMessage::ide_context>("ideContext",
                                              "Context of the editor. Absent: the last reported context; null: no context."),
             field<&SendMessage::workspace_files>("workspaceFiles", "Names of files for the agent, one on each line."));
};
struct ToolApproval {
  static constexpr std::string_view tag = "toolApproval";
  RequestId request_id = 0;
  std::optional<std::string> outcome{};
  static constexpr auto wire =
      fields(field<&ToolApproval::request_id>("requestId", "Id of the request in `tool_confirmation`."),
             field<&ToolApproval::outcome>(
                 "outcome",
                 "Answer: `allow`, `alwaysAllow`, `alwaysAllowTool`, `alwaysAllowMcpServer` or `reject`. `reject` "
                 "also stops the turn. Absent: the message fails, and the request stays open."));
};
struct QuestionAnswer {
  static constexpr std::string_view tag = "questionAnswer";
  RequestId request_id = 0;
  std::map<std::string, wire::Raw> answers{};
  static constexpr auto wire = fields(
      field<&QuestionAnswer::request_id>("requestId", "Id of the request in `user_question`."),
      field<&QuestionAnswer::answers>(
          "answers",
          "Answers by header: a label, a list of labels, or the person's own words. Without answers, the question is declined."));
};
enum class PlanOption : std::uint8_t { keep, feedback, smart, default_ };  // an unset one carries nothing out
constexpr auto wire_names(PlanOption) { return wire::names("keep", "feedback", "smart", "default"); }
struct PlanAnswer {
  static constexpr std::string_view tag = "planApproval";
  RequestId request_id = 0;
  std::optional<PlanOption> option{};
  std::optional<std::string> feedback{};
  std::optional<bool> approved{};
  static constexpr auto wire =
      fields(field<&PlanAnswer::request_id>("requestId", "Id of the request in `plan_approval`."),
             field<&PlanAnswer::option>("option", "Next step: a mode to carry out the plan in, more planning, or another plan."),
             field<&PlanAnswer::feedback>("feedback", "With the option `feedback`: wanted changes of the plan."),
             field<&PlanAnswer::approved>("approved", "Without `option`: true means `default`, false means `keep`."));
};
struct CancelCurrent {
  static constexpr std::string_view tag = "cancelCurrent";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct NewConversation {
  static constexpr std::string_view tag = "newConversation";
  std::optional<std::string> agent{};
  static constexpr auto wire = fields(field<&NewConversation::agent>(
      "agent", "Id of an agent of the state. Absent: the agent of the last conversation, or the first available agent."));
};
struct SwitchConversation {
  static constexpr std::string_view tag = "switchConversation";
  std::string conversation_id{};
  static constexpr auto wire =
      fields(field<&SwitchConversation::conversation_id>("conversationId", "Id of the conversation to show."));
};
struct DeleteConversation {
  static constexpr std::string_view tag = "deleteConversation";
  std::string conversation_id{};
  static constexpr auto wire = fields(field<&DeleteConversation::conversation_id>(
      "conversationId", "Id of the conversation. Its turn is stopped, and the conversation is deleted."));
};
struct ClearConversation {
  static constexpr std::string_view tag = "clearConversation";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct SetMode {
  static constexpr std::string_view tag = "setMode";
  Mode mode = Mode::default_;
  static constexpr auto wire = fields(field<&SetMode::mode>("mode", "The new mode, from the next turn on at the latest."));
};
struct SetThink {
  static constexpr std::string_view tag = "setThink";
  std::optional<bool> think{};
  std::optional<bool> enabled{};
  static constexpr auto wire = fields(field<&SetThink::think>("think", "True: the model thinks, from the next turn on."),
                                      field<&SetThink::enabled>("enabled", "Another name of `think`."));
};
struct SetModel {
  static constexpr std::string_view tag = "setModel";
  std::string model{};
  static constexpr auto wire =
      fields(field<&SetModel::model>("model", "Name of the new model, from the next turn on. Empty: the agent's own choice."));
};
struct SetWorkspaceFolder {
  static constexpr std::string_view tag = "setWorkspaceFolder";
  std::string folder{};
  static constexpr auto wire = fields(field<&SetWorkspaceFolder::folder>(
      "folder", "Absolute path of the new working folder. Refused after the first message of the conversation."));
};

// ---- of the editor around it -------------------------------------------------------------------------------------------------
// A relay between a webview and a host says these itself, and never passes them on from its webview.

struct IdeContextChanged {
  static constexpr std::string_view tag = "ideContextChanged";
  IdeContext context{};
  static constexpr auto wire = fields(field<&IdeContextChanged::context>("context", "The present context of the editor."));
};
struct PickedFiles {
  static constexpr std::string_view tag = "pickedFiles";
  std::vector<std::string> files{};
  static constexpr auto wire = fields(field<&PickedFiles::files>(
      "files", "Absolute paths chosen by the person. The gateway may read these files anywhere on its machine."));
};
struct WorkspaceFolders {
  static constexpr std::string_view tag = "workspaceFolders";
  std::vector<std::string> folders{};
  static constexpr auto wire = fields(
      field<&WorkspaceFolders::folders>("folders", "Absolute paths of the open folders. The first folder is the default."));
};

using PageMessage = wire::Tagged<"type", Ready, RecheckCli, PickFiles, ListWorkspaceFiles, SearchFiles, ReadFiles, OpenFile,
                                 SendMessage, ToolApproval, QuestionAnswer, PlanAnswer, CancelCurrent, NewConversation,
                                 SwitchConversation, DeleteConversation, ClearConversation, SetMode, SetThink, SetModel,
                                 SetWorkspaceFolder, IdeContextChanged, PickedFiles, WorkspaceFolders, wire::Other>;

}  // namespace parlance::webview
