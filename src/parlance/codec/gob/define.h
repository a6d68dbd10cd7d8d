// SPDX-License-Identifier: Apache-2.0
// Type definitions as a sender writes them: each function returns the whole message, with its length. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/codec/gob/definition.h"

namespace parlance::gob::define {

std::string slice(TypeId id, std::string_view name, TypeId element);
std::string array(TypeId id, std::string_view name, TypeId element, std::uint64_t length);
std::string map(TypeId id, std::string_view name, TypeId key, TypeId element);
std::string structure(TypeId id, std::string_view name, const std::vector<std::pair<std::string_view, TypeId>>& fields);

}  // namespace parlance::gob::define
