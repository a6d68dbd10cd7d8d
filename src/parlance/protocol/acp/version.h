// SPDX-License-Identifier: Apache-2.0
// Version and dialect of the protocol. Values; any thread.
//
// Only version 1 is implemented. Code that depends on the number goes through `agreed`. A second version therefore needs another
// row here and a second set of handlers. Version 2, a draft, renames members of `initialize` and ends a turn with an update.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace parlance::acp {

enum class Flavour : std::uint8_t { standard, iflow };

enum class Version : std::uint8_t { v1 = 1 };
inline constexpr std::array versions{Version::v1};  // The lowest first.

// The version that a client requests.
inline constexpr std::int64_t highest_version = static_cast<std::int64_t>(versions.back());

// The answer of an agent: the same version, or its highest. The client then continues or disconnects.
constexpr Version answered_version(std::int64_t requested) {
  const auto found = std::ranges::find(versions, requested, [](Version version) { return static_cast<std::int64_t>(version); });
  return found == versions.end() ? versions.back() : *found;
}

// The client's reading of the answer. Absent: an unsupported version.
constexpr std::optional<Version> agreed(std::int64_t answered) {
  const auto found = std::ranges::find(versions, answered, [](Version version) { return static_cast<std::int64_t>(version); });
  return found == versions.end() ? std::nullopt : std::optional(*found);
}

}  // namespace parlance::acp
