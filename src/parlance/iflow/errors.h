// SPDX-License-Identifier: Apache-2.0
// The kinds of error of the iFlow SDK, which programs that come from there tell apart. An error of this folder is a parlance::Error whose
// data names its kind; one from below gets the kind that its code means. Any thread.
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
  json_decode,         // what came is no JSON
  not_installed,       // there is no iFlow on this machine
  process,             // it did not start, or ended
  port_not_available,  // all ports that may be used are taken
  connection,          // no connection, or not any more
  transport,           // the connection broke
  permission,          // a file or a tool that may not be used
  validation,          // what was given makes no sense
  protocol,            // the agent refused, or said what it may not
  authentication       // the sign-in failed
};
constexpr auto wire_names(ErrorKind) {
  return wire::names("IFlowError", "TimeoutError", "JSONDecodeError", "IFlowNotInstalledError", "IFlowProcessError",
                     "PortNotAvailableError", "ConnectionError", "TransportError", "PermissionError", "ValidationError",
                     "ProtocolError", "AuthenticationError");
}

// `details_json`: a JSON object, or empty.
Error make_error(ErrorKind kind, std::string message, std::string_view details_json = {});
// The same error, of that kind; what its data said is kept under "data".
Error as_kind(ErrorKind kind, Error error);
ErrorKind kind_of(const Error& error);
// The number that the agent gave, or -1.
long code_of(const Error& error);

}  // namespace parlance::iflow
