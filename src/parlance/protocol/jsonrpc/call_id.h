// SPDX-License-Identifier: Apache-2.0
// Our calls have numbers as ids. Some servers return the number as text ("7") or as a fraction (7.0). JSON-RPC forbids both, and the
// SDKs of TypeScript and Python accept them. Values; any thread.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace parlance::jsonrpc {

// The number in the id of a reply: 7, "7" and 7.0 are 7. Empty: the id belongs to no call of ours.
inline std::optional<std::uint64_t> call_number(std::string_view id_json) {
  if (id_json.size() > 2 && id_json.front() == '"' && id_json.back() == '"') id_json = id_json.substr(1, id_json.size() - 2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id_json.data(), id_json.data() + id_json.size(), number);
  if (error != std::errc{} || end == id_json.data()) return std::nullopt;
  const std::string_view rest = id_json.substr(static_cast<std::size_t>(end - id_json.data()));
  const bool is_zero_fraction =
      rest.size() > 1 && rest.front() == '.' && rest.find_first_not_of('0', 1) == std::string_view::npos;
  return rest.empty() || is_zero_fraction ? std::optional(number) : std::nullopt;
}

}  // namespace parlance::jsonrpc
