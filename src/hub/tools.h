// What agents can use: named tools with JSON arguments (text here: the hub knows no JSON). Whoever runs a call asks first what
// it would do (`intent`), lets policy or a person decide (Turn::ask), and then calls. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "hub/ask.h"
#include "hub/conversation.h"
#include "hub/event.h"

namespace parlance::hub {

enum class ToolKind : std::uint8_t { read, edit, execute, memory, ask, other };

struct ToolSpec {
  std::string name{};
  std::string description{};
  std::string parameters_json{};  // JSON Schema of the arguments
  ToolKind kind = ToolKind::other;
};

// The person's message that led to a call: their own words, and where to look when they ask later why something was done.
struct Occasion {
  std::string said{};
  std::uint64_t event = 0;  // its number in the conversation; 0: unknown
};

struct ToolCall {
  std::string id{};
  std::string tool{};
  std::string arguments_json{};
  Occasion occasion{};  // whoever runs the call fills it in; a history leaves it empty
};

enum class MemoryUse : std::uint8_t { look, keep, forget };

// What a call would do: what a person is shown, and what policy looks at.
struct ToolIntent {
  ToolKind kind = ToolKind::other;
  std::string title{};                   // one line: the path, the command
  std::optional<std::string> path{};     // absolute, as the path guard resolved it; for `read` and `edit`
  bool path_inside = false;              // the path lies in the conversation's folder
  std::optional<std::string> command{};  // for `execute`: the whole command line
  std::optional<Diff> diff{};
  std::optional<std::string> detail{};
  MemoryUse memory = MemoryUse::look;  // for `memory`
  bool asked_for = false;              // the person's own message asks for exactly this: only their words count, never a tool's
};

struct ToolOutcome {
  ToolEndState state = ToolEndState::done;
  std::string text{};  // what the model gets
  std::optional<Diff> diff{};
};

// Pieces of output while a call runs, for the faces.
using ToolOutputSink = std::function<void(std::string_view piece)>;

class Tools {
 public:
  virtual ~Tools() = default;
  virtual std::vector<ToolSpec> list() const = 0;
  // invalid_params: the arguments do not fit; not_found: no such tool.
  virtual Task<Result<ToolIntent>> intent(const Conversation& conversation, const ToolCall& call) = 0;
  // Does it, without asking anybody. Failures of the tool are outcomes; destroying the task cancels the call.
  virtual Task<ToolOutcome> call(const Conversation& conversation, const ToolCall& call, ToolOutputSink output) = 0;
};

}  // namespace parlance::hub
