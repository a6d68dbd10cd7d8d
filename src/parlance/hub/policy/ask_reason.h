// SPDX-License-Identifier: Apache-2.0
// Reason and sentence of a request that the policy does not answer. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/hub/policy/policy.h"

namespace parlance::hub {

struct AskReason {
  std::string why{};
  std::optional<Reason> reason{};  // absent: only `why` has words
};
// The decision in words for the person: the agent, the folder and the policy's reason. Omits the id of the mode.
AskReason ask_reason(Decision decision, std::string agent, const std::string& folder);

// "Claude Code wants this in /f: changes need approval", or the sentence alone for a reason without an agent.
std::string sentence_of(const Reason& reason, const std::string& folder);

}  // namespace parlance::hub
