// SPDX-License-Identifier: Apache-2.0
// Forwarded messages, with unknown members of newer peers. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/codec/json/typed.h"
#include "parlance/wire/type.h"

namespace parlance::claude {

// The received request `told` with the members of `declared` in place of its own, and without the subtype, which the envelope
// has.
std::string as_told_with(std::string_view told, std::string_view declared);

// A request without a table.
std::string subtype_of(const wire::Raw& request);
wire::Raw without_subtype(const wire::Raw& request);

// A request as received, and as parsed.
template <class P>
Result<P> read_as_told(const wire::Raw& request) {
  PARLANCE_TRY(read, json::from_text<P>(request.json, {.known_utf8 = true}));
  read.as_told = request;
  return read;
}

// The request to forward, with all changes of the parsed form. For our own requests, the parsed form alone.
template <class P>
wire::Raw write_as_told(const P& message) {
  return {as_told_with(message.as_told.json, json::to_text(message))};
}

}  // namespace parlance::claude
