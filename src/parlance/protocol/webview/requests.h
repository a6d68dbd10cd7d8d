// SPDX-License-Identifier: Apache-2.0
// What a webview, or the editor around it, says to its host. Values; any thread.
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

// What the person looks at in an editor.
struct ActiveFile {
  std::string path{};
  std::string name{};
  static constexpr auto wire =
      fields(field<&ActiveFile::path>("path", "Absolute."), field<&ActiveFile::name>("name", "Its last part."));
};
struct Selection {
  std::string file_path{};
  std::string file_name{};
  std::string text{};
  std::uint64_t line_start = 1;
  std::uint64_t line_end = 1;
  static constexpr auto wire =
      fields(field<&Selection::file_path>("filePath", "Absolute."), field<&Selection::file_name>("fileName", "Its last part."),
             field<&Selection::text>("text", "At most 5,000 characters go on."),
             field<&Selection::line_start>("lineStart", "From 1."), field<&Selection::line_end>("lineEnd", "This line, too."));
};
struct IdeContext {
  wire::Nullable<ActiveFile> active_file{.state = wire::Nullable<ActiveFile>::State::null};
  wire::Nullable<Selection> selection{.state = wire::Nullable<Selection>::State::null};
  static constexpr auto wire = fields(field<&IdeContext::active_file>("activeFile", "Null: none."),
                                      field<&IdeContext::selection>("selection", "Null: nothing is selected."));
};

struct AttachedFile {
  std::string path{};
  std::optional<std::string> content{};
  static constexpr auto wire =
      fields(field<&AttachedFile::path>("path", "Absolute, or below the conversation's folder."),
             field<&AttachedFile::content>("content", "Its text; absent: the host reads it, where `readFiles` may."));
};

// ---- of the webview --------------------------------------------------------------------------------------------------------

