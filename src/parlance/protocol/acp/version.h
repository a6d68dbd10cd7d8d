// SPDX-License-Identifier: Apache-2.0
// Which version of the protocol both sides speak, and which dialect of it. Values; any thread.
//
// Only version 1 is built. What depends on the number goes through `agreed`, so that a second version is another row here and a second
// set of handlers beside the first: version 2, a draft, renames the members of `initialize` and ends a turn by an update.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace parlance::acp {

enum class Flavour : std::uint8_t { standard, iflow };

enum class Version : std::uint8_t { v1 = 1 };
inline constexpr std::array versions{Version::v1};  // the lowest first

// What a client asks for.
inline constexpr std::int64_t highest_version = static_cast<std::int64_t>(versions.back());

// What an agent answers: the same, or the highest it has; the client then goes on or leaves.
constexpr Version answered_version(std::int64_t requested) {
  const auto found = std::ranges::find(versions, requested, [](Version one) { return static_cast<std::int64_t>(one); });
  return found == versions.end() ? versions.back() : *found;
}

// What a client makes of the answer: nothing, when it cannot speak that.
constexpr std::optional<Version> agreed(std::int64_t answered) {
  const auto found = std::ranges::find(versions, answered, [](Version one) { return static_cast<std::int64_t>(one); });
  return found == versions.end() ? std::nullopt : std::optional(*found);
}

}  // namespace parlance::acp
