// SPDX-License-Identifier: Apache-2.0
// JSON Schema (2020-12) of a declared message: tool parameters, MCP input schemas, documentation. Any thread.
#pragma once

#include <string>

#include "parlance/wire/describe.h"

namespace parlance::schema {

std::string json_schema(const wire::Type& type);

}  // namespace parlance::schema
