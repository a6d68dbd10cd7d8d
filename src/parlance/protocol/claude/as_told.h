// SPDX-License-Identifier: Apache-2.0
// Messages that go through us: with the members that newer peers put in and no table of ours has. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/codec/json/typed.h"
#include "parlance/wire/type.h"

namespace parlance::claude {

// `told`, a request as it came, with the members of `declared` in the place of its own; without the subtype, which the envelope says.
std::string as_told_with(std::string_view told, std::string_view declared);

// Of a request that nobody has a table for.
std::string subtype_of(const wire::Raw& request);
wire::Raw without_subtype(const wire::Raw& request);

// A request as it came, and as we read it.
template <class P>
Result<P> read_as_told(const wire::Raw& request) {
  PARLANCE_TRY(read, json::from_text<P>(request.json, {.known_utf8 = true}));
  read.as_told = request;
  return read;
}

// What goes on of it, whatever was changed in what we read; of one of our own just that.
template <class P>
wire::Raw write_as_told(const P& message) {
  return {as_told_with(message.as_told.json, json::to_text(message))};
}

}  // namespace parlance::claude
