// SPDX-License-Identifier: Apache-2.0
// Forwarded messages, with unknown members of newer peers. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/codec/json/typed.h"
#include "parlance/wire/type.h"

namespace parlance::claude {

// The members of `received`, replaced and extended by those of `declared`. Without the subtype: the envelope contains it.
std::string forwarded_json(std::string_view received, std::string_view declared);

// A request without a table.
std::string subtype_of(const wire::Raw& request);
wire::Raw without_subtype(const wire::Raw& request);

// A request as received, and as parsed.
template <class P>
Result<P> read_forwarded(const wire::Raw& request) {
  PARLANCE_TRY(read, json::from_text<P>(request.json, {.known_utf8 = true}));
  read.received = request;
  return read;
}

// The request to forward, with all changes of the parsed form. For our own requests, the parsed form alone.
template <class P>
wire::Raw write_forwarded(const P& message) {
  return {forwarded_json(message.received.json, json::to_text(message))};
}

}  // namespace parlance::claude
