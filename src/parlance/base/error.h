// SPDX-License-Identifier: Apache-2.0
// How failure is told: a code that says what the caller can do, and a sentence that says what happened and where.
// Values; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace parlance {

// Named after what the caller can do next, not after where it went wrong.
enum class Errc {
  // Do not retry as it is.
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
  // The caller asked for it.
  cancelled,
  // A bug on the answering side.
  internal,
};

inline constexpr std::array all_error_codes{
    Errc::invalid_request, Errc::invalid_params, Errc::unknown_method,    Errc::denied,    Errc::not_found, Errc::failed,
    Errc::overloaded,      Errc::disconnected,   Errc::deadline_exceeded, Errc::cancelled, Errc::internal};

std::string_view to_string(Errc code);
std::optional<Errc> error_code_named(std::string_view name);  // as to_string names it

struct Error {
  Errc code = Errc::failed;
  std::string message;
  std::string data{};  // A JSON document for programs, or empty. Text here, because base knows no JSON.

  // Puts what was being done in front: "preview: no such table: orders".
  [[nodiscard]] Error in(std::string_view doing) const&;
  [[nodiscard]] Error in(std::string_view doing) &&;

  friend bool operator==(const Error&, const Error&) = default;
};

// An error from errno, with the call and the object that failed: "open /tmp/x: Permission denied".
Error system_error(std::string_view doing, int errno_value);

}  // namespace parlance
