// SPDX-License-Identifier: Apache-2.0
// The answer to a request of a page: the message's Value, or an error. Values; any thread.
#pragma once

#include "parlance/async/task.h"
#include "parlance/base/result.h"

namespace parlance::face {

template <class Message>
using Answered = Task<Result<typename Message::Value>>;

}  // namespace parlance::face
