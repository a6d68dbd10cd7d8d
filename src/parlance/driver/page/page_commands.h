// SPDX-License-Identifier: Apache-2.0
// Commands of the hub as requests of the page's protocol. Loop thread only.
#pragma once

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/driver/page/gateway_connection.h"
#include "parlance/driver/page/gateway_copy.h"
#include "parlance/hub/conversation/command.h"

namespace parlance::driver {

// Sends the command, and puts the rows of the answer into the copy. Errors: those of GatewayConnection::call (after `failed` the
// command may have run), unknown_method (the protocol lacks the command).
Task<Result<hub::Prompted>> execute_at(GatewayConnection& gateway, GatewayCopy& copy, hub::Submission from);

}  // namespace parlance::driver
