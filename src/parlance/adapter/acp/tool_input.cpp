// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/tool_input.h"

#include <string_view>
#include <utility>

#include "parlance/base/text.h"

namespace parlance::adapter {
namespace {

// "read_file: {"path":"a"}": the form of a sub-agent's input in iFlow.
std::optional<json::Object> input_in_label(std::string_view label) {
  const std::size_t colon = label.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view text = trim(label.substr(colon + 1));
  if (!text.starts_with('{')) return std::nullopt;
  json::Value value = json::parse_or_null(text);
  if (json::Object* object = value.object()) return std::move(*object);
  return std::nullopt;
}

void add(json::Object& input, const char* name, std::optional<std::string> text) {
  if (text && input.find(name) == nullptr) input.set(name, *std::move(text));
}

}  // namespace

ToolInput enrich_tool_input(ToolCallParts parts) {
  ToolInput out;
  if (json::Object* args = parts.args.object()) out.input = std::move(*args);
  std::optional<json::Object> in_label = input_in_label(parts.label);
  if (in_label) {
    if (out.input.members.empty()) out.input = *std::move(in_label);
  } else if (!parts.label.empty()) {
    out.label = std::move(parts.label);
  }
  if (const json::Value* path = out.input.find("absolute_path"); path != nullptr && path->text() != nullptr)
    add(out.input, "file_path", *path->text());
  add(out.input, "file_path", std::move(parts.path));
  add(out.input, "content", std::move(parts.new_text));
  add(out.input, "old_string", std::move(parts.old_text));
  add(out.input, "_markdown", std::move(parts.markdown));
  add(out.input, "_contentType", std::move(parts.content_type));
  add(out.input, "file_path", std::move(parts.location));
  return out;
}

}  // namespace parlance::adapter
