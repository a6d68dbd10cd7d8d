// SPDX-License-Identifier: Apache-2.0
// What the editor tells, in the shape that its protocols for agents share. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/editor/editor.h"
#include "parlance/wire/call.h"

namespace parlance::face::ide {

using wire::field;
using wire::fields;
using wire::Nothing;

struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  static constexpr auto wire =
      fields(field<&Position::line>("line", "Line, counted from 0."),
             field<&Position::character>("character", "Character in the line, counted from 0 in UTF-16 units."));
};
struct Range {
  Position start{};
  Position end{};
  static constexpr auto wire = fields(field<&Range::start>("start", "First position of the range."),
                                      field<&Range::end>("end", "Position after the last character of the range."));
};

Position to_wire(const hub::editor::Position& at);
Range to_wire(const hub::editor::Range& range);

// file:///home/ada/a%20b.cpp, and back; what is no file URI is taken for a path.
std::string file_uri(std::string_view path);
std::string path_of(std::string_view uri_or_path);

// Where `needle` begins in `text`, as an editor counts; nothing when it is not there.
std::optional<hub::editor::Position> find_text(std::string_view text, std::string_view needle);

}  // namespace parlance::face::ide
