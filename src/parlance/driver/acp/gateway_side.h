// SPDX-License-Identifier: Apache-2.0
// The gateway behind a connection: no agent, but conversations, rules and people of its own, which its agents work for. What is the same for all
// connections to it. Loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "parlance/driver/acp/settings.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/acp/gateway.h"

namespace parlance::driver {

// How much it told of each of its conversations. By that a session is taken up where it was left, at whichever gateway a
// new connection reaches: nothing is missing, and nothing is told twice.
class GatewaySide {
 public:
  void heard(const std::string& session, const wire::Raw& meta);
  void begun(const std::string& session) { positions_.try_emplace(session, 0); }  // by us: all in it is news
  std::optional<std::uint64_t> position(const std::string& session) const;        // nothing: nobody has told

 private:
  std::map<std::string, std::uint64_t> positions_;
};

// The connection broke: what is to be done about it.
Error gateway_gone(Error why);
// Words of a person that another program brought.
hub::event::Notice said_elsewhere(std::string words);

// `session_meta` of the settings, and where to go on.
std::string meta_with(const std::string& session_meta, std::optional<std::uint64_t> after);

}  // namespace parlance::driver
