// SPDX-License-Identifier: Apache-2.0
// What a webview written for the extension of iFlow, and the host of it, say to each other: JSON objects, each in a postMessage or in one
// text frame. The host keeps all state. Our own page has a richer protocol (protocol/page). What is said to the host is in requests.h, the
// pieces of an answer in stream_chunk.h.
#pragma once

#include "parlance/protocol/webview/requests.h"

namespace parlance::webview {

struct UserMessage {
  static constexpr std::string_view tag = "user";
  std::string id{};
  std::string content{};
  std::vector<std::string> files{};
  std::string timestamp{};
  static constexpr auto wire = fields(field<&UserMessage::id>("id", "Names it in its conversation."),
                                      field<&UserMessage::content>("content", "What the person wrote."),
                                      field<&UserMessage::files>("files", "Names of what went along."),
                                      field<&UserMessage::timestamp>("timestamp", "RFC 3339, UTC."));
};
struct AssistantMessage {
  static constexpr std::string_view tag = "assistant";
  std::string id{};
  std::vector<StreamChunk> chunks{};
  std::string timestamp{};
  static constexpr auto wire =
      fields(field<&AssistantMessage::id>("id", "Names it in its conversation."),
             field<&AssistantMessage::chunks>(
                 "chunks", "What the stream had of it up to now; of a turn that runs it goes on with the next `streamChunk`."),
             field<&AssistantMessage::timestamp>("timestamp", "RFC 3339, UTC."));
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
      fields(field<&ConversationState::id>("id", "Names it."), field<&ConversationState::title>("title", "For people."),
             field<&ConversationState::agent>("agent", "Whose it is."),
             field<&ConversationState::mode>("mode", "What is done without asking."),
             field<&ConversationState::think>("think", "It thinks before it answers."),
             field<&ConversationState::model>("model", "Empty: the agent's own choice."),
             field<&ConversationState::workspace_folder>("workspaceFolder", "Where it works."),
             field<&ConversationState::is_streaming>("isStreaming", "A turn runs."),
             field<&ConversationState::pending>("pending", "So much waits for the person."),
             field<&ConversationState::queued>("queued", "Messages that wait for the turn before them."),
             field<&ConversationState::created_at>("createdAt", "RFC 3339, UTC."));
};
struct Command {
  std::string name{};
  std::string description{};
  std::optional<std::string> hint{};
  static constexpr auto wire =
      fields(field<&Command::name>("name", "Without the slash."), field<&Command::description>("description", "For people."),
             field<&Command::hint>("hint", "What may follow it."));
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
  static constexpr auto wire =
      fields(field<&AgentState::id>("id", "Names it."), field<&AgentState::name>("name", "For people."),
             field<&AgentState::available>("available", "It can be asked."),
             field<&AgentState::diagnostics>("diagnostics", "How it is, in words."),
             field<&AgentState::modes>("modes", "That it knows."), field<&AgentState::models>("models", "That it offers."),
             field<&AgentState::scripted>("scripted", "Its answers come from a script, and the person has to be told."),
             field<&AgentState::commands>("commands", "That may follow a slash at the beginning of a message."));
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
      field<&State::version>("version", "Of the host."),
      field<&State::cli_available>("cliAvailable", "The agent of the conversation that is shown, or the first, can be asked."),
      field<&State::cli_diagnostics>("cliDiagnostics", "How it is, in words."), field<&State::agents>("agents", "All of them."),
      field<&State::workspace_folders>("workspaceFolders", "Where a new conversation may work, the first one first."),
      field<&State::conversations>("conversations", "The newest first, at most 200."),
      field<&State::current_conversation_id>("currentConversationId",
                                             "The one that is shown; absent: none yet, and the next message begins one."),
      field<&State::is_streaming>("isStreaming", "A turn runs in it."),
      field<&State::messages>("messages", "All that was said in it, or the newest of it; absent: what is known goes on."));
};

// ---- host -> webview -------------------------------------------------------------------------------------------------------

