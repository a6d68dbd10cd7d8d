// SPDX-License-Identifier: Apache-2.0
// JSON pointers (RFC 6901): places in a document, as schemas refer to them and as faults name them. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/codec/json/value.h"

namespace parlance::schema {

// "a/b~c" as a pointer spells it.
std::string pointer_step(std::string_view name);

// What stands there; null: nothing. `pointer` is "" (the whole) or begins with a slash.
const json::Value* at_pointer(const json::Value& root, std::string_view pointer);

}  // namespace parlance::schema
