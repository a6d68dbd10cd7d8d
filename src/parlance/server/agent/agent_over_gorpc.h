// SPDX-License-Identifier: Apache-2.0
// Serves our agent, its memory and its counts over Go net/rpc, under both service names. Loop thread only. Referenced objects
// outlive the router, and the agent outlives the streams, because kept Chats run there.
#pragma once

#include "parlance/agent/agent.h"
#include "parlance/memory/store.h"
#include "parlance/peer/router.h"
#include "parlance/server/agent/chat_streams.h"
#include "parlance/store/chat_counts.h"

namespace parlance::server {

struct ServedAgent {
  Loop& loop;
  agent::ChatAgent* agent = nullptr;  // null: every Chat is answered "agent not initialized"
  memory::Store* memory = nullptr;    // null: "storage not initialized", "memory store not initialized"
  ChatStreams& streams;
  store::ChatCounts* counts = nullptr;  // null: Stats counts since the start of this process
};

void serve_agent(Router& router, ServedAgent served);

}  // namespace parlance::server
