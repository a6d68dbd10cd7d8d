// SPDX-License-Identifier: Apache-2.0
// The kind of a variant's value. Any thread.
#pragma once

#include <variant>

namespace parlance {

// True: the value has one of these kinds. In code compiled for size, libstdc++'s std::holds_alternative searches the kind in the
// list of all kinds at each call, and std::get_if does not.
template <class... Kinds, class Variant>
bool holds(const Variant& value) {
  return ((std::get_if<Kinds>(&value) != nullptr) || ...);
}

}  // namespace parlance
