// SPDX-License-Identifier: Apache-2.0
// Limits of oauth, each with name, unit and reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t oauth_body_bytes = 256 << 10;   // Bytes of a document or a token answer; real ones have some kB.
inline constexpr std::size_t oauth_header_bytes = 16 << 10;  // Bytes of all WWW-Authenticate headers of a response.
inline constexpr std::size_t oauth_parameters = 64;          // Parameters of a challenge.
inline constexpr std::size_t oauth_url_bytes = 8 << 10;      // Bytes of an address in a document or header.
inline constexpr std::size_t oauth_scopes = 256;             // Scopes of a login.
inline constexpr std::size_t oauth_file_bytes = 256 << 10;   // Bytes of a file with a login.
inline constexpr auto oauth_request_time = 20s;              // For an answer of an authorization server.
inline constexpr auto oauth_lock_interval = 100ms;           // Between attempts to lock a login that another program refreshes.
inline constexpr auto oauth_login_time = 10min;              // For a person to log in in the browser.
inline constexpr auto oauth_early = 30s;                     // A token is refreshed this long before its end: clocks differ.
inline constexpr int oauth_redirects = 3;                    // Redirects of a document. Token requests follow none.
inline constexpr int oauth_logins = 3;                       // Logins of one connection, against servers that refuse every token.

}  // namespace parlance::limits
