// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/tool_schema.h"

#include "parlance/codec/json/value.h"

namespace parlance::model {
namespace {

std::string object_or(std::string_view text, std::string_view otherwise) {
  auto compacted = json::compact(text);
  return compacted && compacted->starts_with('{') ? *std::move(compacted) : std::string(otherwise);
}

}  // namespace

std::string object_schema(std::string_view text) {
  std::string schema = object_or(text, "{}");
  return schema == "{}" ? R"({"type":"object","properties":{}})" : schema;
}

std::string object_or_empty(std::string_view text) { return object_or(text, "{}"); }

}  // namespace parlance::model
