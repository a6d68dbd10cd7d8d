// SPDX-License-Identifier: Apache-2.0
// Several lambdas as one, for std::visit. Any thread.
#pragma once

namespace parlance {

template <class... Visit>
struct Overloaded : Visit... {
  using Visit::operator()...;
};

}  // namespace parlance
