// SPDX-License-Identifier: Apache-2.0
// How a request to a database fails: which kind, what happened, and the facts that a program wants to test. Plain values; any thread.
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

  // What is known about it; the rest is empty.
  std::optional<int> sqlite_code{};  // primary: the low 8 bits
  std::optional<int> sqlite_extended_code{};
  std::optional<int> statement{};     // of several: which, counted from 1
  std::optional<int> statements{};    // how many there were
  std::optional<int> offset{};        // of the trouble in the statement's text, bytes
  std::optional<std::int64_t> row{};  // of the page, counted from 0
  std::string column{};
  std::string value{};
  std::string path{};  // as it was asked for
  std::string hint{};  // a word for programs that offer help: "hot-journal", "wal-readonly-directory"
};

template <class T = void>
using Outcome = std::expected<T, Failure>;

[[nodiscard]] inline std::unexpected<Failure> fail(Fault fault, std::string message) {
  return std::unexpected(Failure{.fault = fault, .message = std::move(message)});
}

// What the connection says about the call that failed just now.
Failure sql_failure(sqlite3* handle, int code);

}  // namespace parlance::sqlite
