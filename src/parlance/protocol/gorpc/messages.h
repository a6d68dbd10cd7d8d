// SPDX-License-Identifier: Apache-2.0
// The types and methods between a gateway and an agent, as Go's net/rpc carries them. Field names are Go's; the JSON names that
// deployed programs write (tool_calls, minScore) are read as well. Zero values are not sent by gob, so every field may be absent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::gorpc {

using wire::field;
using wire::fields;

struct FunctionCall {
  std::string name{};
  std::string arguments{};
  static constexpr auto wire =
      fields(field<&FunctionCall::name>("Name", "The tool.").or_default(),
             field<&FunctionCall::arguments>("Arguments", "Its arguments, a JSON object as text.").or_default());
};

struct ToolCall {
  std::string id{};
  std::string type{};
  FunctionCall function{};
  static constexpr auto wire = fields(field<&ToolCall::id>("ID", "Names the call within the conversation.").or_default(),
                                      field<&ToolCall::type>("Type", "Always \"function\".").or_default(),
                                      field<&ToolCall::function>("Function", "What to call.").or_default());
};

struct ToolResult {
  std::string id{};
  std::string type{};
  wire::Raw result{};  // interface{}: any JSON
  static constexpr auto wire =
      fields(field<&ToolResult::id>("ID", "The ToolCall that this answers.").or_default(),
             field<&ToolResult::type>("Type", "Always \"function\".").or_default(),
             field<&ToolResult::result>("Result", "What came of it: text, or any JSON value.").or_default());
};

// Ours; Go programs that do not know it skip it. Whether an agent does, Abilities says.
struct Attachment {
  std::string media_type{};
  std::string name{};
  std::string url{};
  wire::Blob data{};
  static constexpr auto wire = fields(field<&Attachment::media_type>("MediaType", "image/png, …").or_default(),
                                      field<&Attachment::name>("Name", "For people.").or_default(),
                                      field<&Attachment::url>("URL", "Where it lies, when it has no data.").or_default(),
                                      field<&Attachment::data>("Data", "Its bytes.").or_default());
};

struct Message {
  std::string role{};
  std::string content{};
  std::vector<ToolCall> tool_calls{};
  std::vector<ToolResult> tool_results{};
  std::vector<Attachment> attachments{};
  static constexpr auto wire = fields(
      field<&Message::role>("Role", "user, assistant, system or tool.").or_default(),
      field<&Message::content>("Content", "The text.").or_default(),
      field<&Message::tool_calls>("ToolCalls", "Calls that the model asked for.").or_default(),
      field<&Message::tool_results>("ToolExecutionResults", "What came of earlier calls.").also("tool_results").or_default(),
      field<&Message::attachments>("Attachments", "Pictures and documents of a user's message.").or_default());
};

struct ToolFunction {
  std::string name{};
  std::string description{};
  std::map<std::string, wire::Raw> parameters{};  // map[string]interface{}: a JSON Schema
  static constexpr auto wire =
      fields(field<&ToolFunction::name>("Name", "The tool.").or_default(),
             field<&ToolFunction::description>("Description", "What it does, for the model.").or_default(),
             field<&ToolFunction::parameters>("Parameters", "JSON Schema of its arguments.").or_default());
};

struct Tool {
  std::string type{};
  ToolFunction function{};
  static constexpr auto wire = fields(field<&Tool::type>("Type", "Always \"function\".").or_default(),
                                      field<&Tool::function>("Function", "The tool.").or_default());
};

struct ChatArgs {
  std::vector<Message> messages{};
  std::vector<Tool> tools{};
  // Ours; Go programs that do not know them skip them.
  std::string stream{};  // follow this call with ChatStream under this name
  std::string model{};
  std::string think{};  // "", "on", "off"
  bool bare = false;
  bool alone = false;
  std::int64_t max_tokens = 0;
  std::int64_t keep = 0;  // of a named call
  std::string user{};
  static constexpr auto wire = fields(
      field<&ChatArgs::messages>("Messages", "The whole conversation so far.").or_default(),
      field<&ChatArgs::tools>("Tools", "What the model may call.").or_default(),
      field<&ChatArgs::stream>("Stream", "A name under which ChatStream follows this call; empty: none.").or_default(),
      field<&ChatArgs::model>("Model", "The model to ask; empty: the agent's own.").or_default(),
      field<&ChatArgs::think>("Think", "on, off, or empty for the model's own way.").or_default(),
      field<&ChatArgs::bare>("Bare", "The system messages stand in place of the agent's own instructions.").or_default(),
      field<&ChatArgs::alone>("Alone", "Nothing of the memory is put beside the messages.").or_default(),
      field<&ChatArgs::max_tokens>("MaxTokens", "Of the answer at most; 0: as many as the model gives.").or_default(),
      field<&ChatArgs::keep>("Keep",
                             "Seconds for which a call with a Stream goes on without its caller, and its answer is kept: another "
                             "Chat of the same Stream gets that answer. 0: it ends with its caller.")
          .or_default(),
      field<&ChatArgs::user>("User", "Whose memory is put beside the messages; empty: of the person of this machine.")
          .or_default());
};

