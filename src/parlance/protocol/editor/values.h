// SPDX-License-Identifier: Apache-2.0
// Common values of bridge messages. Values that the hub knows too are its own types, described here for the wire. Lines and
// characters count from 0, characters in UTF-16 units. Values; any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/hub/editor/values.h"
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

namespace parlance::editor {

using hub::editor::Position;
using hub::editor::Range;
using wire::field;
using wire::fields;
using wire::Nullable;
using wire::Raw;

namespace doc {
inline constexpr std::string_view success =
    "False: the operation failed. `error` has the reason, and all other members are absent.";
inline constexpr std::string_view error = "Reason of the failure, for people.";
inline constexpr std::string_view path = "Absolute path of the file.";
}  // namespace doc

// Results of calls that only succeed or fail.
struct Done {
  bool success = true;
  std::optional<std::string> message{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Done::success>("success", doc::success),
             field<&Done::message>("message", "Result of the operation, for people."), field<&Done::error>("error", doc::error));
};

struct OfPath {
  std::string path{};
  static constexpr auto wire = fields(field<&OfPath::path>("path", doc::path));
};

}  // namespace parlance::editor
