// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error, for operations whose failure is expected: I/O, parsing, calls to a peer, the database. Exceptions
// are for bugs and for exhausted memory. Any thread.
#pragma once

#include <expected>
#include <string>
#include <type_traits>
#include <utility>

#include "parlance/base/error.h"

namespace parlance {

template <class T = void>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(Errc code, std::string message, std::string data = {}) {
  return std::unexpected(Error{.code = code, .message = std::move(message), .data = std::move(data)});
}
[[nodiscard]] inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

}  // namespace parlance

#define PARLANCE_TRY_JOIN_(a, b) a##b
#define PARLANCE_TRY_NAME_(a, b) PARLANCE_TRY_JOIN_(a, b)

// PARLANCE_TRY(rows, engine.query(sql)): `rows` is the value, or this function returns the error.
// PARLANCE_TRY_DO(engine.close()): the same without a value. PARLANCE_CO_TRY…: the same inside a coroutine.
#define PARLANCE_TRY_IMPL_(ret, tmp, name, ...)          \
  auto tmp = (__VA_ARGS__);                              \
  if (!tmp) ret std::unexpected(std::move(tmp).error()); \
  auto name = *std::move(tmp)
#define PARLANCE_TRY(name, ...) PARLANCE_TRY_IMPL_(return, PARLANCE_TRY_NAME_(try_, __COUNTER__), name, __VA_ARGS__)
#define PARLANCE_CO_TRY(name, ...) PARLANCE_TRY_IMPL_(co_return, PARLANCE_TRY_NAME_(try_, __COUNTER__), name, __VA_ARGS__)
#define PARLANCE_TRY_DO(...)                                                                              \
  do {                                                                                                    \
    if (auto try_done_ = (__VA_ARGS__); !try_done_) return std::unexpected(std::move(try_done_).error()); \
  } while (false)
#define PARLANCE_CO_TRY_DO(...)                                                                              \
  do {                                                                                                       \
    if (auto try_done_ = (__VA_ARGS__); !try_done_) co_return std::unexpected(std::move(try_done_).error()); \
  } while (false)
