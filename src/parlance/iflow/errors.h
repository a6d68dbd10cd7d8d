// SPDX-License-Identifier: Apache-2.0
// The error kinds of the iFlow SDK, which programs for this SDK distinguish. An error of this folder is a parlance::Error whose
// data names its kind; other errors get the kind of their code. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/wire/describe.h"

namespace parlance::iflow {

enum class ErrorKind : std::uint8_t {
  general,             // none of the others
  timeout,             // a connection or an operation took too long
  json_decode,         // invalid JSON
  not_installed,       // iFlow is not installed
  process,             // the program did not start, or ended
  port_not_available,  // all permitted ports are taken
  connection,          // no connection, or not any more
  transport,           // the connection broke
  permission,          // a forbidden file or tool
  validation,          // invalid arguments
  protocol,            // the agent refused, or broke the protocol
  authentication       // the sign-in failed
};
constexpr auto wire_names(ErrorKind) {
  return wire::names("IFlowError", "TimeoutError", "JSONDecodeError", "IFlowNotInstalledError", "IFlowProcessError",
                     "PortNotAvailableError", "ConnectionError", "TransportError", "PermissionError", "ValidationError",
                     "ProtocolError", "AuthenticationError");
}

// `details_json`: a JSON object, or empty.
Error make_error(ErrorKind kind, std::string message, std::string_view details_json = {});
// The same error with this kind; its earlier data is kept under "data".
Error as_kind(ErrorKind kind, Error error);
ErrorKind kind_of(const Error& error);
// The agent's code, or -1.
long code_of(const Error& error);

}  // namespace parlance::iflow
