// SPDX-License-Identifier: Apache-2.0
// For tests and benchmarks: the common form of the recorded sessions of all protocols.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "parlance/codec/json/value.h"

namespace parlance::json::test {

// The names below the folder, in order.
inline std::vector<std::string> recordings(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".ndjson") names.push_back(std::filesystem::relative(entry.path(), folder).string());
  std::ranges::sort(names);
  return names;
}

enum class Nulls { count, are_nothing };

// Empty when everything in `part` is in `whole`, with the same values; otherwise where it is not.
inline std::string missing_in(const Value& whole, const Value& part, Nulls nulls, const std::string& where = "$") {
  if (const Object* wanted = part.object()) {
    for (const auto& [name, value] : wanted->members) {
      if (value.is_null() && nulls == Nulls::are_nothing) continue;
      const Value* found = whole.find(name);
      if (found == nullptr) return where + "." + name + " is missing";
      if (auto why = missing_in(*found, value, nulls, where + "." + name); !why.empty()) return why;
    }
    return whole.object() != nullptr ? "" : where + " is no object";
  }
  if (const Array* wanted = part.array()) {
    const Array* found = whole.array();
    if (found == nullptr || found->size() != wanted->size()) return where + " is another list";
    for (std::size_t i = 0; i < wanted->size(); ++i)
      if (auto why = missing_in((*found)[i], (*wanted)[i], nulls, where + "[" + std::to_string(i) + "]"); !why.empty())
        return why;
    return "";
  }
  return whole == part ? "" : where + " is " + to_text(whole) + ", not " + to_text(part);
}

}  // namespace parlance::json::test