struct Ready {
  static constexpr std::string_view tag = "ready";
  std::optional<std::string> conversation_id{};
  std::optional<bool> code_chunks{};
  static constexpr auto wire =
      fields(field<&Ready::conversation_id>("conversationId", "The one that was shown before; absent, or gone: the newest."),
             field<&Ready::code_chunks>("codeChunks",
                                        "Blocks of code come as `code_start`, `code_content`, `code_end` and not in the text."));
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
  static constexpr auto wire =
      fields(field<&SearchFiles::query>("query", "Characters of the path in their order; empty: the first ones.").or_default());
};
struct ListWorkspaceFiles {
  static constexpr std::string_view tag = "listWorkspaceFiles";
  std::string query{};
  static constexpr auto wire = fields(field<&ListWorkspaceFiles::query>("query", "The same as `searchFiles`.").or_default());
};
struct ReadFiles {
  static constexpr std::string_view tag = "readFiles";
  std::vector<std::string> paths{};
  static constexpr auto wire =
      fields(field<&ReadFiles::paths>("paths", "In a folder of the conversation, or picked with `pickFiles`."));
};
struct OpenFile {
  static constexpr std::string_view tag = "openFile";
  std::string path{};
  std::optional<std::uint64_t> line{};
  static constexpr auto wire =
      fields(field<&OpenFile::path>("path", "To be shown in the editor."), field<&OpenFile::line>("line", "From 1."));
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
  static constexpr auto wire = fields(
      field<&SendMessage::prompt>("prompt", "What the person wrote."),
      field<&SendMessage::content>("content", "Another name of `prompt`."),
      field<&SendMessage::attached_files>("attachedFiles", "What goes along. A long file is cut, and a `warning` says so."),
      field<&SendMessage::mode>("mode", "From this turn on; absent: as it is."), field<&SendMessage::think>("think", "The same."),
      field<&SendMessage::model>("model", "The same."),
      field<&SendMessage::ide_context>("ideContext", "Absent: what the editor has told last; null: none."),
      field<&SendMessage::workspace_files>("workspaceFiles", "Names of files that the agent is told of, one a line."));
};
struct ToolApproval {
  static constexpr std::string_view tag = "toolApproval";
  RequestId request_id = 0;
  std::optional<std::string> outcome{};
  static constexpr auto wire =
      fields(field<&ToolApproval::request_id>("requestId", "Of the `tool_confirmation`."),
             field<&ToolApproval::outcome>(
                 "outcome",
                 "`allow`, `alwaysAllow`, `alwaysAllowTool`, `alwaysAllowMcpServer`, or `reject`, which also stops the turn. "
                 "Absent: the message is refused, and the request stays open."));
};
struct QuestionAnswer {
  static constexpr std::string_view tag = "questionAnswer";
  RequestId request_id = 0;
  std::map<std::string, wire::Raw> answers{};
  static constexpr auto wire =
      fields(field<&QuestionAnswer::request_id>("requestId", "Of the `user_question`."),
             field<&QuestionAnswer::answers>(
                 "answers",
                 "By header: a label, several in a list, or words of the person's own. Without any the question is declined."));
};
enum class PlanOption : std::uint8_t { keep, feedback, smart, default_ };  // an unset one carries nothing out
constexpr auto wire_names(PlanOption) { return wire::names("keep", "feedback", "smart", "default"); }
struct PlanAnswer {
  static constexpr std::string_view tag = "planApproval";
  RequestId request_id = 0;
  std::optional<PlanOption> option{};
  std::optional<std::string> feedback{};
  std::optional<bool> approved{};
  static constexpr auto wire = fields(
      field<&PlanAnswer::request_id>("requestId", "Of the `plan_approval`."),
      field<&PlanAnswer::option>("option", "What follows: in which mode it is carried out, more planning, or another plan."),
      field<&PlanAnswer::feedback>("feedback", "With the option `feedback`: what should be different."),
      field<&PlanAnswer::approved>("approved", "Where there is no option: true means `default`, false `keep`."));
};
struct CancelCurrent {
  static constexpr std::string_view tag = "cancelCurrent";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct NewConversation {
  static constexpr std::string_view tag = "newConversation";
  std::optional<std::string> agent{};
  static constexpr auto wire = fields(field<&NewConversation::agent>(
      "agent", "Id of an agent of the state; absent: the one before, or the first that is there."));
};
struct SwitchConversation {
  static constexpr std::string_view tag = "switchConversation";
  std::string conversation_id{};
  static constexpr auto wire = fields(field<&SwitchConversation::conversation_id>("conversationId", "The one to be shown."));
};
struct DeleteConversation {
  static constexpr std::string_view tag = "deleteConversation";
  std::string conversation_id{};
  static constexpr auto wire =
      fields(field<&DeleteConversation::conversation_id>("conversationId", "It is stopped and deleted."));
};
struct ClearConversation {
  static constexpr std::string_view tag = "clearConversation";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct SetMode {
  static constexpr std::string_view tag = "setMode";
  Mode mode = Mode::default_;
  static constexpr auto wire = fields(field<&SetMode::mode>("mode", "From the next turn on at the latest."));
};
struct SetThink {
  static constexpr std::string_view tag = "setThink";
  std::optional<bool> think{};
  std::optional<bool> enabled{};
  static constexpr auto wire = fields(field<&SetThink::think>("think", "From the next turn on."),
                                      field<&SetThink::enabled>("enabled", "Another name of `think`."));
};
struct SetModel {
  static constexpr std::string_view tag = "setModel";
  std::string model{};
  static constexpr auto wire = fields(field<&SetModel::model>("model", "From the next turn on; empty: the agent's own choice."));
};
struct SetWorkspaceFolder {
  static constexpr std::string_view tag = "setWorkspaceFolder";
  std::string folder{};
  static constexpr auto wire = fields(field<&SetWorkspaceFolder::folder>(
      "folder", "Of a conversation in which nothing was said yet. One that has begun stays where it is, and this is refused."));
};

// ---- of the editor around it -------------------------------------------------------------------------------------------------
// A relay between a webview and a host says these itself, and never passes them on from its webview.

struct IdeContextChanged {
  static constexpr std::string_view tag = "ideContextChanged";
  IdeContext context{};
  static constexpr auto wire = fields(field<&IdeContextChanged::context>("context", "What the person looks at now."));
};
struct PickedFiles {
  static constexpr std::string_view tag = "pickedFiles";
  std::vector<std::string> files{};
  static constexpr auto wire =
      fields(field<&PickedFiles::files>("files", "Absolute paths that the person chose. They may be read, wherever they lie."));
};
struct WorkspaceFolders {
  static constexpr std::string_view tag = "workspaceFolders";
  std::vector<std::string> folders{};
  static constexpr auto wire = fields(field<&WorkspaceFolders::folders>("folders", "Absolute paths, the first one first."));
};

using PageMessage = wire::Tagged<"type", Ready, RecheckCli, PickFiles, ListWorkspaceFiles, SearchFiles, ReadFiles, OpenFile,
                                 SendMessage, ToolApproval, QuestionAnswer, PlanAnswer, CancelCurrent, NewConversation,
                                 SwitchConversation, DeleteConversation, ClearConversation, SetMode, SetThink, SetModel,
                                 SetWorkspaceFolder, IdeContextChanged, PickedFiles, WorkspaceFolders, wire::Other>;

}  // namespace parlance::webview
