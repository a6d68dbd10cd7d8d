// SPDX-License-Identifier: Apache-2.0
// The system message for an agent that a program calls over HTTP. driver/gorpc writes it, and the rehearsal reads it. Values.
#pragma once

#include <string_view>

namespace parlance::model {

inline constexpr std::string_view called_over_http =
    "A program calls you over HTTP. A tool call that needs an approval fails unless a person answers it on the page.";

}  // namespace parlance::model
