// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/host_tools.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/session_setup.h"
#include "parlance/toolbox/claude_tool_names.h"
#include "parlance/toolbox/tool_values.h"

namespace parlance::face {
namespace {

constexpr std::string_view no_output = "(no output)";  // text for an empty output

// With the text of Claude Code for the model.
std::string denied(const RuledCall& call) {
  const std::string_view command = call.input.text_or("command", "");
  return "Permission to use " + call.tool + (command.empty() ? "" : " with command " + std::string(command)) +
         " has been denied.";
}

// Unique, because ids of calls contain no line feed.
std::string key_of_request(const std::string& call, const std::string& tool) { return call + "\n" + tool; }

json::Value object_or_none(json::Value input) {
  if (input.object() == nullptr) input = json::Object{};
  return input;
}

}  // namespace

HostTools::HostTools(Loop& loop, HostHooks& hooks, ClaudeRules& rules, HookInput hook_input, toolbox::ToolHooksPort* port,
                     std::function<void()> answer_ends)
    : hooks_(hooks),
      rules_(rules),
      hook_input_(std::move(hook_input)),
      port_(port),
      answer_ends_(std::move(answer_ends)),
      changed_(loop) {
  if (port_ != nullptr) port_->hooks = this;
}

HostTools::~HostTools() {
  if (port_ != nullptr && port_->hooks == this) port_->hooks = nullptr;
}

hub::ToolCall HostTools::named(const hub::SessionSetup& setup, hub::ToolCall call) {
  return toolbox::claude_call(std::move(call), setup.folder);
}

const HostTools::Passed* HostTools::find(const std::string& call) const {
  const auto found = calls_.find(call);
  return found == calls_.end() ? nullptr : &found->second;
}

const HostTools::Passed* HostTools::find(const hub::Ask& ask) const {
  const std::string call = ask.call.value_or("");
  const Passed* const request = find(key_of_request(call, ask.tool.value_or("")));
  return request != nullptr ? request : find(call);
}

void HostTools::reported(const std::string& call) {
  reported_.insert(call);
  changed_.notify_all();
}

void HostTools::turn_ends() {
  calls_.clear();
  reported_.clear();
  runs_.clear();
  agreed_.clear();
  context_.clear();
}

json::Object HostTools::about(const std::string& event, const std::string& call, const Passed& passed) const {
  json::Object input = hook_input_(event);
  input.set("tool_name", passed.call.tool);
  input.set("tool_input", passed.call.input);
  input.set("tool_use_id", call);
  return input;
}

Task<toolbox::ToolVerdict> HostTools::before(hub::Turn& turn, hub::ToolCall call) {
  runs_.insert(call.id);
  if (const auto written = co_await turn.written(); !written)  // without the write no frontend would see the call
    co_return toolbox::ToolVerdict{.say = toolbox::ToolVerdict::Say::deny, .why = written.error().message};
  while (!reported_.contains(call.id)) co_await changed_.wait();
  answer_ends_();
  co_return co_await judge({.tool = call.tool,
                            .input = object_or_none(toolbox::value_of(call).value_or(json::Value())),
                            .folder = turn.setup().folder},
                           call.id);
}

// The host knows the running call already.
Task<toolbox::ToolVerdict> HostTools::before_request(hub::Turn& turn, hub::ToolCall request) {
  Passed passed{.call = {.tool = request.tool,
                         .input = object_or_none(toolbox::value_of(request).value_or(json::Value())),
                         .folder = turn.setup().folder}};
  std::string key = key_of_request(request.id, request.tool);
  return judged(std::move(passed), std::move(request.id), std::move(key));
}

Task<toolbox::ToolVerdict> HostTools::judge(RuledCall call, std::string id) { return judged({.call = std::move(call)}, id, id); }

Task<toolbox::ToolVerdict> HostTools::judged(Passed passed, std::string id, std::string key) {
  HostHooks::Verdict said = co_await hooks_.run("PreToolUse", passed.call.tool, about("PreToolUse", id, passed), id);
  toolbox::ToolVerdict verdict{.ends_turn = said.stops};
  if (said.stops) stopped_ = true;
  if (said.input_json) {
    passed.call.input = object_or_none(json::parse_or_null(*said.input_json));
    verdict.arguments_json = std::move(said.input_json);
  }
  if (!said.context.empty()) context_[id] = std::move(said.context);
  if (said.decision == "deny") {
    verdict.say = toolbox::ToolVerdict::Say::deny;
    verdict.why = std::move(said.reason);
  } else if (rules_.denies(passed.call)) {  // overrides an allowing hook
    verdict.say = toolbox::ToolVerdict::Say::deny;
    verdict.why = denied(passed.call);
  } else if (said.decision == "ask" || rules_.asks(passed.call)) {
    verdict.say = toolbox::ToolVerdict::Say::ask;
    passed.must_ask = true;
    if (said.decision == "ask") verdict.why = *(passed.reason = said.reason);
  } else if (said.decision == "allow") {
    verdict.say = toolbox::ToolVerdict::Say::allow;
    verdict.why = std::move(said.reason);
  }
  calls_[key] = std::move(passed);
  co_return verdict;
}

std::optional<std::string> HostTools::agreed_input(const std::string& call) {
  const auto found = agreed_.find(call);
  if (found == agreed_.end()) return std::nullopt;
  std::string input = std::move(found->second);
  agreed_.erase(found);
  if (const auto passed = calls_.find(call); passed != calls_.end())
    passed->second.call.input = object_or_none(json::parse_or_null(input));
  return input;
}

Task<HostTools::After> HostTools::after(hub::ToolCall call, const hub::ToolOutcome& outcome) {
  After after;
  if (const auto found = context_.find(call.id); found != context_.end()) {
    after.more = std::move(found->second);
    context_.erase(found);
  }
  const Passed* const passed = find(call.id);
  if (passed == nullptr) co_return after;
  const bool failed = outcome.state != hub::ToolEndState::done;
  const std::string event = failed ? "PostToolUseFailure" : "PostToolUse";
  json::Object input = about(event, call.id, *passed);
  if (failed) {
    input.set("error", outcome.text);
    input.set("is_interrupt", outcome.state == hub::ToolEndState::cancelled);
  } else {
    input.set("tool_response", claude_tool_response(passed->call, outcome.text, outcome.diff));
  }
  const HostHooks::Verdict said = co_await hooks_.run(event, call.tool, std::move(input), call.id);
  for (const std::string* text : {said.decision == "deny" ? &said.reason : nullptr, &said.context})
    if (text != nullptr && !text->empty()) after.more += (after.more.empty() ? "" : "\n") + *text;
  after.ends_turn = said.stops;
  if (said.stops) stopped_ = true;
  co_return after;
}

json::Value claude_tool_response(const RuledCall& call, std::string_view text, const std::optional<hub::Diff>& diff) {
  json::Object object;
  if (call.tool == "Bash") {
    object.set("stdout", text == no_output ? "" : text);
    object.set("stderr", "");
    object.set("interrupted", false);
    object.set("isImage", false);
    return object;
  }
  if (call.tool == "Read") {
    // counts the text after the last break as a line
    const auto lines = static_cast<std::int64_t>(std::ranges::count(text, '\n') + 1);
    json::Object file;
    file.set("filePath", call.input.text_or("file_path", ""));
    file.set("content", text);
    file.set("numLines", lines);
    file.set("startLine", call.input.integer_or("offset", 1));
    if (call.input.find("offset") == nullptr && call.input.find("limit") == nullptr) file.set("totalLines", lines);
    object.set("type", "text");
    object.set("file", std::move(file));
    return object;
  }
  if (!diff) return json::Value(text);
  object.set("filePath", call.input.text_or("file_path", diff->path));
  object.set("originalFile", diff->before ? json::Value(*diff->before) : json::Value());
  if (call.tool == "Write") {
    object.set("type", diff->before ? "update" : "create");
    object.set("content", diff->after.value_or(""));
  } else {
    object.set("oldString", call.input.text_or("old_string", ""));
    object.set("newString", call.input.text_or("new_string", ""));
    object.set("replaceAll", call.input.boolean_or("replace_all", false));
  }
  return object;
}

}  // namespace parlance::face
