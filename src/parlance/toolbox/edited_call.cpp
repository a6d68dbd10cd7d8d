// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/edited_call.h"

#include <string>
#include <utility>

#include "parlance/codec/json/value.h"
#include "parlance/toolbox/tool_values.h"

namespace parlance::toolbox {

std::optional<hub::ToolCall> edited_call(hub::ToolCall call, const hub::ToolIntent& intent, std::string_view text) {
  const Result<json::Value>& asked = value_of(call);
  if (!asked || asked->object() == nullptr || !intent.editable) return std::nullopt;
  json::Value arguments = *asked;
  switch (*intent.editable) {
    case hub::EditablePart::command: arguments.object()->set("command", std::string(text)); break;
    case hub::EditablePart::diff: {
      json::Object whole;
      whole.set("path", std::string(arguments.text_or("path", "")));
      whole.set("content", std::string(text));
      arguments = json::Value(std::move(whole));
      call.tool = "write_file";
      break;
    }
  }
  call.arguments_json = json::to_text(arguments);
  return call;
}

}  // namespace parlance::toolbox
