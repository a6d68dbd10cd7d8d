// SPDX-License-Identifier: Apache-2.0
// The Go type of a JSON value that nobody declared, in the notation of described.h, as a Go program could have written it:
//
//   {"name": "tea", "count": 2, "prices": [1, 2.5]}   struct { Name string; Count int; Prices []float64 }
//   {"Size:uint": 3, "Tags:map[string]int": {"a": 1}} struct { Size uint; Tags map[string]int }
//
//   object   struct; a field's first letter becomes a capital one, as only such fields travel. "NAME:TYPE" says its type
//   number   int where it is whole and fits, else uint where it fits, else float64. Go takes an int for any width of int, and none for uint
//   array    []T of what all elements have in common: structs of all their fields, float64 for whole and other numbers,
//            else interface{}
//   null, and an empty array or object, within an object: no field, which Go reads as zero
//
// A receiver of Go's takes a struct whose fields it knows by name, whatever the struct is called. No I/O; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/codec/json/value.h"

namespace parlance::gob {

struct Inferred {
  std::string type;   // "struct { Name string }"
  json::Value value;  // with the names that fields have in it
};

// Errors: invalid_params, with the place: a name that can be no field, nesting that is too deep, nothing to send (null).
Result<Inferred> infer(const json::Value& value);

}  // namespace parlance::gob
