// SPDX-License-Identifier: Apache-2.0
// A tool, its call, the call's intent and its result. JSON is text here. Values; any thread.
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

// A tool as a model sees it.
struct ToolSpec {
  std::string name{};
  std::string description{};
  std::string parameters_json{};  // JSON Schema of the arguments
  ToolKind kind = ToolKind::other;
};

// The person's message that led to a call: its text, and its position for a later look at the reason of a change.
struct Occasion {
  std::string said{};
  std::uint64_t event = 0;  // its number in the conversation; 0: unknown
  std::string user{};       // owner of the conversation and of its memory; empty: the person of this machine
  bool of_guest = false;    // Turn::is_of_guest: the owner's memory is not used
};

// A call as a model makes it.
struct ToolCall {
  std::string id{};  // given by the model; unique among the calls of its message
  std::string tool{};
  ToolInput arguments_json{};
  Occasion occasion{};  // set by the caller of the tool; empty in a history
};

enum class MemoryUse : std::uint8_t { look, keep, forget };

// A path with effect on programs: git's own files name programs for git to run (workspace/guarded_places.h).
struct GuardedPlace {
  std::string path{};  // absolute, as `ToolIntent::real_path` is
  std::string why{};
  Reason reason{};  // for translation; empty: `why` is the only text
  friend bool operator==(const GuardedPlace&, const GuardedPlace&) = default;
};

// The result of the check of a command against folder, PATH and repository (toolbox/command_check.h).
struct CommandLook {
  std::string problem{};             // why the command may exceed its text; empty: it reads inside the folder only
  std::vector<std::string> paths{};  // files and whole folders to read, as `ToolIntent::real_path`
  Reason reason{};                   // `problem` for translation; empty: `problem` is the only text
};

// The expected effect of a call: shown to a person, and the input of policy.
struct ToolIntent {
  ToolKind kind = ToolKind::other;
  std::string title{};                // a line: the path, the command
  std::optional<std::string> path{};  // absolute, as given by the agent; for `read` and `edit`
  // The resolved path (PathGuard::resolve): free of links below the conversation's folder, and entirely outside it. Policy allows
  // no path without this.
  std::optional<std::string> real_path{};
  std::optional<std::string> canonical_path{};  // the same, with links in the folder's own name resolved
  bool path_inside = false;                     // the real path is below a folder of the conversation
  std::optional<std::string> other_folder{};    // the folder, if one of SessionSetup::folders
  std::optional<GuardedPlace> guarded{};        // for `edit`: the real path is guarded
  std::optional<std::string> command{};         // for `execute`: the whole command line
  std::optional<CommandLook> look{};            // absent: not checked, so the table of free commands does not apply
  std::optional<Diff> diff{};
  std::optional<EditablePart> editable{};  // part of the diff or command; Tools::edited applies the person's version
  std::optional<std::string> detail{};
  MemoryUse memory = MemoryUse::look;  // for `memory`
  bool asked_for = false;              // the person's own message asks for exactly this; text of tools never counts
  bool placeless = false;              // for `read`: a built-in tool without files; any other read without a path needs a request
  std::vector<ToolIntent> also{};      // further paths of the same call; the strictest decision counts
};

// The result of a call. A failed or rejected call has a text too, since the model reads the reason.
struct ToolOutcome {
  ToolEndState state = ToolEndState::done;
  std::string text{};  // the model's input
  std::optional<Diff> diff{};
  std::vector<Attachment> pictures{};  // checked (check_attachment), without ids; the model and the person see them
};

}  // namespace parlance::hub
