// SPDX-License-Identifier: Apache-2.0
// Vendors refuse a whole request because of one tool without a plain object schema. Servers and clients send other schemas, so this
// header converts each schema. Values; any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::model {

// `text` as a schema with `type: object` and `properties`, without anyOf, oneOf, allOf, not, enum, const and $ref at its root. The
// properties of all alternatives are kept. A property is required if each alternative requires the property; the server of the tool
// still checks the arguments. A plain schema comes back compacted. Other text than a JSON object becomes the schema without parameters.
std::string object_schema(std::string_view text);

// Anthropic's API allows 1 to 64 characters of A-Z a-z 0-9 _ . - in names of parameters. Other parameters leave `schema` (an
// object_schema), and `description` names them.
void leave_out_odd_names(std::string& schema, std::string& description);

// `text` compacted if it is a JSON object; else "{}".
std::string object_or_empty(std::string_view text);

}  // namespace parlance::model
