// SPDX-License-Identifier: Apache-2.0
// Messages between a webview of iFlow's extension and its gateway: JSON objects, each in a postMessage or in a text frame. The
// gateway keeps all state. The page of parlance has a larger protocol (protocol/page). Messages to the gateway are in
// requests.h, pieces of an answer in stream_chunk.h.
#pragma once

#include "parlance/protocol/webview/requests.h"

namespace parlance::webview {

struct UserMessage {
  static constexpr std::string_view tag = "user";
  std::string id{};
  std::string content{};
  std::vector<std::string> files{};
  std::string timestamp{};
  static constexpr auto wire = fields(field<&UserMessage::id>("id", "Id of the message, unique in the conversation."),
                                      field<&UserMessage::content>("content", "Text of the person."),
                                      field<&UserMessage::files>("files", "Names of the attached files."),
                                      field<&UserMessage::timestamp>("timestamp", "Time of the message, RFC 3339 in UTC."));
};
struct AssistantMessage {
  static constexpr std::string_view tag = "assistant";
  std::string id{};
  std::vector<StreamChunk> chunks{};
  std::string timestamp{};
  static constexpr auto wire =
      fields(field<&AssistantMessage::id>("id", "Id of the message, unique in the conversation."),
             field<&AssistantMessage::chunks>(
                 "chunks", "Chunks of the answer so far. During a turn, the next `streamChunk` continues the list."),
             field<&AssistantMessage::timestamp>("timestamp", "Time of the message, RFC 3339 in UTC."));
};
using Message = wire::Tagged<"role", UserMessage, AssistantMessage>;

struct ConversationState {
  std::string id{};
  std::string title{};
  std::string agent{};
  Mode mode = Mode::default_;
  bool think = false;
  std::string model{};
  std::string workspace_folder{};
  bool is_streaming = false;
  std::uint32_t pending = 0;
  std::vector<std::string> queued{};
  std::string created_at{};
  static constexpr auto wire =
      fields(field<&ConversationState::id>("id", "Id of the conversation."),
             field<&ConversationState::title>("title", "Title for people."),
             field<&ConversationState::agent>("agent", "Id of the agent."),
             field<&ConversationState::mode>("mode", "Mode of the conversation, which decides about requests."),
             field<&ConversationState::think>("think", "True: the model thinks before it answers."),
             field<&ConversationState::model>("model", "Name of the model. Empty: the agent's own choice."),
             field<&ConversationState::workspace_folder>("workspaceFolder", "Absolute path of the working folder."),
             field<&ConversationState::is_streaming>("isStreaming", "True: a turn runs."),
             field<&ConversationState::pending>("pending", "Number of open requests."),
             field<&ConversationState::queued>("queued", "Number of queued messages."),
             field<&ConversationState::created_at>("createdAt", "Time of creation, RFC 3339 in UTC."));
};
struct Command {
  std::string name{};
  std::string description{};
  std::optional<std::string> hint{};
  static constexpr auto wire = fields(field<&Command::name>("name", "Name of the command without its slash."),
                                      field<&Command::description>("description", "Description of the command for people."),
                                      field<&Command::hint>("hint", "Hint for the text after the name."));
};
struct AgentState {
  std::string id{};
  std::string name{};
  bool available = false;
  std::string diagnostics{};
  std::vector<Mode> modes{};
  std::vector<std::string> models{};
  bool scripted = false;
  std::vector<Command> commands{};
  static constexpr auto wire = fields(
      field<&AgentState::id>("id", "Id of the agent."), field<&AgentState::name>("name", "Name of the agent for people."),
      field<&AgentState::available>("available", "True: the agent accepts prompts."),
      field<&AgentState::diagnostics>("diagnostics", "State of the agent as text."),
      field<&AgentState::modes>("modes", "Modes of the agent."), field<&AgentState::models>("models", "Models of the agent."),
      field<&AgentState::scripted>("scripted", "True: a script writes the answers. Tell the person."),
      field<&AgentState::commands>("commands", "Slash commands for the beginning of a message."));
};
struct State {
  std::string version{};
  bool cli_available = false;
  std::string cli_diagnostics{};
  std::vector<AgentState> agents{};
  std::vector<std::string> workspace_folders{};
  std::vector<ConversationState> conversations{};
  std::optional<std::string> current_conversation_id{};
  bool is_streaming = false;
  std::optional<std::vector<Message>> messages{};
  static constexpr auto wire = fields(
      field<&State::version>("version", "Version of the gateway."),
      field<&State::cli_available>(
          "cliAvailable",
          "True: the agent of the shown conversation accepts prompts. Without a conversation, the first agent counts."),
      field<&State::cli_diagnostics>("cliDiagnostics", "State of this agent as text."),
      field<&State::agents>("agents", "All agents with their states."),
      field<&State::workspace_folders>("workspaceFolders",
                                       "Working folders of new conversations. The first folder is the default."),
      field<&State::conversations>("conversations", "Conversations, newest first, at most 200."),
      field<&State::current_conversation_id>(
          "currentConversationId", "Id of the shown conversation. Absent: none; the next message starts a conversation."),
      field<&State::is_streaming>("isStreaming", "True: a turn runs in the shown conversation."),
      field<&State::messages>(
          "messages", "Messages of the shown conversation, or the newest of them. Absent: the earlier messages remain valid."));
};

// ---- host -> webview -------------------------------------------------------------------------------------------------------

struct StateUpdated {
  static constexpr std::string_view tag = "stateUpdated";
  State state{};
  static constexpr auto wire =
      fields(field<&StateUpdated::state>("state", "The present state, after `ready` and after each change."));
};
struct StreamChunkMessage {
  static constexpr std::string_view tag = "streamChunk";
  std::string conversation_id{};
  StreamChunk chunk{};
  static constexpr auto wire =
      fields(field<&StreamChunkMessage::conversation_id>("conversationId", "Id of the shown conversation."),
             field<&StreamChunkMessage::chunk>("chunk", "The next piece of the answer."));
};
struct StreamEnd {
  static constexpr std::string_view tag = "streamEnd";
  std::string conversation_id{};
  std::string stop_reason{};
  static constexpr auto wire =
      fields(field<&StreamEnd::conversation_id>("conversationId", "Id of the shown conversation."),
             field<&StreamEnd::stop_reason>(
                 "stopReason",
                 "Reason for the end: end_turn, max_tokens, refusal, cancelled, max_turns, or error after a chunk `error`."));
};
struct UserMessageAdded {
  static constexpr std::string_view tag = "userMessage";
  std::string conversation_id{};
  UserMessage message{};
  static constexpr auto wire = fields(
      field<&UserMessageAdded::conversation_id>("conversationId", "Id of the shown conversation."),
      field<&UserMessageAdded::message>(
          "message",
          "A message from elsewhere, or a queued message. A message of this webview that starts at once is not repeated."));
};
struct RequestSettled {
  static constexpr std::string_view tag = "requestSettled";
  RequestId request_id = 0;
  std::string state{};
  std::string by{};
  static constexpr auto wire =
      fields(field<&RequestSettled::request_id>("requestId", "Id of the settled request."),
             field<&RequestSettled::state>("state", "New state: answered, expired, cancelled or orphaned."),
             field<&RequestSettled::by>("by", "Name of the person or program that settled the request."));
};
struct CliStatus {
  static constexpr std::string_view tag = "cliStatus";
  bool available = false;
  std::string diagnostics{};
  static constexpr auto wire =
      fields(field<&CliStatus::available>("available", "True: the agent accepts prompts. The answer to `recheckCli`."),
             field<&CliStatus::diagnostics>("diagnostics", "State of the agent as text."));
};
struct FilesPicked {
  static constexpr std::string_view tag = "pickedFiles";
  std::vector<std::string> files{};
  static constexpr auto wire =
      fields(field<&FilesPicked::files>("files", "Absolute paths of the chosen files. Empty: no file was chosen."));
};
struct WorkspaceFiles {
  static constexpr std::string_view tag = "workspaceFiles";
  std::string query{};
  std::vector<std::string> files{};
  bool all = true;
  static constexpr auto wire =
      fields(field<&WorkspaceFiles::query>("query", "The query of the request."),
             field<&WorkspaceFiles::files>("files", "Paths below the folder of the conversation, best match first."),
             field<&WorkspaceFiles::all>("all", "False: the folder has more files than the search read."));
};
struct FileContent {
  std::string path{};
  std::string content{};
  bool truncated = false;
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&FileContent::path>("path", "Path as given in the request."),
                                      field<&FileContent::content>("content", "Text of the file."),
                                      field<&FileContent::truncated>("truncated", "True: the text was cut."),
                                      field<&FileContent::error>("error", "Reason of a failed read. Absent: the file was read."));
};
struct FileContents {
  static constexpr std::string_view tag = "fileContents";
  std::vector<FileContent> files{};
  static constexpr auto wire = fields(field<&FileContents::files>("files", "Results in the order of the requested paths."));
};
struct ContextUpdated {
  static constexpr std::string_view tag = "ideContextChanged";
  IdeContext context{};
  static constexpr auto wire = fields(field<&ContextUpdated::context>(
      "context", "Focused file and selection of the editor, after `ready` and after each change."));
};
struct Failed {
  static constexpr std::string_view tag = "failed";
  std::string of{};
  std::string code{};
  std::string message{};
  static constexpr auto wire =
      fields(field<&Failed::of>("of", "The `type` of the failed message. Empty: the message was unreadable."),
             field<&Failed::code>("code", "Error code for programs, such as not_found or invalid_params."),
             field<&Failed::message>(
                 "message", "Text of the error for people. For a malformed message, the text names the place of the fault."));
};

using HostMessage = wire::Tagged<"type", StateUpdated, StreamChunkMessage, StreamEnd, UserMessageAdded, RequestSettled, CliStatus,
                                 FilesPicked, WorkspaceFiles, FileContents, ContextUpdated, Failed>;

}  // namespace parlance::webview
