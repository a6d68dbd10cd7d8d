// SPDX-License-Identifier: Apache-2.0
// What one connection of a client serves and asks beside ACP. Loop thread only; outlives the connection.
#pragma once

#include "parlance/face/acp/client.h"
#include "parlance/peer/router.h"

namespace parlance::face {

class AcpExtension {
 public:
  virtual void serve(Router& router, AcpClient& client) = 0;  // before anything was read
  virtual Task<void> begin(Peer& peer) = 0;                   // beside the reading; ends with the connection

 protected:
  ~AcpExtension() = default;
};

}  // namespace parlance::face
