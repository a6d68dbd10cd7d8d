// SPDX-License-Identifier: Apache-2.0
// What both vendors demand of a tool's parameters: a JSON Schema that is an object.
#pragma once

#include <string>
#include <string_view>

namespace parlance::model {

// `text` compacted if it is a JSON object; else the schema of no parameters.
std::string object_schema(std::string_view text);
// `text` compacted if it is a JSON object; else "{}".
std::string object_or_empty(std::string_view text);

}  // namespace parlance::model
