// SPDX-License-Identifier: Apache-2.0
// A connection in memory with faults: late frames, cuts between two frames, and an end that does not read for a while. A lying runner
// also loses, repeats and reorders its messages.
#pragma once

#include <memory>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/transport/frames.h"
#include "tests/simulator/setting.h"

namespace parlance::simulator {

// The near and the far end.
using Ends = std::pair<std::unique_ptr<Frames>, std::unique_ptr<Frames>>;

// `scope` carries the frames: its end cuts the connection.
Ends page_connection(Setting& setting, Scope& scope);
// `has_lied`: null for an honest runner. A connection with a lie is cut as soon as the faults are over.
Ends runner_connection(Setting& setting, Scope& scope, std::shared_ptr<bool> has_lied);

}  // namespace parlance::simulator
