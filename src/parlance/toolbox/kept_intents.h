// SPDX-License-Identifier: Apache-2.0
// What an intent told of, kept for its call: exactly that is done. Loop thread only.
#pragma once

#include <cstddef>
#include <string>

#include "parlance/base/newest.h"
#include "parlance/hub/tools.h"

namespace parlance::toolbox {

inline constexpr std::size_t kept_intents = 64;  // calls; refused or stopped ones are never made

template <class T>
class KeptIntents : public Newest<T> {
 public:
  KeptIntents() : Newest<T>(kept_intents) {}
};

// By conversation and call, because models number their calls anew in every conversation.
inline std::string intent_key(const hub::Conversation& conversation, const hub::ToolCall& call) {
  return conversation.id + "\n" + call.id;
}

}  // namespace parlance::toolbox
