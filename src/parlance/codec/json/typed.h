// SPDX-License-Identifier: Apache-2.0
// Converts declared messages to and from JSON by their table (wire/type.h). Reading accepts unknown members and is strict about
// types; a fault names its place: "$.hits[3].score: expected number". Writing emits exactly the declared fields. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/codec/json/reader.h"
#include "parlance/wire/describe.h"

namespace parlance::json {

struct ReadOptions {
  // Go's JSON matches member names in any case, and deployed peers write tool_calls for ToolCalls.
  bool loose_names = false;
  bool known_utf8 = false;  // The text is part of validated text.
  // An unknown member is a fault, for input by people. Peers of other versions may send unknown members.
  bool known_only = false;
};

void write(std::string& out, const wire::Type& type, const void* value);
// `text` is one document. Errors: invalid_params for a mismatched value, invalid_request for malformed JSON.
Result<void> read(std::string_view text, const wire::Type& type, void* into, ReadOptions options = {});

template <class T>
std::string to_text(const T& value) {
  std::string out;
  write(out, wire::type_of<T>(), &value);
  return out;
}

template <class T>
Result<T> from_text(std::string_view text, ReadOptions options = {}) {
  Result<T> value;
  if (auto done = read(text, wire::type_of<T>(), &*value, options); !done) value = std::unexpected(std::move(done).error());
  return value;
}

}  // namespace parlance::json
