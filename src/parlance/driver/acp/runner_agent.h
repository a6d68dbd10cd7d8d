// SPDX-License-Identifier: Apache-2.0
// An agent of a runner as an agent of the hub: agent_via_acp over the runner's connection, shown with the account that it works as. Loop
// thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/hub/hub.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/transport/frames.h"

namespace parlance::driver {

// Where it works, and whether that can be reached; shared by the agents of one runner.
struct RunnerPlace {
  enum class State : std::uint8_t { gone, here, elsewhere };
  RunnerPlace() = default;
  RunnerPlace(const RunnerPlace&) = delete;
  RunnerPlace& operator=(const RunnerPlace&) = delete;
  virtual ~RunnerPlace() = default;
  // A connection of a conversation. Errors: disconnected, overloaded.
  virtual Result<std::unique_ptr<Frames>> connect() = 0;
  // Files there. Errors: those of hub::AgentProvider::find_files. The place lives until it has ended.
  virtual Task<Result<acp::FoundFiles>> find_files(acp::FindFiles wanted) = 0;

  std::string why_not() const;  // for people: since when it is gone, and what to do
  acp::Offer offer{};
  std::string user{};  // hub::PlaceAt::user
  State state = State::gone;
  std::string since{};  // RFC 3339, UTC
};

std::unique_ptr<hub::AgentProvider> runner_agent(Loop& loop, hub::Hub& hub, std::shared_ptr<RunnerPlace> place,
                                                 const acp::OfferedAgent& agent, const std::string& version);

// How a gateway begins the connection, for all its conversations there: files and terminals are the runner's own.
acp::InitializeParams runner_client(const std::string& version);

}  // namespace parlance::driver
