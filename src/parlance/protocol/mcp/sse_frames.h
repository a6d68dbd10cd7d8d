// SPDX-License-Identifier: Apache-2.0
// A client's connection to a server over HTTP and server-sent events in the form of 2024-11-05: a stream carries all messages of
// the server. Its first event names the address for POSTs. Streamable HTTP (http_link.h) replaced it. Loop thread only.
#pragma once

#include <memory>

#include "parlance/protocol/mcp/http_link.h"
#include "parlance/transport/frames.h"

namespace parlance::mcp {

// For a Client of the legacy era. The frames connect at once. The end of the stream is an error, because these servers support
// no reconnect.
std::unique_ptr<Frames> sse_frames(Loop& loop, HttpLinkSettings settings);

// The address for messages, relative to `stream` and on the same server (otherwise the caller's rights could be abused
// elsewhere). Errors: denied.
Result<std::string> sse_endpoint(std::string_view stream, std::string_view named);

}  // namespace parlance::mcp
