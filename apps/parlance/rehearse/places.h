// SPDX-License-Identifier: Apache-2.0
// Positions in a text in the form of editors: lines from 0, characters in UTF-16 units. Offsets are bytes. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/editor/editor.h"

namespace parlance::app {

std::uint32_t line_count(std::string_view text);
hub::editor::Position position_of(std::string_view text, std::size_t offset);
// Nothing: no such line or character. Inside a character: the position before the character.
std::optional<std::size_t> offset_of(std::string_view text, const hub::editor::Position& position);

// Lines from 1, including the last.
std::string lines_between(std::string_view text, std::uint32_t first, std::optional<std::uint32_t> last);

// All positions refer to the original `text`. Errors: failed, for a missing position or an overlap.
Result<std::string> edited(std::string_view text, const std::vector<hub::editor::TextEdit>& edits);

}  // namespace parlance::app
