// SPDX-License-Identifier: Apache-2.0
// The client of a connection with its capabilities. A value except for the peer; the peer must outlive the value.
#pragma once

#include <string>

#include "parlance/peer/peer.h"
#include "parlance/protocol/acp/version.h"

namespace parlance::face {

struct AcpClient {
  Peer& peer;
  acp::Flavour flavour = acp::Flavour::standard;
  std::string name{"editor"};  // author of its answers
  struct Shown {
    bool forms = false;  // elicitation
    bool boolean_options = false;
    bool notices = false;
  };
  Shown shows{};
  struct Files {  // of its editor
    bool reads = false;
    bool writes = false;
  };
  Files files{};
  // Without a page as second frontend: requests that the client does not support are refused, to avoid an endless wait.
  bool alone = true;
  // The gateway of a runner makes the decisions: such a client receives the intent of each call besides its display
  // (protocol/acp/runner.h).
  bool decides = false;

  bool iflow() const { return flavour == acp::Flavour::iflow; }
};

}  // namespace parlance::face
