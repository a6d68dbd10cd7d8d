// SPDX-License-Identifier: Apache-2.0
// The errors of ACP: our codes with its numbers, and what a person is told of one that came in. Any thread.
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

// The number of an error that goes out. ACP has few: what it has no number for is internal (-32603), never -32000, which asks for a
// sign-in. An error with a number of its own (jsonrpc::with_code) keeps it.
long code_of(const Error& error);

Error auth_required(std::string message = "Authentication required");
bool is_auth_required(const Error& error);
// For a router: as the reference SDK words it, and with the method as data.
Error unknown_method(std::string_view method);
// That session, resource or file is not there, by any of the numbers that agents use for it.
bool says_not_found(const Error& error);

// The message, and behind it what agents put into `data` when their message is only "Internal error".
std::string told(const Error& error);

// A whole reply that is an error.
std::string error_reply(const RequestId& id, const Error& error);

}  // namespace parlance::acp
