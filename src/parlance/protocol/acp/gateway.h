// SPDX-License-Identifier: Apache-2.0
// Members of `_meta` that name the agent of a session: the client chooses among the agents of a gateway or runner. Values; any
// thread.
#pragma once

#include "parlance/protocol/acp/runner.h"

namespace parlance::acp {

// In session/new.
struct SessionRequest {
  std::optional<std::string> agent{};
  static constexpr auto wire = fields(field<&SessionRequest::agent>("agent", "With session/new: name of the agent."));
};
struct SessionRequestMeta {
  std::optional<SessionRequest> parlance{};
  static constexpr auto wire =
      fields(field<&SessionRequestMeta::parlance>("parlance", "Extensions of a request to a gateway or runner."));
};

// In an entry of session/list.
struct SessionWord {
  std::string agent{};
  static constexpr auto wire =
      fields(field<&SessionWord::agent>("agent", "Name of the agent that answers in the session.").or_default());
};
struct SessionWordMeta {
  std::optional<SessionWord> parlance{};
  static constexpr auto wire = fields(field<&SessionWordMeta::parlance>("parlance", "Extensions of a session from a gateway."));
};

}  // namespace parlance::acp
