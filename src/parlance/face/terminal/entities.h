// SPDX-License-Identifier: Apache-2.0
// Character references of HTML that models write in Markdown. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parlance::face {

// The longest reference that is decoded, from `&` to `;`.
inline constexpr std::size_t entity_bytes = 10;

// The text of a reference such as `&amp;`, `&#39;` or `&#x2014;`; null for others, and for controls and hidden characters.
std::optional<std::string> decoded_entity(std::string_view reference);

}  // namespace parlance::face
