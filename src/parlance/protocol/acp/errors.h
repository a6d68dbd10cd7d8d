// SPDX-License-Identifier: Apache-2.0
// The errors of ACP: our codes as ACP's numbers, and texts for people from received errors. Any thread.
#pragma once

#include <string>

#include "parlance/base/error.h"
#include "parlance/peer/message.h"

namespace parlance::acp {

namespace code {
inline constexpr long parse_error = -32700;
inline constexpr long invalid_request = -32600;
inline constexpr long unknown_method = -32601;
inline constexpr long invalid_params = -32602;
inline constexpr long internal = -32603;
inline constexpr long cancelled = -32800;
inline constexpr long auth_required = -32000;
inline constexpr long not_found = -32002;
}  // namespace code

// Number of an outgoing error. ACP has few: all others are internal (-32603), never -32000, which means a missing login. An
// error with its own number (jsonrpc::with_code) keeps it.
long code_of(const Error& error);

Error auth_required(std::string message = "Authentication required");
bool is_auth_required(const Error& error);
// For a router: in the words of the reference SDK, with the method as data.
Error unknown_method(std::string_view method);
// True: the error means a missing session, resource or file, by any of the numbers of known agents.
bool says_not_found(const Error& error);

// The message, followed by `data`, where some agents put the reason of an "Internal error".
std::string error_text(const Error& error);

// A complete error reply.
std::string error_reply(const RequestId& id, const Error& error);

}  // namespace parlance::acp
