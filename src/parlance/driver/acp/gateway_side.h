// SPDX-License-Identifier: Apache-2.0
// The state of all connections to a gateway as ACP agent. A gateway is no agent: its conversations, rules and people have agents
// of their own. Loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "parlance/driver/acp/settings.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/acp/gateway.h"

namespace parlance::driver {

// The number of events received from each of the gateway's conversations. A new connection to any gateway resumes a session at
// this position, without gaps or repetitions.
class GatewaySide {
 public:
  void heard(const std::string& session, const wire::Raw& meta);
  // for a new session of this program: every event is new
  void begun(const std::string& session) { positions_.try_emplace(session, 0); }
  std::optional<std::uint64_t> position(const std::string& session) const;  // no value: unknown

 private:
  std::map<std::string, std::uint64_t> positions_;
};

// The error of a broken connection, with the remedy.
Error gateway_gone(Error why);
// A person's message from another program.
hub::event::Notice said_elsewhere(std::string words);

// `session_meta` of the settings, with the resume position.
std::string meta_with(const std::string& session_meta, std::optional<std::uint64_t> after);

}  // namespace parlance::driver
