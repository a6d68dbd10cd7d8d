// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/store.h"

namespace parlance::memory {
namespace {
constexpr std::string_view names[] = {"preference", "decision", "fact", "entity", "other"};
}

std::string_view to_string(Category category) { return names[static_cast<std::size_t>(category)]; }

std::optional<Category> category_from(std::string_view name) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == name) return static_cast<Category>(i);
  return std::nullopt;
}

}  // namespace parlance::memory
