// SPDX-License-Identifier: Apache-2.0
// What every language model looks like from above: messages and tools in, chunks while it answers, one completion at the end.
// Plain domain types; only the files named after a vendor's API know how they travel. Loop thread only.
#pragma once

#include <cstddef>
#include <cstdint>
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
std::optional<Role> role_from(std::string_view name);  // "system" … "tool"; "developer" is system

struct ToolCall {
  std::string id{};
  std::string name{};
  std::string arguments{};  // JSON text of an object, as the model wrote it: it may be broken
  friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

struct ToolResult {
  std::string call_id{};
  std::string content{};  // text, or JSON text
  bool failed = false;    // refused, or the tool reported an error
  friend bool operator==(const ToolResult&, const ToolResult&) = default;
};

struct Message {
  Role role = Role::user;
  std::string content{};
  std::string reasoning{};        // assistant: what it thought, for people
  std::string reasoning_state{};  // assistant: opaque; goes back as it came (signed thinking blocks), or is lost without harm
  std::vector<ToolCall> tool_calls{};      // assistant
  std::vector<ToolResult> tool_results{};  // tool
  std::vector<Attachment> attachments{};   // user
  friend bool operator==(const Message&, const Message&) = default;
};

struct ToolSpec {
  std::string name{};
  std::string description{};
  std::string parameters{};  // JSON Schema text of an object; "" means no parameters
};

enum class Think : std::uint8_t { standard, off, on };  // standard: what the model does when nobody says anything

struct ChatRequest {
  std::vector<Message> messages{};
  std::vector<ToolSpec> tools{};
  std::string model{};  // "" is the one of the settings
  std::optional<std::int64_t> max_tokens{};
  std::optional<double> temperature{};
  Think think = Think::standard;
};

// ---- while it answers ----------------------------------------------------------------------------------------------

struct ReasoningDelta {
  std::string text;
};
struct TextDelta {
  std::string text;
};
struct ToolCallStart {  // `index` counts the calls of this completion from 0
  std::size_t index;
  std::string id;
  std::string name;
};
struct ToolCallDelta {  // the next piece of the arguments' JSON text
  std::size_t index;
  std::string arguments;
};
struct Usage {
  std::int64_t input_tokens = 0;  // with those read from or written to a cache
  std::int64_t output_tokens = 0;
  std::int64_t cached_tokens = 0;  // of input_tokens: read from a cache
  friend bool operator==(const Usage&, const Usage&) = default;
};
struct Retrying {  // nothing of the answer has come yet; the same request goes out again after `wait`
  int attempt;     // the one that comes next, the first being 1
  Duration wait;
  std::string reason;
};
using Chunk = std::variant<ReasoningDelta, TextDelta, ToolCallStart, ToolCallDelta, Usage, Retrying>;

// Where chunks go, in order, inside a turn of the loop. An error ends the request and becomes the result of `chat`.
class ChunkSink {
 public:
  virtual Result<void> on_chunk(Chunk chunk) = 0;

 protected:
  ~ChunkSink() = default;
};

class NoChunks final : public ChunkSink {  // for callers that only want the completion
 public:
  Result<void> on_chunk(Chunk) override { return {}; }
};

// ---- the whole answer ----------------------------------------------------------------------------------------------

// `error`: the server ended the answer early or said nothing; Completion::problem says which. The same request may succeed later.
enum class StopReason : std::uint8_t { end_turn, max_tokens, refusal, tool_calls, cancelled, error };
std::string_view to_string(StopReason reason);

struct Completion {
  std::string content{};
  std::string reasoning{};
  std::string reasoning_state{};
  std::vector<ToolCall> tool_calls{};  // empty unless `stop` is tool_calls: only an answer that was finished has calls to run
  std::vector<ToolCall> cut_calls{};   // calls of an answer that ended with max_tokens: they must not run, whole or not
  StopReason stop = StopReason::end_turn;
  std::string problem{};  // with `error`: one sentence for the person
  Usage usage{};
  std::string model{};  // as the server names what answered
};

// The assistant's message with which the next request continues.
Message to_message(const Completion& completion);

class Model {
 public:
  virtual ~Model() = default;
  // `chunks` outlives the task. Destroying the task cancels the request. Errors say what happened, where, and what to do:
  // denied (key), not_found (model or address), invalid_params (too long), invalid_request, overloaded and disconnected (retries
  // are used up), deadline_exceeded, failed.
  virtual Task<Result<Completion>> chat(ChatRequest request, ChunkSink& chunks) = 0;
  virtual std::string_view name() const = 0;  // of the model, for people and /v1/models
  virtual bool scripted() const { return false; }
  // Whether it can be shown this, as far as is known so far: a server may have refused it. What it cannot be shown it must not be given.
  virtual bool shows(const Attachment&) const { return false; }
};

}  // namespace parlance::model
