// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/ask_reason.h"

#include <utility>

namespace parlance::hub {

AskReason ask_reason(Decision decision, std::string agent, const std::string& folder) {
  // Without the id of the mode, which is for logs: frontends show the mode in words of their own.
  const std::size_t end = decision.why.starts_with("mode ") ? decision.why.find(": ") : std::string::npos;
  AskReason made{.why = agent + " wants this in " + folder + ": " +
                        (end == std::string::npos ? decision.why : decision.why.substr(end + 2))};
  if (!decision.reason.id.empty()) {
    made.reason = std::move(decision.reason);
    made.reason->agent = std::move(agent);
  }
  return made;
}

std::string sentence_of(const Reason& reason, const std::string& folder) {
  const std::string words = in_words(reason);
  if (!reason.agent.empty()) return reason.agent + " wants this in " + folder + ": " + words;
  return words.ends_with('.') ? words : words + ".";
}

}  // namespace parlance::hub
