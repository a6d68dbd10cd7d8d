// SPDX-License-Identifier: Apache-2.0
// A client's way to a server over HTTP and server-sent events as 2024-11-05 had them: one stream brings all that the server says, its
// first event names the address that messages are posted to. Streamable HTTP (http_link.h) came in its place. Loop thread only.
#pragma once

#include <memory>

#include "parlance/protocol/mcp/http_link.h"
#include "parlance/transport/frames.h"

namespace parlance::mcp {

// For a Client of the legacy era. They connect at once, and end with an error when the stream ends: what it brought is lost with it,
// because these servers know no way to come back.
std::unique_ptr<Frames> sse_frames(Loop& loop, HttpLinkSettings settings);

// Where messages go, as the server named it: relative to `stream`, and on the same server (others might be made to do what the
// caller may do there). Errors: denied.
Result<std::string> sse_endpoint(std::string_view stream, std::string_view named);

}  // namespace parlance::mcp
