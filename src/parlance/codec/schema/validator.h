// SPDX-License-Identifier: Apache-2.0
// Holds JSON values against a JSON Schema (2020-12, and what drafts 6 and 7 spell otherwise: definitions, dependencies, items as a list with
// additionalItems). A schema is compiled once and then used as often as wanted, from any thread.
//
// All of it is checked but `format` and `content…`, which only describe. A schema that cannot be kept is refused when it is compiled,
// not taken for one that allows everything: references to other documents, expressions that base/regex does not know, a keyword with a
// value that it cannot have. Unknown keywords say nothing, as the specification wants.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/schema/limits.h"

namespace parlance::schema {

struct CompiledSchema;

// Where a value is not as it should be, and how it should be.
struct Fault {
  std::string at{};  // JSON pointer into the value; empty: the whole
  std::string what{};
  friend bool operator==(const Fault&, const Fault&) = default;
};

// "/hits/3/score: expected number, got "high"; /name: …"
std::string text_of(const std::vector<Fault>& faults);

class Validator {
 public:
  // invalid_params: the place in the schema ("#/properties/a/pattern") and what is wrong there.
  static Result<Validator> compile(json::Value schema);

  // Nothing when it fits, else the first few faults (limits::schema_faults). A value that costs too much to look at does not fit.
  std::vector<Fault> faults_of(const json::Value& value) const;

 private:
  explicit Validator(std::shared_ptr<const CompiledSchema> schema) : schema_(std::move(schema)) {}
  std::shared_ptr<const CompiledSchema> schema_;
};

}  // namespace parlance::schema
