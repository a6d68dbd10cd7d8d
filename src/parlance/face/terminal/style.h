// SPDX-License-Identifier: Apache-2.0
// Colours and styles of text in a terminal. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parlance::face {

enum class Ink { bold, dim, code, added, removed };

// `text` with the escape sequences of `ink`, or unchanged without colours. `text` holds no control characters.
std::string inked(std::string_view text, Ink ink, bool colours);

// A set of styles, one bit each. 0 is plain text.
using Styles = std::uint8_t;
namespace styles {
inline constexpr Styles bold = 1;
inline constexpr Styles dim = 2;
inline constexpr Styles italic = 4;
inline constexpr Styles struck = 8;
inline constexpr Styles code = 16;
}  // namespace styles

// The escape sequence that begins these styles after a reset; empty for 0.
std::string begin_styles(Styles wanted);
inline constexpr std::string_view end_styles = "\x1b[0m";

struct StyledText {
  std::string text;
  Styles style = 0;
};

}  // namespace parlance::face
