// SPDX-License-Identifier: Apache-2.0
// The client at the other end of one connection, as far as a session of its needs to know it. A value but for the peer, which outlives it.
#pragma once

#include <string>

#include "parlance/peer/peer.h"
#include "parlance/protocol/acp/version.h"

namespace parlance::face {

struct AcpClient {
  Peer& peer;
  acp::Flavour flavour = acp::Flavour::standard;
  std::string name{"editor"};  // in whose name its answers are given
  bool forms = false;          // shows forms (elicitation)
  bool booleans = false;       // shows options that are true or false
  bool notices = false;        // shows notices
  bool reads = false;          // has files of its own to be read …
  bool writes = false;         // … and written
  // Where no page can answer in its place: what it cannot be asked is refused, since it would wait for ever.
  bool alone = true;
  // A program of ours that works through a gateway: it hears where in the conversation it is (protocol/acp/gateway.h).
  bool positions = false;
  // The gateway of a runner, which decides: it hears what a call would do, and not only how that reads (protocol/acp/runner.h).
  bool decides = false;

  bool iflow() const { return flavour == acp::Flavour::iflow; }
};

}  // namespace parlance::face
