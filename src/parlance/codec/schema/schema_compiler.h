// SPDX-License-Identifier: Apache-2.0
// A JSON Schema document as a CompiledSchema. Values; any thread.
#pragma once

#include <memory>

#include "parlance/base/result.h"
#include "parlance/codec/schema/compiled_schema.h"

namespace parlance::schema {

// invalid_params: "#/properties/a/pattern: a ( is never closed".
Result<std::shared_ptr<const CompiledSchema>> compile_schema(json::Value document);

}  // namespace parlance::schema
