// SPDX-License-Identifier: Apache-2.0
// The open tool calls reported to a host of Claude Code. Loop thread only; a value.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/toolbox/claude_tool_names.h"

namespace parlance::face {

struct ReportedCall {
  std::string tool{};
  json::Value input{};
  std::optional<std::string> parent{};
  std::string output{};
  std::string shown{};  // texts of its content
  const std::string& result() const { return output.empty() ? shown : output; }
  bool asked = false;  // the host received a request for it
};

class ReportedCalls {
 public:
  void begin(const std::string& id, ReportedCall call) { calls_[id] = std::move(call); }
  // Null: unknown, or ended.
  ReportedCall* find(const std::string& id) {
    const auto found = calls_.find(id);
    return found == calls_.end() ? nullptr : &found->second;
  }
  // The reported call stays unchanged: later data affects its result and requests.
  void update(const hub::event::ToolUpdate& update, const std::string& folder) {
    ReportedCall* const call = find(update.call);
    if (call == nullptr) return;
    if (update.input_json) {
      const hub::ToolCall now = toolbox::claude_call({.tool = call->tool, .arguments_json = *update.input_json}, folder);
      if (json::Value input = json::parse_or_null(now.arguments_json); input.object() != nullptr) call->input = std::move(input);
    }
    if (update.content) call->shown = hub::text_of(*update.content);
  }
  std::optional<ReportedCall> end(const std::string& id) {
    auto node = calls_.extract(id);
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped());
  }
  // A plan is reported by a call too.
  bool has_plan_call() const {
    return std::ranges::any_of(
        calls_, [](const auto& entry) { return toolbox::own_tool(entry.second.tool) == toolbox::own_tool("TodoWrite"); });
  }

 private:
  std::map<std::string, ReportedCall> calls_;
};

}  // namespace parlance::face
