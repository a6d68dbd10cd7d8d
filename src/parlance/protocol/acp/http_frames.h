// SPDX-License-Identifier: Apache-2.0
// A client's connection to an agent over HTTP and server-sent events, as in the reference SDK's remote transport:
//
//   POST initialize                     200, its answer, Acp-Connection-Id
//   POST any other message              202; a stream carries the answer
//   GET                                 the stream of the connection
//   GET with Acp-Session-Id             the stream of that session, fetched as soon as the session is known
//   DELETE                              ends the connection
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

// The frames connect with the first message, which must be `initialize`. A refused request fails alone, with status and reason;
// so do requests of a session whose stream ends. After 401, 403, 404 and 410, or without a reachable agent, the connection ends.
// Open requests then fail, although the agent may have acted on a message. `finish` reports the end to the agent, `close` does
// not. A slow reader makes the agent wait.
std::unique_ptr<Frames> http_frames(Loop& loop, std::string url, std::vector<HttpHeader> headers = {});

}  // namespace parlance::acp
