// TypeScript interfaces of declared messages, for pages and extensions. Any thread.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "wire/describe.h"

namespace parlance::schema {

// A type to print. Unions have no name of their own in C++, so their name is given here.
struct Root {
  const wire::Type* type;
  std::string_view name{};
};

// The roots and every named type that they reach, each once, in the order of first use.
std::string typescript(std::initializer_list<Root> roots);

}  // namespace parlance::schema
