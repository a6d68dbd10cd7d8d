// SPDX-License-Identifier: Apache-2.0
// Editor values in the common format of the agents' protocols. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/editor/editor.h"
#include "parlance/wire/call.h"

namespace parlance::wire {

template <>
struct Describe<hub::editor::Position> {
  using Position = hub::editor::Position;
  static constexpr auto wire =
      fields(field<&Position::line>("line", "Line, counted from 0."),
             field<&Position::character>("character", "Character in the line, counted from 0 in UTF-16 units."));
};
template <>
struct Describe<hub::editor::Range> {
  using Range = hub::editor::Range;
  static constexpr auto wire = fields(field<&Range::start>("start", "First position of the range."),
                                      field<&Range::end>("end", "Position after the last character of the range."));
};

}  // namespace parlance::wire

namespace parlance::face::ide {

using hub::editor::Position;
using hub::editor::Range;
using wire::field;
using wire::fields;
using wire::Nothing;

// file:///home/ada/a%20b.cpp, and the reverse; a text other than a file URI counts as a path.
std::string file_uri(std::string_view path);
std::string path_of(std::string_view uri_or_path);

// The position of `needle` in `text`, in the editor's units; no value: not found.
std::optional<hub::editor::Position> find_text(std::string_view text, std::string_view needle);

}  // namespace parlance::face::ide