struct StateUpdated {
  static constexpr std::string_view tag = "stateUpdated";
  State state{};
  static constexpr auto wire =
      fields(field<&StateUpdated::state>("state", "As it is now: after `ready`, and when something changed."));
};
struct StreamChunkMessage {
  static constexpr std::string_view tag = "streamChunk";
  std::string conversation_id{};
  StreamChunk chunk{};
  static constexpr auto wire = fields(field<&StreamChunkMessage::conversation_id>("conversationId", "The one that is shown."),
                                      field<&StreamChunkMessage::chunk>("chunk", "The next piece of the answer."));
};
struct StreamEnd {
  static constexpr std::string_view tag = "streamEnd";
  std::string conversation_id{};
  std::string stop_reason{};
  static constexpr auto wire =
      fields(field<&StreamEnd::conversation_id>("conversationId", "The one that is shown."),
             field<&StreamEnd::stop_reason>(
                 "stopReason", "end_turn, max_tokens, refusal, cancelled, max_turns; error, behind a chunk `error`."));
};
struct UserMessageAdded {
  static constexpr std::string_view tag = "userMessage";
  std::string conversation_id{};
  UserMessage message{};
  static constexpr auto wire =
      fields(field<&UserMessageAdded::conversation_id>("conversationId", "The one that is shown."),
             field<&UserMessageAdded::message>(
                 "message", "Written elsewhere, or queued; what this webview has sent and begins at once is not told again."));
};
struct RequestSettled {
  static constexpr std::string_view tag = "requestSettled";
  RequestId request_id = 0;
  std::string state{};
  std::string by{};
  static constexpr auto wire = fields(field<&RequestSettled::request_id>("requestId", "It waits no more."),
                                      field<&RequestSettled::state>("state", "answered, expired, cancelled, orphaned."),
                                      field<&RequestSettled::by>("by", "Who settled it."));
};
struct CliStatus {
  static constexpr std::string_view tag = "cliStatus";
  bool available = false;
  std::string diagnostics{};
  static constexpr auto wire = fields(field<&CliStatus::available>("available", "As in the state; the answer to `recheckCli`."),
                                      field<&CliStatus::diagnostics>("diagnostics", "In words."));
};
struct FilesPicked {
  static constexpr std::string_view tag = "pickedFiles";
  std::vector<std::string> files{};
  static constexpr auto wire = fields(field<&FilesPicked::files>("files", "Absolute paths; none: nothing was chosen."));
};
struct WorkspaceFiles {
  static constexpr std::string_view tag = "workspaceFiles";
  std::string query{};
  std::vector<std::string> files{};
  bool all = true;
  static constexpr auto wire = fields(field<&WorkspaceFiles::query>("query", "That this answers."),
                                      field<&WorkspaceFiles::files>("files", "Below the conversation's folder, the best first."),
                                      field<&WorkspaceFiles::all>("all", "False: the folder has more files than are looked at."));
};
struct FileContent {
  std::string path{};
  std::string content{};
  bool truncated = false;
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&FileContent::path>("path", "As it was asked for."), field<&FileContent::content>("content", "Its text."),
             field<&FileContent::truncated>("truncated", "It goes on behind that."),
             field<&FileContent::error>("error", "Why it could not be read."));
};
struct FileContents {
  static constexpr std::string_view tag = "fileContents";
  std::vector<FileContent> files{};
  static constexpr auto wire = fields(field<&FileContents::files>("files", "One for each path, in that order."));
};
struct ContextTold {
  static constexpr std::string_view tag = "ideContextChanged";
  IdeContext context{};
  static constexpr auto wire =
      fields(field<&ContextTold::context>("context", "What the person looks at: after `ready`, and when it changed."));
};
struct Failed {
  static constexpr std::string_view tag = "failed";
  std::string of{};
  std::string code{};
  std::string message{};
  static constexpr auto wire =
      fields(field<&Failed::of>("of", "The `type` of the message that could not be done; empty when it could not be read."),
             field<&Failed::code>("code", "For programs: not_found, invalid_params, …"),
             field<&Failed::message>("message", "For people; a malformed message is told with the place of the fault."));
};

using HostMessage = wire::Tagged<"type", StateUpdated, StreamChunkMessage, StreamEnd, UserMessageAdded, RequestSettled, CliStatus,
                                 FilesPicked, WorkspaceFiles, FileContents, ContextTold, Failed>;

}  // namespace parlance::webview
