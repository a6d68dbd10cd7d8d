// SPDX-License-Identifier: Apache-2.0
// Errors: a code that determines the caller's next step, and a sentence with the cause and its place. Values; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace parlance {

// Codes are named after the caller's next step, not after the place of the failure.
enum class Errc {
  // Do not retry unchanged.
  invalid_request,
  invalid_params,
  unknown_method,
  denied,
  not_found,
  failed,
  // The same call may succeed later.
  overloaded,
  disconnected,
  deadline_exceeded,
  // The caller cancelled the call.
  cancelled,
  // A bug of the answering side.
  internal,
};

inline constexpr std::array all_error_codes{
    Errc::invalid_request, Errc::invalid_params, Errc::unknown_method,    Errc::denied,    Errc::not_found, Errc::failed,
    Errc::overloaded,      Errc::disconnected,   Errc::deadline_exceeded, Errc::cancelled, Errc::internal};

std::string_view to_string(Errc code);
std::optional<Errc> error_code_named(std::string_view name);  // As named by to_string.

struct Error {
  Errc code = Errc::failed;
  std::string message;
  std::string data{};  // A JSON document for programs, or empty. Kept as text, because base has no JSON.

  // Puts the failed operation in front: "preview: no such table: orders".
  [[nodiscard]] Error in(std::string_view doing) const&;
  [[nodiscard]] Error in(std::string_view doing) &&;

  friend bool operator==(const Error&, const Error&) = default;
};

// An error from errno, with the failed call and its object: "open /tmp/x: Permission denied".
Error system_error(std::string_view doing, int errno_value);

}  // namespace parlance
