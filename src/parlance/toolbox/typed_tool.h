// SPDX-License-Identifier: Apache-2.0
// A tool whose arguments are a message: declared once as a table, sent to models as a JSON Schema, and read from their calls.
// Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "parlance/base/result.h"
#include "parlance/codec/schema/json_schema.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/toolbox/tool_values.h"

namespace parlance::toolbox {

template <class T>
hub::ToolSpec tool_spec(std::string_view name, hub::ToolKind kind, std::string_view description) {
  return {.name = std::string(name),
          .description = std::string(description),
          .parameters_json = schema::json_schema(wire::type_of<T>()),
          .kind = kind};
}

// The parsed arguments, cached with the call. Errors: invalid_params, with the tool's name and the place.
template <class T>
Result<T> arguments(const hub::ToolCall& call) {
  const Result<T>& read = message_of<T>(call);
  if (!read) return std::unexpected(Error(read.error()).in(call.tool));
  return read;
}

}  // namespace parlance::toolbox
