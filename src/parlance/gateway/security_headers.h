// SPDX-License-Identifier: Apache-2.0
// Security headers of every answer: a browser loads scripts, styles and frames of this server only. Values; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "parlance/transport/http/http_client.h"

namespace parlance::gateway {

// Adds each header that the handler has not set. `host`: the checked Host header, for the policy of HTML pages, because older Safari
// does not count ws://HOST as 'self'; empty: without addresses for WebSockets.
void add_security_headers(std::vector<HttpHeader>& headers, std::string_view host);

}  // namespace parlance::gateway
