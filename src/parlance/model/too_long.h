// SPDX-License-Identifier: Apache-2.0
// The mark of an error about a request beyond the context of the model. Errors of net/rpc are text, so the mark is the remedy at
// the end of the message. Values; any thread.
#pragma once

#include <string_view>

#include "parlance/base/error.h"

namespace parlance::model {

inline constexpr std::string_view too_long_cure = ": start a new conversation, or choose a model with a larger context";

inline bool is_too_long(const Error& error) { return error.message.ends_with(too_long_cure); }

}  // namespace parlance::model
