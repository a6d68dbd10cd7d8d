// SPDX-License-Identifier: Apache-2.0
// What a tool is, what a call of it asks for, what it would do and what came of it. JSON is text here. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/tool_input.h"

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
  std::string user{};       // whose conversation it is, and so whose memory; empty: the person's of this machine
  bool of_guest = false;    // Turn::is_of_guest: that memory is not used
};

struct ToolCall {
  std::string id{};
  std::string tool{};
  ToolInput arguments_json{};
  Occasion occasion{};  // whoever runs the call fills it in; a history leaves it empty
};

enum class MemoryUse : std::uint8_t { look, keep, forget };

// A place that programs obey: git's own files name programs that git runs (workspace/guarded_places.h).
struct GuardedPlace {
  std::string path{};  // absolute, as `ToolIntent::real_path` is
  std::string why{};
  Reason reason{};  // the same for translation; empty: only `why` says it
  friend bool operator==(const GuardedPlace&, const GuardedPlace&) = default;
};

// What a look at the folder, at PATH and at the repository found out about a command (toolbox/command_check.h).
struct CommandLook {
  std::string problem{};  // why it may do more than its words say; empty: it reads, inside the folder, and starts nothing else
  std::vector<std::string> paths{};  // what it reads, files and whole folders, as `ToolIntent::real_path` is
  Reason reason{};                   // `problem` for translation; empty: only `problem` says it
};

// What a call would do: what a person is shown, and what policy looks at.
struct ToolIntent {
  ToolKind kind = ToolKind::other;
  std::string title{};                // one line: the path, the command
  std::optional<std::string> path{};  // absolute, as it was named; for `read` and `edit`
  // Where that is, as PathGuard::resolve found it: no link below the conversation's folder, none at all outside it. Policy allows
  // nothing that has a path without this.
  std::optional<std::string> real_path{};
  std::optional<std::string> canonical_path{};  // the same, where links in the folder's own name make another name of it
  bool path_inside = false;                     // the real path lies in a folder of the conversation
  std::optional<std::string> other_folder{};    // which, when it is one of Conversation::folders
  std::optional<GuardedPlace> guarded{};        // for `edit`: the real path lies in such a place
  std::optional<std::string> command{};         // for `execute`: the whole command line
  std::optional<CommandLook> look{};            // none: nobody looked, so nothing of the table of free commands runs unasked
  std::optional<Diff> diff{};
  std::optional<EditablePart> editable{};  // of the diff or the command: Tools::edited makes the call of what a person made of it
  std::optional<std::string> detail{};
  MemoryUse memory = MemoryUse::look;  // for `memory`
  bool asked_for = false;              // the person's own message asks for exactly this: only their words count, never a tool's
  bool placeless = false;              // for `read`: a tool of ours that reads no file; any other read without a path is asked
  std::vector<ToolIntent> also{};      // further places of the same call; the strictest decision counts
};

struct ToolOutcome {
  ToolEndState state = ToolEndState::done;
  std::string text{};  // what the model gets
  std::optional<Diff> diff{};
  std::vector<Attachment> pictures{};  // checked (check_attachment), without ids; the model and the person see them
};

}  // namespace parlance::hub
