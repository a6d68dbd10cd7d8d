// SPDX-License-Identifier: Apache-2.0
// What a tool was called with, out of the places where agents put it: arguments, content, locations, and, for sub-agents, the label.
// Pure; any thread.
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
  std::optional<std::string> label{};  // none where it was the input itself ("read_file: {…}") or empty
  friend bool operator==(const ToolInput& a, const ToolInput& b) {
    return json::Value(a.input) == json::Value(b.input) && a.label == b.label;
  }
};

// Where two places tell the same, the first one counts: arguments (or, without any, the label), then content, then the location.
// Names are those of the common tools: file_path, content, old_string; `_markdown` and `_contentType` are only for showing.
ToolInput enrich_tool_input(ToolCallParts parts);

}  // namespace parlance::adapter
