// SPDX-License-Identifier: Apache-2.0
// Revisions of the protocol and their two eras. Up to 2025-11-25, a connection begins with `initialize` and has state.
// 2026-07-28 has no handshake, and every request has an envelope in `_meta`. Also the error codes of this protocol. Values; any
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/protocol/mcp/messages.h"

namespace parlance::mcp {

enum class Era : std::uint8_t { undecided, legacy, modern };

inline constexpr std::string_view modern_version = "2026-07-28";
// Newest first.
inline constexpr std::array<std::string_view, 5> legacy_versions{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05",
                                                                 "2024-10-07"};
// Revision of an HTTP request without MCP-Protocol-Version.
inline constexpr std::string_view version_without_header = "2025-03-26";
bool is_legacy_version(std::string_view version);
// The revision in the reply to `initialize`. For 2025-03-26 the previous revision: only 2025-03-26 requires JSON-RPC batches. Its
// clients know both revisions and send no batches. For an unknown revision the newest.
std::string_view answered_version(std::string_view requested);

namespace code {
inline constexpr long resource_not_found = -32002;  // legacy; modern servers return invalid_params.
inline constexpr long invalid_params = -32602;
inline constexpr long method_not_found = -32601;
inline constexpr long invalid_request = -32600;
inline constexpr long parse_error = -32700;
inline constexpr long url_elicitation_required = -32042;  // 2025-11-25
inline constexpr long header_mismatch = -32020;           // These three: 2026-07-28.
inline constexpr long missing_capability = -32021;
inline constexpr long unsupported_version = -32022;
}  // namespace code

// Lists the supported revisions, so that the client can try again.
Error unsupported_version(std::string_view requested);
// A handler needs an undeclared capability of the client: {"requiredCapabilities":{"sampling":{}}}.
Error missing_capability(std::string_view name);

// Reads `_meta`; absent is empty. Errors: invalid_params with the place.
Result<Meta> read_meta(const Raw& meta);
// Required members of a request of 2026-07-28.
Result<void> check_envelope(const Meta& meta);

// Log levels of RFC 5424, from debug to emergency; -1 for unknown text.
int log_severity(std::string_view level);

}  // namespace parlance::mcp
