// SPDX-License-Identifier: Apache-2.0
// ACP's rules on top of JSON-RPC, as the reference SDK keeps them:
// - no batches; what is no message is answered with a null id, and the connection stays open;
// - an agent is asked nothing before it has answered `initialize`;
// - ids are numbers (0 is common), text, or null, and a request whose id is null is answered with null;
// - a result may be null, and then has no members;
// - a request is cancelled by $/cancel_request, either way, and still gets its answer;
// - `session/cancel` comes with an id as well (method::cancel_request);
// - a client passes over lines that are no message until `initialize` was answered: some programs print a banner first.
// iFlow's dialect besides: text that begins with // is no message. //ready is the notice method::iflow_ready, all others mean nothing.
// Sans-I/O; loop thread only.
#pragma once

#include <memory>

#include "parlance/peer/dialect.h"
#include "parlance/protocol/acp/version.h"

namespace parlance::acp {

enum class Side : std::uint8_t { client, agent };

std::unique_ptr<Dialect> dialect(Side side, Flavour flavour = Flavour::standard);

}  // namespace parlance::acp
