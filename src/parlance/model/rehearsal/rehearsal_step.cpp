// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/rehearsal/rehearsal_step.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "parlance/base/tagged.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/model/history.h"

namespace parlance::model::rehearsal {

namespace {

// A script has one name for each tool. For a host of Claude Code, the same tools have Claude Code's names and inputs; a call by
// either name counts.
std::string by_one_name(std::string_view tool) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> other_names{{{"Read", "read_file"},
                                                                                      {"Write", "write_file"},
                                                                                      {"Edit", "edit_file"},
                                                                                      {"Bash", "run_command"},
                                                                                      {"Grep", "search_files"},
                                                                                      {"Glob", "list_files"},
                                                                                      {"TodoWrite", "update_plan"},
                                                                                      {"AskUserQuestion", "ask_user"},
                                                                                      {"ExitPlanMode", "propose_plan"}}};
  const auto found = std::ranges::find(other_names, tool, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == other_names.end() ? tool : found->second);
}

}  // namespace

bool Turn::has(std::string_view tool) const { return std::ranges::find(tools, by_one_name(tool)) != tools.end(); }

const PastCall* Turn::last(std::string_view tool) const {
  for (std::size_t i = calls.size(); i > 0; --i)
    if (calls[i - 1].call.name == tool) return &calls[i - 1];
  return nullptr;
}

std::size_t Turn::count(std::string_view tool) const {
  return static_cast<std::size_t>(std::ranges::count_if(calls, [&](const PastCall& past) { return past.call.name == tool; }));
}

Fate fate_of(const ToolResult& result) {
  const std::string start = to_lower(std::string_view(result.content).substr(0, 300));
  constexpr std::array<std::string_view, 5> marks{"refused", "denied", "rejected", "declined", "not allowed"};
  if (result.failed) {
    const bool refused = std::ranges::any_of(marks, [&](std::string_view mark) { return start.find(mark) != std::string::npos; });
    return refused ? Fate::refused : Fate::failed;
  }
  // ToolResult of net/rpc has no member for a failure, so the text begins with the failure.
  if (std::ranges::any_of(marks, [&](std::string_view mark) { return start.starts_with(std::string(mark) + ":"); }))
    return Fate::refused;
  return start.starts_with("error:") || start.starts_with("failed:") ? Fate::failed : Fate::done;
}

Turn look_at(const ChatRequest& request) {
  const std::vector<Message> messages = repaired(request.messages);
  const std::size_t start = loop_start(messages);
  Turn turn;
  for (const ToolSpec& tool : request.tools) turn.tools.push_back(by_one_name(tool.name));
  for (const Message& message : messages)
    if (message.role == Role::system) turn.system += (turn.system.empty() ? "" : "\n") + message.content;
  for (std::size_t m = 0; m < start; ++m) {
    turn.number += messages[m].role == Role::user ? 1 : 0;
    turn.first_answer = turn.first_answer && messages[m].role != Role::assistant;
  }
  if (start > 0) {
    const std::string_view whole = messages[start - 1].content;
    const std::string_view said = behind_tagged(whole, "editor_context");
    turn.text = trim(said);
    if (said.size() != whole.size()) turn.attached.emplace_back("what you look at in the editor");
  }
  if (start > 0)
    for (const Attachment& attachment : messages[start - 1].attachments) turn.attached.push_back(described(attachment));
  if (start > 1) turn.remembered = remembered_in(messages[start - 2]);
  for (std::size_t m = start; m < messages.size(); ++m) {
    if (messages[m].role == Role::assistant) {
      ++turn.steps;
      turn.last_calls = messages[m].tool_calls.size();
      for (const ToolCall& call : messages[m].tool_calls)
        turn.calls.push_back({.call = {.id = call.id, .name = by_one_name(call.name), .arguments = call.arguments}});
    } else if (messages[m].role == Role::tool) {
      const std::size_t first = turn.calls.size() - turn.last_calls;  // repaired(): one result for each call, in order
      for (std::size_t i = 0; i < messages[m].tool_results.size(); ++i) {
        turn.calls[first + i].result = messages[m].tool_results[i].content;
        turn.calls[first + i].fate = fate_of(messages[m].tool_results[i]);
      }
    }
  }
  turn.first_answer = turn.first_answer && turn.steps == 0;
  return turn;
}

std::string quote(std::string_view result, std::size_t bytes) {
  const std::string text = to_valid_utf8(trim(result));
  if (text.size() <= bytes) return text;
  return std::string(utf8_prefix(text, bytes)) + "…";
}

}  // namespace parlance::model::rehearsal
