// SPDX-License-Identifier: Apache-2.0
// A connection in memory with faults: late frames, cuts between two frames, and an end that does not read for a while. A lying near
// end also loses, repeats and reorders its messages.
#pragma once

#include <memory>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/transport/frames.h"
#include "tests/simulator/setting.h"

namespace parlance::simulator {

enum class Liar : std::uint8_t { none, near };

// The near and the far end. `scope` carries the frames: its end cuts the connection.
std::pair<std::unique_ptr<Frames>, std::unique_ptr<Frames>> flaky_connection(Setting& setting, Scope& scope, Liar liar);

}  // namespace parlance::simulator
