// SPDX-License-Identifier: Apache-2.0
// The first screen: known agents that need an installation or a sign-in, and recent folders. Values contain no secret. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

struct AgentSetup {
  std::string id{};
  std::string name{};
  bool installed = false;
  std::string command{};
  static constexpr auto wire =
      fields(field<&AgentSetup::id>("id", "Id of the agent."), field<&AgentSetup::name>("name", "Name for people."),
             field<&AgentSetup::installed>("installed", "False: the gateway's PATH has no program of the agent."),
             field<&AgentSetup::command>("command",
                                         "Command for a terminal: installs the agent, or signs in if the agent is installed."));
};
struct SetupValue {
  std::vector<AgentSetup> agents{};
  std::vector<std::string> folders{};
  static constexpr auto wire =
      fields(field<&SetupValue::agents>("agents",
                                        "Known agents without a program, and agents without a sign-in: neither a file of "
                                        "credentials nor a variable with a key exists. Both kinds may still work."),
             field<&SetupValue::folders>("folders", "Existing folders of recent conversations, newest first, at most 8."));
};
// The gateway has this request if its capabilities contain "setup".
struct GetSetup {
  static constexpr std::string_view tag = "setup";
  using Value = SetupValue;
  std::string request{};
  static constexpr auto wire = fields(field<&GetSetup::request>("request", request_doc::request));
};

}  // namespace parlance::page
