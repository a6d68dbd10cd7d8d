// SPDX-License-Identifier: Apache-2.0
// JSON pointers (RFC 6901): places in a document, as schemas refer to them and as faults name them. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/codec/json/value.h"

namespace parlance::schema {

// A name in the spelling of pointers: "a/b~c" becomes "a~1b~0c".
std::string pointer_step(std::string_view name);

// The value at `pointer`, which is "" (the whole) or begins with a slash. null: no such value.
const json::Value* at_pointer(const json::Value& root, std::string_view pointer);

}  // namespace parlance::schema
