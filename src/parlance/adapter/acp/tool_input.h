// SPDX-License-Identifier: Apache-2.0
// The input of a tool call, collected from the agents' various members: arguments, content, locations, and, for sub-agents, the
// label. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/codec/json/value.h"

namespace parlance::adapter {

struct ToolCallParts {
  json::Value args{};
  std::string label{};
  // Of the content.
  std::optional<std::string> content_type{};
  std::optional<std::string> path{};
  std::optional<std::string> old_text{};
  std::optional<std::string> new_text{};
  std::optional<std::string> markdown{};
  // Of the first location.
  std::optional<std::string> location{};
};

struct ToolInput {
  json::Object input{};
  std::optional<std::string> label{};  // none if used as the input ("read_file: {…}") or empty
  friend bool operator==(const ToolInput& a, const ToolInput& b) {
    return json::Value(a.input) == json::Value(b.input) && a.label == b.label;
  }
};

// For the same fact in two places, the first wins: arguments (or, without arguments, the label), then content, then the location.
// Uses the common names: file_path, content, old_string; `_markdown` and `_contentType` are only for display.
ToolInput enrich_tool_input(ToolCallParts parts);

}  // namespace parlance::adapter
