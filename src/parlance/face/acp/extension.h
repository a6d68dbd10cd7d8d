// SPDX-License-Identifier: Apache-2.0
// Further methods of a client's connection beside ACP. Loop thread only; must outlive the connection.
#pragma once

#include "parlance/face/acp/client.h"
#include "parlance/peer/router.h"

namespace parlance::face {

class AcpExtension {
 public:
  virtual void serve(Router& router, AcpClient& client) = 0;  // before the first read
  virtual Task<void> begin(Peer& peer) = 0;                   // in parallel to the reads; ends with the connection

 protected:
  ~AcpExtension() = default;
};

}  // namespace parlance::face
