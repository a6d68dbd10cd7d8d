// SPDX-License-Identifier: Apache-2.0
// Declared messages to and from JSON, by walking their table (wire/type.h).
// Reading is lenient about unknown members and strict about types; a fault names the place: "$.hits[3].score: expected number".
// Writing emits exactly the declared fields. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/codec/json/reader.h"
#include "parlance/wire/describe.h"

namespace parlance::json {

struct ReadOptions {
  // Go's JSON matches member names without regard to case, and deployed peers write tool_calls for ToolCalls.
  bool loose_names = false;
  bool known_utf8 = false;  // the text is part of one that was checked
  bool known_only = false;  // a member that the type does not have is a fault: what a person wrote, not a peer of another version
};

void write(std::string& out, const wire::Type& type, const void* value);
// `text` is one document. The error is invalid_params for a value that does not fit, invalid_request for text that is no JSON.
Result<void> read(std::string_view text, const wire::Type& type, void* into, ReadOptions options = {});

template <class T>
std::string to_text(const T& value) {
  std::string out;
  write(out, wire::type_of<T>(), &value);
  return out;
}

template <class T>
Result<T> from_text(std::string_view text, ReadOptions options = {}) {
  T value{};
  if (auto done = read(text, wire::type_of<T>(), &value, options); !done) return std::unexpected(std::move(done).error());
  return value;
}

}  // namespace parlance::json
