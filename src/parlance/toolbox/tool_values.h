// SPDX-License-Identifier: Apache-2.0
// Parses a call's input once for all readers (hub::ToolInput). Loop thread only.
#pragma once

#include <string_view>

#include "parlance/base/result.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/tool_call.h"

namespace parlance::toolbox {

inline std::string_view or_empty_object(std::string_view json) { return json.empty() ? "{}" : json; }

// As JSON. Error: malformed JSON.
inline const Result<json::Value>& value_of(const hub::ToolCall& call) {
  return call.arguments_json.read_as<Result<json::Value>>(
      [](std::string_view json) { return json::parse(or_empty_object(json)); });
}

// As a declared message. Errors: invalid_params, with the place.
template <class T>
const Result<T>& message_of(const hub::ToolCall& call) {
  return call.arguments_json.read_as<Result<T>>([](std::string_view json) { return json::from_text<T>(or_empty_object(json)); });
}

}  // namespace parlance::toolbox
