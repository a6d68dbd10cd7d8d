// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/shared_store.h"

#include <utility>

namespace parlance::hub {
namespace {

// `denied` alone may be a wrong password, which somebody can mend.
constexpr const char* mark = R"({"reason":"not_owner"})";

}  // namespace

Error not_owner(std::string message) { return {.code = Errc::denied, .message = std::move(message), .data = mark}; }
bool is_not_owner(const Error& error) { return error.code == Errc::denied && error.data == mark; }

}  // namespace parlance::hub
