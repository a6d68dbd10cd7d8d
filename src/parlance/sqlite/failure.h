// SPDX-License-Identifier: Apache-2.0
// The failure of a request to a database: kind, message, and facts for programs. Plain values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;

namespace parlance::sqlite {

enum class Fault : std::uint8_t {
  invalid_request,
  path_not_allowed,
  open_failed,
  sql_error,
  not_readonly,
  invalid_number,
  timeout,
  cancelled,
  internal,
};
inline constexpr std::array all_faults{Fault::invalid_request, Fault::path_not_allowed, Fault::open_failed,
                                       Fault::sql_error,       Fault::not_readonly,     Fault::invalid_number,
                                       Fault::timeout,         Fault::cancelled,        Fault::internal};

struct Failure {
  Fault fault = Fault::internal;
  std::string message{};

  // Known facts; all others are empty.
  std::optional<int> sqlite_code{};  // Primary: the low 8 bits.
  std::optional<int> sqlite_extended_code{};
  std::optional<int> statement{};     // Position among several statements, counted from 1.
  std::optional<int> statements{};    // Number of statements.
  std::optional<int> offset{};        // Position of the fault in the statement's text, in bytes.
  std::optional<std::int64_t> row{};  // Row of the page, counted from 0.
  std::string column{};
  std::string value{};
  std::string path{};  // As given in the request.
  std::string hint{};  // Word for programs that offer help: "hot-journal", "wal-readonly-directory".
};

template <class T = void>
using Outcome = std::expected<T, Failure>;

[[nodiscard]] inline std::unexpected<Failure> fail(Fault fault, std::string message) {
  return std::unexpected(Failure{.fault = fault, .message = std::move(message)});
}

// The connection's report of the failed call.
Failure sql_failure(sqlite3* handle, int code);

}  // namespace parlance::sqlite
