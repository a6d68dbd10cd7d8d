// A JSON Schema document as a CompiledSchema. Values; any thread.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "codec/schema/compiled_schema.h"

namespace parlance::schema {

// invalid_params: "#/properties/a/pattern: a ( is never closed".
Result<std::shared_ptr<const CompiledSchema>> compile_schema(json::Value document);

// Without rounding; none when it is no number.
std::optional<long double> exact_number(const json::Value& value);

// "a/b~c" as a JSON pointer spells it.
std::string pointer_step(std::string_view name);

}  // namespace parlance::schema