struct ChatReply {
  std::string content{};
  std::vector<ToolCall> tools{};
  // Ours, beside the deployed two.
  std::string reasoning{};
  std::string stop{};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t unseen = 0;
  std::vector<ToolCall> cut{};
  std::string problem{};
  static constexpr auto wire = fields(
      field<&ChatReply::content>("Content", "The answer.").or_default(),
      field<&ChatReply::tools>("Tools", "Tool calls to run before the next Chat; empty: this is final.").or_default(),
      field<&ChatReply::reasoning>("Reasoning", "What the model thought, if it tells.").or_default(),
      field<&ChatReply::stop>("Stop", "end_turn, max_tokens, refusal, tool_calls, error.").or_default(),
      field<&ChatReply::input_tokens>("InputTokens", "Used by this step.").or_default(),
      field<&ChatReply::output_tokens>("OutputTokens", "Used by this step.").or_default(),
      field<&ChatReply::unseen>("Unseen", "Attachments of the last message that the model could not be shown.").or_default(),
      field<&ChatReply::cut>("Cut",
                             "With max_tokens: calls that the limit cut. They must not run; the model has to send them again.")
          .or_default(),
      field<&ChatReply::problem>("Problem", "With error: why there is no answer.").or_default());
};

// How text streams although Chat is one call: docs/decisions/0005-streaming-over-net-rpc.md.
struct ChatStreamArgs {
  std::string stream{};
  std::int64_t after = 0;
  static constexpr auto wire =
      fields(field<&ChatStreamArgs::stream>("Stream", "The name that the Chat call was given.").or_default(),
             field<&ChatStreamArgs::after>("After", "Pieces received so far.").or_default());
};
struct ChatPiece {
  std::string kind{};
  std::string text{};
  static constexpr auto wire = fields(field<&ChatPiece::kind>("Kind", "text, reasoning or notice.").or_default(),
                                      field<&ChatPiece::text>("Text", "What to append.").or_default());
};
struct ChatStreamReply {
  std::vector<ChatPiece> pieces{};
  std::int64_t next = 0;
  bool done = false;
  static constexpr auto wire =
      fields(field<&ChatStreamReply::pieces>("Pieces", "What has come since After; waits until there is something.").or_default(),
             field<&ChatStreamReply::next>("Next", "The After of the next call.").or_default(),
             field<&ChatStreamReply::done>("Done", "Nothing follows.").or_default());
};
struct ChatCancelArgs {
  std::string stream{};
  static constexpr auto wire = fields(field<&ChatCancelArgs::stream>("Stream", "The Chat call to end.").or_default());
};
struct ChatCancelReply {
  bool found = false;
  static constexpr auto wire = fields(field<&ChatCancelReply::found>("Found", "It was running.").or_default());
};

struct AbilitiesReply {
  bool attachments = false;
  std::vector<std::string> media_types{};
  bool keeps = false;
  static constexpr auto wire = fields(
      field<&AbilitiesReply::attachments>("Attachments", "Chat reads attachments, and tells which the model was not shown.")
          .or_default(),
      field<&AbilitiesReply::media_types>("MediaTypes", "What the model can be shown: image/png, …; text/* is every text.")
          .or_default(),
      field<&AbilitiesReply::keeps>("Keeps", "Chat knows Keep.").or_default());
};

// Every shape that Go programs are known to read: the deployed map, and the three documented numbers under the names of Go fields and
// under those of the documented JSON. Go's JSON codec compares names but for their case, so a field tagged `tools_calls` takes no
// ToolsCalls, and one without a tag no tools_calls; gob passes over what is no name of a Go field.
struct StatsReply {
  std::map<std::string, std::int64_t> stats{};
  std::int64_t sessions = 0;
  std::int64_t messages = 0;
  std::int64_t tools_calls = 0;
  std::int64_t tools_calls_in_json = 0;  // the same number
  static constexpr auto wire = fields(
      field<&StatsReply::stats>("Stats", "sessions, messages, tools_calls, memories, files.").or_default(),
      field<&StatsReply::sessions>("Sessions", "Conversations that were begun, in all the agent's time.").or_default(),
      field<&StatsReply::messages>("Messages", "Messages of people, answers, and messages of tool results.").or_default(),
      field<&StatsReply::tools_calls>("ToolsCalls", "Tool calls asked for.").or_default(),
      field<&StatsReply::tools_calls_in_json>("tools_calls", "The same, under the name that JSON readers expect.").or_default());
};

inline constexpr std::string_view whose_memory = "Whose memory is meant; empty: of the person of this machine. Ours.";

struct StatsOfArgs {
  std::string user{};
  static constexpr auto wire = fields(field<&StatsOfArgs::user>("User", whose_memory).or_default());
};

