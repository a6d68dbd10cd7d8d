// SPDX-License-Identifier: Apache-2.0
// The approved intent of each open call, which the call carries out exactly. Loop thread only.
#pragma once

#include <cstddef>
#include <string>

#include "parlance/base/newest.h"
#include "parlance/hub/agent/tools.h"

namespace parlance::toolbox {

inline constexpr std::size_t kept_intents = 64;  // Calls; refused and stopped calls never run.

template <class T>
class KeptIntents : public Newest<T> {
 public:
  KeptIntents() : Newest<T>(kept_intents) {}
};

// By conversation and call, because models restart their numbers in every conversation.
inline std::string intent_key(const std::string& conversation, const hub::ToolCall& call) {
  return conversation + "\n" + call.id;
}

}  // namespace parlance::toolbox
