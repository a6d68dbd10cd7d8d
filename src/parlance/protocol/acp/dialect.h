// SPDX-License-Identifier: Apache-2.0
// ACP's rules on top of JSON-RPC, as in the reference SDK:
// - Batches are refused. A malformed message is answered with a null id, and the connection stays open.
// - An agent receives no request before its answer to `initialize`.
// - Ids are numbers (0 is common), text or null. A request with a null id is answered with null.
// - A result may be null, and then has no members.
// - $/cancel_request cancels a request in both directions. The request still gets an answer.
// - `session/cancel` also occurs with an id (method::cancel_request).
// - Until the answer to `initialize`, a client skips lines without a message, because some programs print a banner. In iFlow's
//   dialect, text that begins with // is no message. //ready is the notice method::iflow_ready; all other such lines have no
//   effect. Sans-I/O; loop thread only.
#pragma once

#include <memory>

#include "parlance/peer/dialect.h"
#include "parlance/protocol/acp/version.h"

namespace parlance::acp {

enum class Side : std::uint8_t { client, agent };

std::unique_ptr<Dialect> dialect(Side side, Flavour flavour = Flavour::standard);

}  // namespace parlance::acp
