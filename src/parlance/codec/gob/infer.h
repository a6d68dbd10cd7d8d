// SPDX-License-Identifier: Apache-2.0
// Infers a Go type for an undeclared JSON value, in the notation of described.h, as a Go program could have declared it:
//
//   {"name": "tea", "count": 2, "prices": [1, 2.5]}   struct { Name string; Count int; Prices []float64 }
//   {"Size:uint": 3, "Tags:map[string]int": {"a": 1}} struct { Size uint; Tags map[string]int }
//
//   object   struct; the first letter of a field becomes a capital letter, because Go sends only such fields. "NAME:TYPE" gives the type
//   number   int if whole and in range, else uint if in range, else float64. Go accepts an int for any width of int, and none for uint
//   array    []T with the common type of the elements: structs of all fields, float64 for whole and other numbers,
//            else interface{}
//   null, and an empty array or object, within an object: no field, which Go reads as zero
//
// Go receivers accept a struct by the names of its fields, with any name of the struct. No I/O; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/codec/json/value.h"

namespace parlance::gob {

struct Inferred {
  std::string type;   // "struct { Name string }"
  json::Value value;  // The value with the field names of the type.
};

// Errors: invalid_params with the place, for invalid field names, too deep nesting, and null.
Result<Inferred> infer(const json::Value& value);

}  // namespace parlance::gob
