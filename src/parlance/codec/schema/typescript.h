// SPDX-License-Identifier: Apache-2.0
// TypeScript types of declared messages, for pages and extensions. Any thread.
//
// A union becomes one interface for each alternative, whose tag is a literal, so that `switch (message.type)` narrows; there is no member
// that catches all. What a newer peer may send is for the reader to pass over: `default: unknown_variant(message)` with a parameter of
// type never (apps/web/src/unknown.ts). Enumerations are unions of literals, optional members may be absent, and null is only where the
// wire tells it from absent.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::schema {

// A type to print, and what C++ does not say about it.
struct Root {
  const wire::Type* type;
  std::string_view name{};           // of a union: it has none of its own
  std::string_view suffix{};         // of a union: behind the names of its alternatives
  const wire::Type* head = nullptr;  // of a union: an object whose members each alternative has as well
  std::string_view doc{};
};

// An interface with a type for each of some names: `{ open: OpenedValue; close: undefined; … }`.
struct Lookup {
  std::string_view name;
  std::string_view doc;
  std::vector<std::pair<std::string_view, const wire::Type*>> entries;  // null: undefined
};

struct Module {
  std::vector<Root> roots{};
  std::span<const wire::Method> methods{};
  std::vector<Lookup> lookups{};
};

// The roots, the methods and every named type that they reach, each once, in the order of first use. That two types would be printed
// under one name, or that a field holds a type that is not among them, is a bug of the caller.
std::string typescript(const Module& module);

}  // namespace parlance::schema
