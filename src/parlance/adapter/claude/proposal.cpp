// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/proposal.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace parlance::adapter {
namespace {

using hub::CallKind;

constexpr std::pair<std::string_view, CallKind> kinds[] = {{"Read", CallKind::read},
                                                           {"NotebookRead", CallKind::read},
                                                           {"LS", CallKind::read},
                                                           {"Write", CallKind::edit},
                                                           {"Edit", CallKind::edit},
                                                           {"MultiEdit", CallKind::edit},
                                                           {"NotebookEdit", CallKind::edit},
                                                           {"Glob", CallKind::search},
                                                           {"Grep", CallKind::search},
                                                           {"WebSearch", CallKind::search},
                                                           {"WebFetch", CallKind::fetch},
                                                           {"Bash", CallKind::execute},
                                                           {"BashOutput", CallKind::execute},
                                                           {"KillShell", CallKind::execute},
                                                           {"KillBash", CallKind::execute},
                                                           {"Task", CallKind::think},
                                                           {"Agent", CallKind::think},
                                                           {"TodoWrite", CallKind::think},
                                                           {"ExitPlanMode", CallKind::switch_mode}};

json::Value one_edit(const hub::Diff& diff, std::string_view text) {
  json::Object edit;
  edit.set("old_string", diff.before.value_or(""));
  edit.set("new_string", std::string(text));
  return json::Value(std::move(edit));
}

}  // namespace

CallKind claude_call_kind(std::string_view tool) {
  const auto* const found = std::ranges::find(kinds, tool, &std::pair<std::string_view, CallKind>::first);
  return found == std::end(kinds) ? CallKind::other : found->second;
}

std::optional<std::vector<hub::Location>> claude_locations(const ClaudeCall& call) {
  for (const char* const name : {"file_path", "notebook_path", "path"}) {
    const std::string_view path = call.input.text_or(name, "");
    if (path.empty()) continue;
    hub::Location place{.path = std::string(path)};
    if (const std::int64_t line = call.input.integer_or("offset", 0); line > 0) place.line = static_cast<std::uint64_t>(line);
    return std::vector<hub::Location>{std::move(place)};
  }
  return std::nullopt;
}

std::optional<hub::EditablePart> claude_editable(const ClaudeCall& call, const hub::ToolIntent& intent) {
  if (call.tool == "Bash") return hub::EditablePart::command;
  const bool edits = call.tool == "Write" || call.tool == "Edit" || call.tool == "MultiEdit";
  if (edits && intent.diff && intent.diff->after) return hub::EditablePart::diff;
  return std::nullopt;
}

// The file contains the complete text before the edit, so the person's complete text can replace this part.
json::Value claude_edited_input(const ClaudeCall& call, const hub::ToolIntent& intent, std::string_view text) {
  json::Value input = call.input;
  json::Object* const members = input.object();
  if (members == nullptr || !intent.editable) return input;
  if (*intent.editable == hub::EditablePart::command) {
    members->set("command", std::string(text));
  } else if (call.tool == "Write") {
    members->set("content", std::string(text));
  } else if (call.tool == "MultiEdit") {
    members->set("edits", json::Array{one_edit(*intent.diff, text)});
  } else {
    members->set("old_string", intent.diff->before.value_or(""));
    members->set("new_string", std::string(text));
    members->set("replace_all", false);
  }
  return input;
}

}  // namespace parlance::adapter
