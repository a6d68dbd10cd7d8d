// SPDX-License-Identifier: Apache-2.0
// A call of one of Claude Code's tools. A value; any thread.
#pragma once

#include <string>

#include "parlance/codec/json/value.h"

namespace parlance::adapter {

struct ClaudeCall {
  std::string tool{};
  json::Value input{};
};

}  // namespace parlance::adapter
