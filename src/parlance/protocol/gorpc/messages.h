// SPDX-License-Identifier: Apache-2.0
// Types and methods between a gateway and an agent, as Go's net/rpc carries them. Field names are Go's; the JSON names of
// deployed programs (tool_calls, minScore) are read too. gob omits zero values, so every field may be absent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/protocol/gorpc/memory_messages.h"
#include "parlance/wire/call.h"

namespace parlance::gorpc {

struct FunctionCall {
  std::string name{};
  std::string arguments{};
  static constexpr auto wire =
      fields(field<&FunctionCall::name>("Name", "Name of the tool.").or_default(),
             field<&FunctionCall::arguments>("Arguments", "Arguments of the tool: a JSON object as text.").or_default());
};

struct ToolCall {
  std::string id{};
  std::string type{};
  FunctionCall function{};
  static constexpr auto wire =
      fields(field<&ToolCall::id>("ID", "Id of the call, unique in the conversation.").or_default(),
             field<&ToolCall::type>("Type", "Always the value \"function\".").or_default(),
             field<&ToolCall::function>("Function", "The tool to call, with its arguments.").or_default());
};

// An addition of parlance; other Go programs skip it. Abilities reports its support.
struct Attachment {
  std::string media_type{};
  std::string name{};
  std::string url{};
  wire::Blob data{};
  static constexpr auto wire =
      fields(field<&Attachment::media_type>("MediaType", "Media type, such as image/png.").or_default(),
             field<&Attachment::name>("Name", "File name for people.").or_default(),
             field<&Attachment::url>("URL", "Address of the attachment. Empty: the bytes are in Data.").or_default(),
             field<&Attachment::data>("Data", "Bytes of the attachment. Empty: the attachment is at URL.").or_default());
};

struct ToolResult {
  std::string id{};
  std::string type{};
  wire::Raw result{};  // interface{}: any JSON.
  std::vector<Attachment> attachments{};
  static constexpr auto wire =
      fields(field<&ToolResult::id>("ID", "Id of the ToolCall with this result.").or_default(),
             field<&ToolResult::type>("Type", "Always the value \"function\".").or_default(),
             field<&ToolResult::result>("Result", "Result of the call: text or any JSON value.").or_default(),
             field<&ToolResult::attachments>("Attachments", "Pictures of the result. An addition of parlance.").or_default());
};

struct Message {
  std::string role{};
  std::string content{};
  std::vector<ToolCall> tool_calls{};
  std::vector<ToolResult> tool_results{};
  std::vector<Attachment> attachments{};
  static constexpr auto wire =
      fields(field<&Message::role>("Role", "Role of the author: user, assistant, system or tool.").or_default(),
             field<&Message::content>("Content", "Text of the message.").or_default(),
             field<&Message::tool_calls>("ToolCalls", "Tool calls of an assistant message.").or_default(),
             field<&Message::tool_results>("ToolExecutionResults", "Results of earlier tool calls, with role tool.")
                 .also("tool_results")
                 .or_default(),
             field<&Message::attachments>("Attachments", "Images and documents of a user message.").or_default());
};

struct ToolFunction {
  std::string name{};
  std::string description{};
  std::map<std::string, wire::Raw> parameters{};  // map[string]interface{}: a JSON Schema.
  static constexpr auto wire =
      fields(field<&ToolFunction::name>("Name", "Name of the tool.").or_default(),
             field<&ToolFunction::description>("Description", "Purpose of the tool, for the model.").or_default(),
             field<&ToolFunction::parameters>("Parameters", "JSON Schema of the arguments.").or_default());
};

struct Tool {
  std::string type{};
  ToolFunction function{};
  static constexpr auto wire = fields(field<&Tool::type>("Type", "Always the value \"function\".").or_default(),
                                      field<&Tool::function>("Function", "The tool with name and schema.").or_default());
};

// Additions of parlance; other Go programs skip them.
struct ChatParameters {
  std::optional<double> temperature{};
  std::optional<double> top_p{};
  std::optional<double> presence_penalty{};
  std::optional<double> frequency_penalty{};
  std::optional<std::int64_t> seed{};
  std::optional<bool> parallel_calls{};
  std::vector<std::string> stop{};
  std::string effort{};
  bool must_call = false;
  static constexpr auto wire = fields(
      field<&ChatParameters::temperature>("Temperature", "Sampling temperature from 0 to 2."),
      field<&ChatParameters::top_p>("TopP", "Nucleus sampling from 0 to 1."),
      field<&ChatParameters::presence_penalty>("PresencePenalty", "Penalty for used words, from -2 to 2."),
      field<&ChatParameters::frequency_penalty>("FrequencyPenalty", "Penalty for frequent words, from -2 to 2."),
      field<&ChatParameters::seed>("Seed", "Seed of the sampling. Equal seeds make equal answers more likely."),
      field<&ChatParameters::parallel_calls>("ParallelCalls", "True: one answer may have several tool calls."),
      field<&ChatParameters::stop>("Stop", "Texts that end the answer.").or_default(),
      field<&ChatParameters::effort>("Effort", "Amount of thinking: low, medium, high. Empty: Think decides.").or_default(),
      field<&ChatParameters::must_call>("MustCall", "True: the answer must call one of the tools.").or_default());
};

struct ChatArgs {
  std::vector<Message> messages{};
  std::vector<Tool> tools{};
  // Additions of parlance; other Go programs skip them.
  std::string stream{};  // Name for ChatStream, which then follows this call.
  std::string model{};
  std::string think{};  // "", "on", "off"
  bool bare = false;
  bool alone = false;
  std::int64_t max_tokens = 0;
  std::int64_t keep = 0;  // Of a named call.
  std::string user{};
  ChatParameters parameters{};
  static constexpr auto wire = fields(
      field<&ChatArgs::messages>("Messages", "All messages of the conversation so far.").or_default(),
      field<&ChatArgs::tools>("Tools", "Tools that the model may call.").or_default(),
      field<&ChatArgs::stream>("Stream", "Name for ChatStream, which then returns the pieces of this answer. Empty: no stream.")
          .or_default(),
      field<&ChatArgs::model>("Model", "Name of the model. Empty: the agent's own model.").or_default(),
      field<&ChatArgs::think>("Think", "Thinking of the model: on or off. Empty: the model's default.").or_default(),
      field<&ChatArgs::bare>("Bare", "True: the system messages replace the agent's own instructions.").or_default(),
      field<&ChatArgs::alone>("Alone", "True: no memories are added to the messages.").or_default(),
      field<&ChatArgs::max_tokens>("MaxTokens", "Highest number of tokens in the answer. 0: the model's own limit.").or_default(),
      field<&ChatArgs::keep>("Keep",
                             "Seconds for which a call with a Stream continues without its caller, and for which its answer is "
                             "kept. A second Chat with the same Stream receives this answer. 0: the call ends with its caller.")
          .or_default(),
      field<&ChatArgs::user>("User", "User whose memories are added to the messages. Empty: the person of the machine.")
          .or_default(),
      field<&ChatArgs::parameters>("Parameters", "Parameters of the model. Absent members: the model's defaults.").or_default());
};

struct ChatReply {
  std::string content{};
  std::vector<ToolCall> tools{};
  // An addition of parlance to the deployed two methods.
  std::string reasoning{};
  std::string stop{};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t unseen = 0;
  std::vector<ToolCall> cut{};
  std::string problem{};
  static constexpr auto wire = fields(
      field<&ChatReply::content>("Content", "Text of the answer.").or_default(),
      field<&ChatReply::tools>("Tools", "Tool calls to run before the next Chat. Empty: the answer is final.").or_default(),
      field<&ChatReply::reasoning>("Reasoning", "Text of the model's thinking. Empty: the model reports none.").or_default(),
      field<&ChatReply::stop>("Stop", "Reason for the end of the answer: end_turn, max_tokens, refusal, tool_calls or error.")
          .or_default(),
      field<&ChatReply::input_tokens>("InputTokens", "Number of input tokens of this step.").or_default(),
      field<&ChatReply::output_tokens>("OutputTokens", "Number of output tokens of this step.").or_default(),
      field<&ChatReply::unseen>("Unseen", "Attachments of the last message that the model could not read.").or_default(),
      field<&ChatReply::cut>("Cut", "With max_tokens: calls that the limit cut. Do not run them; the model must send them again.")
          .or_default(),
      field<&ChatReply::problem>("Problem", "With error: reason of the missing answer.").or_default());
};

// A Chat with kept earlier messages: docs/decisions/0068-history-by-digest.md. A separate method, because a new field of ChatArgs
// would change the bytes for other Go programs.
struct ContinueChatArgs {
  ChatArgs chat{};
  std::string history{};
  std::int64_t remember = 0;
  static constexpr auto wire = fields(
      field<&ContinueChatArgs::chat>("Chat", "The Chat, with the messages after History alone. System messages come first.")
          .or_default(),
      field<&ContinueChatArgs::history>("History",
                                        "Digest of kept messages, from an earlier reply. They follow the system messages at the "
                                        "begin of Messages. Empty: Messages are complete.")
          .or_default(),
      field<&ContinueChatArgs::remember>("Remember",
                                         "Number of messages after these system messages that the agent keeps for later calls, "
                                         "together with History. They have no attachments.")
          .or_default());
};
struct ContinueChatReply {
  ChatReply reply{};
  std::string history{};
  bool unknown = false;
  static constexpr auto wire = fields(
      field<&ContinueChatReply::reply>("Reply", "The answer, as for Chat.").or_default(),
      field<&ContinueChatReply::history>("History", "Digest of the messages that the agent keeps now. Empty: none.").or_default(),
      field<&ContinueChatReply::unknown>("Unknown",
                                         "True: the agent does not keep the messages of History, and has not called the model. "
                                         "Call again with all messages.")
          .or_default());
};

// How text streams although Chat is a single call: docs/decisions/0005-streaming-over-net-rpc.md.
struct ChatStreamArgs {
  std::string stream{};
  std::int64_t after = 0;
  static constexpr auto wire = fields(field<&ChatStreamArgs::stream>("Stream", "Name of the Chat call's Stream.").or_default(),
                                      field<&ChatStreamArgs::after>("After", "Number of pieces received so far.").or_default());
};
struct ChatPiece {
  std::string kind{};
  std::string text{};
  static constexpr auto wire = fields(
      field<&ChatPiece::kind>("Kind", "Kind of the piece: text, reasoning, retry or silence. Unknown kinds are skipped.")
          .or_default(),
      field<&ChatPiece::text>("Text",
                              "Text to append. With retry: seconds to wait, number of the next attempt, and the most attempts, "
                              "with blanks between. With silence: seconds without a byte of the model; 0: it sends again.")
          .or_default());
};
struct ChatStreamReply {
  std::vector<ChatPiece> pieces{};
  std::int64_t next = 0;
  bool done = false;
  static constexpr auto wire =
      fields(field<&ChatStreamReply::pieces>("Pieces", "New pieces after After. The call waits until at least one piece exists.")
                 .or_default(),
             field<&ChatStreamReply::next>("Next", "Value of After for the next call.").or_default(),
             field<&ChatStreamReply::done>("Done", "True: no further piece follows.").or_default());
};
struct ChatCancelArgs {
  std::string stream{};
  static constexpr auto wire =
      fields(field<&ChatCancelArgs::stream>("Stream", "Stream of the Chat call to cancel.").or_default());
};
struct ChatCancelReply {
  bool found = false;
  static constexpr auto wire = fields(field<&ChatCancelReply::found>("Found", "True: the call was running.").or_default());
};

struct AbilitiesReply {
  bool attachments = false;
  std::vector<std::string> media_types{};
  bool keeps = false;
  bool continues = false;
  static constexpr auto wire =
      fields(field<&AbilitiesReply::attachments>(
                 "Attachments", "True: Chat reads attachments, and reports attachments that the model could not read.")
                 .or_default(),
             field<&AbilitiesReply::media_types>(
                 "MediaTypes", "Media types that the model can read, such as image/png. text/* means every text.")
                 .or_default(),
             field<&AbilitiesReply::keeps>("Keeps", "True: Chat supports Keep.").or_default(),
             field<&AbilitiesReply::continues>("Continues", "True: the agent serves ContinueChat.").or_default());
};

// Every form that Go programs read. These are the deployed map, and the three documented numbers under the names of Go fields
// and of the documented JSON. Go's JSON codec compares names without case. A field tagged `tools_calls` therefore takes no
// ToolsCalls, and an untagged field no tools_calls. gob skips names other than Go fields.
struct StatsReply {
  std::map<std::string, std::int64_t> stats{};
  std::int64_t sessions = 0;
  std::int64_t messages = 0;
  std::int64_t tools_calls = 0;
  std::int64_t tools_calls_in_json = 0;  // The same number.
  static constexpr auto wire = fields(
      field<&StatsReply::stats>("Stats", "Counts by name: sessions, messages, tools_calls, memories and files.").or_default(),
      field<&StatsReply::sessions>("Sessions", "Number of conversations since the agent's first start.").or_default(),
      field<&StatsReply::messages>("Messages", "Number of messages by people, answers and tool results.").or_default(),
      field<&StatsReply::tools_calls>("ToolsCalls", "Number of requested tool calls.").or_default(),
      field<&StatsReply::tools_calls_in_json>("tools_calls",
                                              "The same number as ToolsCalls, under the name that JSON readers expect.")
          .or_default());
};

inline constexpr auto methods = wire::methods(
    // Declared without a service. `serve_method` and `method_of` add "RPCService." (documented) or "Agent." (deployed).
    wire::call<ChatArgs, ChatReply>("Chat", "Runs one step of a conversation. Returns an answer, or tool calls to run."),
    wire::call<ContinueChatArgs, ContinueChatReply>(
        "ContinueChat", "Runs one step of a conversation whose earlier messages the agent keeps. An addition of parlance."),
    wire::call<ChatStreamArgs, ChatStreamReply>("ChatStream", "Returns new pieces of a running Chat."),
    wire::call<ChatCancelArgs, ChatCancelReply>("ChatCancel", "Cancels a running Chat."),
    wire::call<wire::Nothing, AbilitiesReply>("Abilities", "Returns the optional features of Chat. An addition of parlance."),
    wire::call<wire::Nothing, StatsReply>("Stats",
                                          "Returns counts of the agent. Memories are those of the person of the machine."),
    wire::call<StatsOfArgs, StatsReply>(
        "StatsOf",
        "Returns counts with the memories of a given user. An addition of parlance, because Stats accepts any parameters."),
    wire::call<MemorySearchArgs, ToolResultReply>("MemorySearch", "Finds memories by meaning and by words."),
    wire::call<MemoryGetArgs, ToolResultReply>("MemoryGet", "Returns a memory by its id."),
    wire::call<MemoryStoreArgs, ToolResultReply>("MemoryStore", "Stores a memory."),
    wire::call<MemoryListArgs, ToolResultReply>("MemoryList", "Returns a page of all memories, newest first."),
    wire::call<MemoryForgetArgs, ToolResultReply>("MemoryForget", "Deletes a memory permanently."));

inline constexpr const auto& chat = wire::method<methods, "Chat">;
inline constexpr const auto& continue_chat = wire::method<methods, "ContinueChat">;
inline constexpr const auto& chat_stream = wire::method<methods, "ChatStream">;
inline constexpr const auto& chat_cancel = wire::method<methods, "ChatCancel">;
inline constexpr const auto& abilities = wire::method<methods, "Abilities">;
inline constexpr const auto& stats = wire::method<methods, "Stats">;
inline constexpr const auto& stats_of = wire::method<methods, "StatsOf">;
inline constexpr const auto& memory_search = wire::method<methods, "MemorySearch">;
inline constexpr const auto& memory_get = wire::method<methods, "MemoryGet">;
inline constexpr const auto& memory_store = wire::method<methods, "MemoryStore">;
inline constexpr const auto& memory_list = wire::method<methods, "MemoryList">;
inline constexpr const auto& memory_forget = wire::method<methods, "MemoryForget">;

inline constexpr std::string_view seed_service = "RPCService";
inline constexpr std::string_view deployed_service = "Agent";

// Errors that clients identify by their text; net/rpc has no codes.
inline constexpr std::string_view agent_not_initialized = "agent not initialized";
inline constexpr std::string_view storage_not_initialized = "storage not initialized";
inline constexpr std::string_view memory_not_initialized = "memory store not initialized";
inline constexpr std::string_view timeout_waiting_for_agent = "timeout waiting for agent";

}  // namespace parlance::gorpc
