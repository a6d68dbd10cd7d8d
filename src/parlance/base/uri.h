// SPDX-License-Identifier: Apache-2.0
// URIs (RFC 3986): percent coding, query strings, and the parts of an address. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parlance {

std::string percent_encode(std::string_view text);                 // Encodes all but the unreserved characters.
std::optional<std::string> percent_decode(std::string_view text);  // Absent: an escape is malformed.

struct QueryParameters {
  std::vector<std::pair<std::string, std::string>> items;
  const std::string* find(std::string_view name) const;  // The first value of this name.
};
// "a=1&b=x%20y"; '+' is a blank. Pairs with malformed escapes stay unchanged.
QueryParameters parse_query(std::string_view text);

// "127.0.0.1:55003", "[::1]:80", "localhost:0". Absent: no port, or a port outside of 0 to 65535.
struct HostPort {
  std::string host;
  unsigned short port = 0;
};
std::optional<HostPort> parse_host_port(std::string_view text);
// True for 127.0.0.0/8 as four numbers, ::1 and localhost. False for "127.evil.example": attackers can register such names.
bool is_loopback(std::string_view host);

}  // namespace parlance
