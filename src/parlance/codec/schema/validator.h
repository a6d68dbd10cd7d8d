// SPDX-License-Identifier: Apache-2.0
// Validates JSON values against a JSON Schema (2020-12, and different keywords of drafts 6 and 7: definitions, dependencies,
// items as a list with additionalItems). A schema is compiled once and used any number of times, from any thread.
//
// Everything is checked except `format` and `content…`, which only describe. Compilation refuses schemas that cannot be
// enforced, and never treats them as permissive: references to other documents, expressions unknown to base/regex, keywords with
// invalid values. Unknown keywords have no effect, as the specification requires.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/schema/limits.h"

namespace parlance::schema {

struct CompiledSchema;

// A fault: its place in the value, and the expected value.
struct Fault {
  std::string at{};  // JSON pointer into the value. Empty: the whole value.
  std::string what{};
  friend bool operator==(const Fault&, const Fault&) = default;
};

// "/hits/3/score: expected number, got "high"; /name: …"
std::string text_of(const std::vector<Fault>& faults);

class Validator {
 public:
  // Error: invalid_params with the place in the schema ("#/properties/a/pattern") and the fault.
  static Result<Validator> compile(json::Value schema);

  // Empty: the value is valid. Otherwise the first faults (limits::schema_faults). A value beyond the cost limits is invalid.
  std::vector<Fault> faults_of(const json::Value& value) const;

 private:
  explicit Validator(std::shared_ptr<const CompiledSchema> schema) : schema_(std::move(schema)) {}
  std::shared_ptr<const CompiledSchema> schema_;
};

}  // namespace parlance::schema
