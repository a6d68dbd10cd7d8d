// SPDX-License-Identifier: Apache-2.0
// Gob values with a type in text form, for people who write gob by hand:
//
//   encoder.encode(out, "struct Request { ServiceMethod string; Seq uint }", value)
//   encoder.encode(out, "Request", another)          // a named struct is known from then on
//
// The notation is Go's: bool, string, int and uint of any width, float32/float64, complex64/complex128, []byte, []T, [3]T,
// map[K]T, interface{} or any, struct [Name] { A, B int; C []Name }. gob's own words float, bytes, complex and interface are
// valid too. A type may refer to a named struct during its declaration. Semicolons or new lines separate fields. Values are JSON
// in the form of any.h, plain or annotated (interface values plain only). One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/codec/gob/described_types.h"
#include "parlance/codec/gob/encoder.h"
#include "parlance/codec/json/value.h"

namespace parlance::gob {

// One sending stream. On failure `out` and the set of announced types are unchanged.
class DescribedEncoder {
 public:
  explicit DescribedEncoder(Limits limits = {}) : limits_(limits), own_(std::make_unique<Encoder>()), beside_(*own_) {}
  // On the stream of `beside`, which outlives this encoder: declared and described values may alternate.
  explicit DescribedEncoder(Encoder& beside, Limits limits = {}) : limits_(limits), beside_(beside) {}
  Result<void> encode(std::string& out, std::string_view type, const json::Value& value);
  Result<void> declare(std::string_view type);  // The same without a value: checks the type, which is known from then on.

 private:
  Result<std::size_t> root_of(std::string_view type);

  Limits limits_;
  std::unique_ptr<Encoder> own_;
  Encoder& beside_;  // announces the two types of interface values
  DescribedTypes types_;
  std::map<std::string, std::size_t, std::less<>> texts_;  // Complete types of earlier calls.
};

}  // namespace parlance::gob
