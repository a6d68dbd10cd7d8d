// SPDX-License-Identifier: Apache-2.0
// A client's way to an agent over HTTP and server-sent events, as the reference SDK's remote transport speaks it:
//
//   POST initialize                     200, its answer, Acp-Connection-Id
//   POST any other message              202; what is answered to it comes in a stream
//   GET                                 the stream of the connection
//   GET with Acp-Session-Id             the stream of that session, fetched as soon as the session is known
//   DELETE                              the connection is over
//
// Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/transport/frames.h"
#include "parlance/transport/http/http_message.h"

namespace parlance::acp {

// They connect with the first message, which must be `initialize`. A request that the agent refuses fails alone, with the status and what
// the agent said of it; so do those of a session whose stream ends. With 401, 403, 404 and 410, and when the agent cannot be reached, the
// connection is over: what has not been answered fails, and a message may have been acted on all the same. `finish` tells the agent that
// the connection is over, `close` does not. A reader that does not read makes the agent wait.
std::unique_ptr<Frames> http_frames(Loop& loop, std::string url, std::vector<HttpHeader> headers = {});

}  // namespace parlance::acp
