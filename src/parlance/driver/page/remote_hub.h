// SPDX-License-Identifier: Apache-2.0
// A hub for the conversations and agents of a gateway: frontends use it like a local hub. Joins a GatewayStore with a Hub, and
// adds the gateway's agents. Loop thread only; the loop must outlive the object.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parlance/driver/page/gateway_store.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/hub.h"

namespace parlance::driver {

class RemoteHub {
 public:
  // `settings`: the members for agents and services are set by this class.
  RemoteHub(Loop& loop, GatewayStoreSettings settings);

  // Connects. Errors: those of the connection. Call once, before all else.
  Task<Result<void>> start();
  hub::Hub& hub() { return hub_; }
  // The remote form of Hub::search: the gateway searches the readable conversations. Errors: those of the connection, and of the
  // gateway.
  Task<Result<std::vector<hub::SearchHit>>> search(std::string words);
  // The remote form of Hub::spent: in readable conversations, with the day of the gateway. Errors: as above.
  Task<Result<hub::SpendingReport>> spent(std::string since);
  // For requests of the page without a form in hub::Hub: GatewayStore::request and GatewayStore::change.
  GatewayStore& store() { return store_; }
  const GatewayCopy& copy() const { return store_.copy(); }

 private:
  class RemoteAgent;
  void agent_changed(const hub::AgentInfo& agent);

  GatewayStore store_;
  hub::Hub hub_;
};

}  // namespace parlance::driver
