// SPDX-License-Identifier: Apache-2.0
// What every answer tells a browser to refrain from. Values; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "parlance/transport/http/http_client.h"

namespace parlance::gateway {

// Adds what the handler did not set itself. `host` is the checked Host header: it goes into the policy of HTML pages, because older
// Safari does not count ws://HOST as 'self'.
void add_security_headers(std::vector<HttpHeader>& headers, std::string_view host);

}  // namespace parlance::gateway
