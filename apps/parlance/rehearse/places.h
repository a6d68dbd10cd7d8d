// SPDX-License-Identifier: Apache-2.0
// Places in a text as editors count them: lines from 0, characters in units of UTF-16. Offsets are bytes. Any thread.
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
// Nothing: there is no such line, or it is shorter. Inside of a character it is the place before it.
std::optional<std::size_t> offset_of(std::string_view text, const hub::editor::Position& position);

// Lines from 1, the last one with it.
std::string lines_between(std::string_view text, std::uint32_t first, std::optional<std::uint32_t> last);

// All edits count in `text` as it is. Errors: failed, with the place that is not there, or where two of them overlap.
Result<std::string> edited(std::string_view text, const std::vector<hub::editor::TextEdit>& edits);

}  // namespace parlance::app
