// SPDX-License-Identifier: Apache-2.0
// The interface of language models: messages and tools in, chunks during the answer, one completion at the end. Plain domain
// types; only files named after a vendor's API know the wire. Loop thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/model/attachment.h"

namespace parlance::model {

enum class Role : std::uint8_t { system, user, assistant, tool };
std::string_view to_string(Role role);
std::optional<Role> role_from(std::string_view name);  // "system" … "tool"; "developer" is system.

struct ToolCall {
  std::string id{};
  std::string name{};
  std::string arguments{};  // JSON text of an object, as the model wrote it: possibly malformed.
  friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

struct ToolResult {
  std::string call_id{};
  std::string content{};  // Text, or JSON text.
  bool failed = false;    // Refused, or the tool reported an error.
  std::vector<Attachment> attachments{};
  friend bool operator==(const ToolResult&, const ToolResult&) = default;
};

struct Message {
  Role role = Role::user;
  std::string content{};
  std::string reasoning{};             // Assistant: its thinking, for people.
  std::string reasoning_state{};       // Assistant: opaque; returned unchanged (signed thinking blocks), or dropped without harm.
  std::vector<ToolCall> tool_calls{};  // assistant
  std::vector<ToolResult> tool_results{};  // tool
  std::vector<Attachment> attachments{};   // user
  friend bool operator==(const Message&, const Message&) = default;
};

// Calls `visit(attachments, text)` for each list of attachments in the messages and their tool results, with the text beside the list.
template <class Messages, class Visit>
void visit_attachments(Messages& messages, Visit visit) {
  for (auto& message : messages) {
    visit(message.attachments, message.content);
    for (auto& result : message.tool_results) visit(result.attachments, result.content);
  }
}

struct ToolSpec {
  std::string name{};
  std::string description{};
  std::string parameters{};  // JSON Schema text of an object; empty: no parameters.
};

enum class Think : std::uint8_t { standard, off, on };  // standard: the model's default.

// Further parameters of a request. Absent: the model's own default.
struct ChatParameters {
  std::optional<double> top_p{};
  std::optional<double> presence_penalty{};
  std::optional<double> frequency_penalty{};
  std::optional<std::int64_t> seed{};
  std::optional<bool> parallel_calls{};  // whether one answer may have several tool calls
  std::vector<std::string> stop{};       // texts that end the answer
  std::string effort{};                  // of thinking: "low", "medium", "high", …; empty: ChatRequest::think decides
  bool must_call = false;                // the answer has to call a tool
  friend bool operator==(const ChatParameters&, const ChatParameters&) = default;
};

struct EarlierMessages;  // earlier_messages.h

struct ChatRequest {
  std::vector<Message> messages{};
  // Belongs before messages[earlier_at]; null: nothing. A chat agent may keep these messages across requests, so they are shared
  // and not copied. `take_in_earlier` joins both.
  std::shared_ptr<EarlierMessages> earlier{};
  std::size_t earlier_at = 0;
  std::vector<ToolSpec> tools{};
  std::string model{};  // Empty: the model of the settings.
  std::optional<std::int64_t> max_tokens{};
  std::optional<double> temperature{};
  Think think = Think::standard;
  ChatParameters parameters{};
};

// ---- while it answers ----------------------------------------------------------------------------------------------

struct ReasoningDelta {
  std::string text;
};
struct TextDelta {
  std::string text;
};
struct ToolCallStart {  // `index` counts the calls of this completion from 0.
  std::size_t index;
  std::string id;
  std::string name;
};
struct ToolCallDelta {  // The next piece of the arguments' JSON text.
  std::size_t index;
  std::string arguments;
};
struct Usage {
  std::int64_t input_tokens = 0;  // With tokens read from or written to a cache.
  std::int64_t output_tokens = 0;
  std::int64_t cached_tokens = 0;  // Part of input_tokens: read from a cache.
  friend bool operator==(const Usage&, const Usage&) = default;
};
struct Retrying {  // No part of the answer has arrived; the same request is sent again after `wait`.
  int attempt;     // The next attempt; the first is 1.
  Duration wait;
  std::string reason;
  int attempts = 0;  // at most
};
struct Silence {  // the server has sent no byte for so long; 0: bytes come again
  Duration length;
};
using Chunk = std::variant<ReasoningDelta, TextDelta, ToolCallStart, ToolCallDelta, Usage, Retrying, Silence>;

// Receives chunks in order, inside a turn of the loop. An error ends the request and becomes the result of `chat`.
class ChunkSink {
 public:
  virtual Result<void> on_chunk(Chunk chunk) = 0;

 protected:
  ~ChunkSink() = default;
};

class NoChunks final : public ChunkSink {  // For callers that need the completion only.
 public:
  Result<void> on_chunk(Chunk) override { return {}; }
};

// ---- the whole answer ----------------------------------------------------------------------------------------------

// `error`: the server ended the answer early or was empty; Completion::problem has the reason. The same request may succeed
// later.
enum class StopReason : std::uint8_t { end_turn, max_tokens, refusal, tool_calls, cancelled, error };
std::string_view to_string(StopReason reason);

struct Completion {
  std::string content{};
  std::string reasoning{};
  std::string reasoning_state{};
  std::vector<ToolCall> tool_calls{};  // Empty unless `stop` is tool_calls: only a complete answer has calls to run.
  std::vector<ToolCall> cut_calls{};   // Calls of an answer with max_tokens: they must not run, complete or not.
  StopReason stop = StopReason::end_turn;
  std::string problem{};  // With `error`: one sentence for the person.
  Usage usage{};
  std::string model{};  // The server's name of the model.
};

// The assistant's message for the next request.
Message to_message(const Completion& completion);

// In the message of invalid_request: the server refused the request, and its sentence follows.
inline constexpr std::string_view refused_request = " refuses the request";

class Model {
 public:
  virtual ~Model() = default;
  // `chunks` must outlive the task. Destroying the task cancels the request. Errors name cause, place and remedy: denied (key),
  // not_found (model or address), invalid_params (too long), invalid_request, overloaded and disconnected (retries failed),
  // deadline_exceeded, failed.
  virtual Task<Result<Completion>> chat(ChatRequest request, ChunkSink& chunks) = 0;
  virtual std::string_view name() const = 0;  // Of the model, for people and /v1/models.
  virtual bool scripted() const { return false; }
  // True: the model can read this media type, as far as known: a server may have refused it. Unreadable content must not be
  // sent. `model`: ChatRequest::model.
  virtual bool shows(const Attachment&, std::string_view /*model*/) const { return false; }
};

}  // namespace parlance::model
