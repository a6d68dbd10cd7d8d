// SPDX-License-Identifier: Apache-2.0
// Makes a runner's agent an agent of the hub: agent_via_acp over the runner's connection, with the name of its account. Loop
// thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/hub/hub.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/transport/frames.h"

namespace parlance::driver {

// A runner and its connection state; shared by all agents of the runner.
struct KnownRunner {
  enum class State : std::uint8_t { disconnected, connected, connected_elsewhere };
  KnownRunner() = default;
  KnownRunner(const KnownRunner&) = delete;
  KnownRunner& operator=(const KnownRunner&) = delete;
  virtual ~KnownRunner() = default;
  // A connection for a conversation. Errors: disconnected, overloaded.
  virtual Result<std::unique_ptr<Frames>> connect() = 0;
  // Searches files on the runner. Errors: those of hub::AgentProvider::find_files. The runner outlives the call.
  virtual Task<Result<acp::FoundFiles>> find_files(acp::FindFiles wanted) = 0;

  std::string why_not() const;  // for people: time of the disconnect, and the remedy
  acp::Offer offer{};
  std::string user{};  // hub::RunnerConnection::user
  State state = State::disconnected;
  std::string since{};  // RFC 3339, UTC
};

std::unique_ptr<hub::AgentProvider> runner_agent(Loop& loop, hub::Hub& hub, std::shared_ptr<KnownRunner> runner,
                                                 const acp::OfferedAgent& agent, const std::string& version);

// The gateway's `initialize` for all its conversations on the runner: files and terminals are the runner's own.
acp::InitializeParams runner_client(const std::string& version);

}  // namespace parlance::driver
