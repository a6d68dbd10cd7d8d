// SPDX-License-Identifier: Apache-2.0
// TypeScript types of declared messages, for pages and extensions. Any thread.
//
// Each alternative of a union becomes an interface with a literal tag, and `switch (message.type)` narrows. No member catches
// all: readers skip messages of newer peers with `default: unknown_variant(message)` and a parameter of type never
// (apps/web/src/unknown.ts). Enumerations are unions of literals, optional members may be absent, and null appears only if
// different from absent on the wire.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::schema {

// A type to print, with data outside of its C++ type.
struct Root {
  const wire::Type* type;
  std::string_view name{};           // Of a union without a name of its own.
  std::string_view suffix{};         // Of a union: suffix of the names of its alternatives.
  const wire::Type* head = nullptr;  // Of a union: an object whose members every alternative also has.
  std::string_view doc{};
};

// An interface with a type for each of some names: `{ open: OpenedValue; close: undefined; … }`.
struct Lookup {
  std::string_view name;
  std::string_view doc;
  std::vector<std::pair<std::string_view, const wire::Type*>> entries;  // Null: undefined.
};

struct Module {
  std::vector<Root> roots{};
  std::span<const wire::Method> methods{};
  std::vector<Lookup> lookups{};
};

// The roots, the methods and every named type reachable from these, each once, in the order of first use. Two types with the
// same name, or a field of a missing type, are bugs of the caller.
std::string typescript(const Module& module);

}  // namespace parlance::schema
