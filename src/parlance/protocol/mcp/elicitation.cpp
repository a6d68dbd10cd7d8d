// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/elicitation.h"

#include "parlance/codec/json/value.h"

namespace parlance::mcp {

Raw with_defaults(const Raw& schema, const Raw& content) {
  const auto asked = json::parse(schema.json);
  auto content_object = json::parse(content.json.empty() ? "{}" : content.json);
  if (!asked || !content_object || content_object->object() == nullptr) return content;
  const json::Value* properties = asked->find("properties");
  if (properties == nullptr || properties->object() == nullptr) return content;
  for (const auto& [name, property] : properties->object()->members) {
    const json::Value* otherwise = property.find("default");
    if (otherwise != nullptr && content_object->object()->find(name) == nullptr) content_object->object()->set(name, *otherwise);
  }
  return {json::to_text(*content_object)};
}

}  // namespace parlance::mcp