struct MemorySearchArgs {
  std::string query{};
  std::string category{};
  std::int64_t limit = 0;
  double min_score = 0;
  // Ours; Go programs that do not know them skip them.
  bool min_score_given = false;
  std::string user{};
  static constexpr auto wire = fields(
      field<&MemorySearchArgs::query>("Query", "What to look for.").or_default(),
      field<&MemorySearchArgs::category>("Category", "Only this category.").or_default(),
      field<&MemorySearchArgs::limit>("Limit", "At most so many; 0 means 5.").or_default(),
      field<&MemorySearchArgs::min_score>("MinScore", "At least this similar; 0 means 0.7, unless MinScoreGiven.").or_default(),
      field<&MemorySearchArgs::min_score_given>("MinScoreGiven", "MinScore counts although it is 0, which gob leaves out.")
          .or_default(),
      field<&MemorySearchArgs::user>("User", whose_memory).or_default());
};
struct MemoryGetArgs {
  std::string path{};
  std::string user{};
  static constexpr auto wire = fields(field<&MemoryGetArgs::path>("Path", "The id of the memory.").or_default(),
                                      field<&MemoryGetArgs::user>("User", whose_memory).or_default());
};
struct MemoryStoreArgs {
  std::string text{};
  std::string category{};
  std::optional<double> importance{};  // a Go program's gob leaves 0 out: 0 from it is not told from nothing
  // Ours; Go programs that do not know them skip them.
  std::string source{};
  std::string conversation{};
  std::int64_t event = 0;
  std::string user{};
  static constexpr auto wire =
      fields(field<&MemoryStoreArgs::text>("Text", "What to remember.").or_default(),
             field<&MemoryStoreArgs::category>("Category", "preference, decision, fact, entity or other; empty means other.")
                 .or_default(),
             field<&MemoryStoreArgs::importance>("Importance", "0 to 1; absent means 0.7."),
             field<&MemoryStoreArgs::source>("Source", "What it comes from: agent, manual, …; empty means manual.").or_default(),
             field<&MemoryStoreArgs::conversation>("Conversation", "Id of the conversation that it comes from.").or_default(),
             field<&MemoryStoreArgs::event>("Event", "Number of the message in it; 0: none.").or_default(),
             field<&MemoryStoreArgs::user>("User", whose_memory).or_default());
};
// Ours, beside the deployed three: what a person needs to see what is remembered, and to have it forgotten.
struct MemoryListArgs {
  std::string category{};
  std::string conversation{};
  std::string before{};
  std::int64_t limit = 0;
  std::string user{};
  static constexpr auto wire = fields(
      field<&MemoryListArgs::category>("Category", "Only this category.").or_default(),
      field<&MemoryListArgs::conversation>("Conversation", "Only what this conversation made.").or_default(),
      field<&MemoryListArgs::before>("Before", "The id at which the page before ended; empty: from the newest.").or_default(),
      field<&MemoryListArgs::limit>("Limit", "At most so many; 0 means 50.").or_default(),
      field<&MemoryListArgs::user>("User", whose_memory).or_default());
};
struct MemoryForgetArgs {
  std::string path{};
  std::string user{};
  static constexpr auto wire = fields(field<&MemoryForgetArgs::path>("Path", "The id of the memory.").or_default(),
                                      field<&MemoryForgetArgs::user>("User", whose_memory).or_default());
};
struct ToolResultReply {
  std::string result{};
  static constexpr auto wire = fields(field<&ToolResultReply::result>("Result", "A JSON document as text.").or_default());
};

inline constexpr auto methods = wire::methods(
    // Named without a service: `served_as` and clients put "RPCService." (documented) or "Agent." (deployed) in front.
    wire::call<ChatArgs, ChatReply>("Chat", "One step of a conversation: an answer, or tool calls to run."),
    wire::call<ChatStreamArgs, ChatStreamReply>("ChatStream", "What a running Chat has said so far."),
    wire::call<ChatCancelArgs, ChatCancelReply>("ChatCancel", "Ends a running Chat."),
    wire::call<wire::Nothing, AbilitiesReply>("Abilities", "What Chat understands beyond the oldest; ours."),
    wire::call<wire::Nothing, StatsReply>("Stats",
                                          "Counts of what the agent holds; of memories those of the person of this machine."),
    wire::call<StatsOfArgs, StatsReply>(
        "StatsOf", "The same, of memories those of a person; ours: Stats takes whatever deployed clients send."),
    wire::call<MemorySearchArgs, ToolResultReply>("MemorySearch", "Finds memories."),
    wire::call<MemoryGetArgs, ToolResultReply>("MemoryGet", "One memory by its id."),
    wire::call<MemoryStoreArgs, ToolResultReply>("MemoryStore", "Keeps a memory."),
    wire::call<MemoryListArgs, ToolResultReply>("MemoryList", "A page of all memories, newest first."),
    wire::call<MemoryForgetArgs, ToolResultReply>("MemoryForget", "Forgets one memory."));

inline constexpr const auto& chat = wire::method<methods, "Chat">;
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

// Errors that clients know by their text; net/rpc has no codes.
inline constexpr std::string_view agent_not_initialized = "agent not initialized";
inline constexpr std::string_view storage_not_initialized = "storage not initialized";
inline constexpr std::string_view memory_not_initialized = "memory store not initialized";
inline constexpr std::string_view timeout_waiting_for_agent = "timeout waiting for agent";

}  // namespace parlance::gorpc
