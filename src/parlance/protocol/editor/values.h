// SPDX-License-Identifier: Apache-2.0
// What messages of the bridge are made of. Lines and characters count from 0, characters in units of UTF-16. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::editor {

using wire::field;
using wire::fields;
using wire::Nullable;
using wire::Raw;

namespace doc {
inline constexpr std::string_view success = "False: the editor cannot do it now; `error` says why, and nothing else is there.";
inline constexpr std::string_view error = "In words for people.";
inline constexpr std::string_view path = "An absolute path.";
}  // namespace doc

struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  static constexpr auto wire =
      fields(field<&Position::line>("line", "From 0."), field<&Position::character>("character", "From 0, in units of UTF-16."));
};
struct Range {
  Position start{};
  Position end{};
  static constexpr auto wire = fields(field<&Range::start>("start", "The first."), field<&Range::end>("end", "Behind the last."));
};

// Results of calls that only succeed or fail.
struct Done {
  bool success = true;
  std::optional<std::string> message{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Done::success>("success", doc::success),
             field<&Done::message>("message", "What was done, in words for people."), field<&Done::error>("error", doc::error));
};

struct OfPath {
  std::string path{};
  static constexpr auto wire = fields(field<&OfPath::path>("path", doc::path));
};

}  // namespace parlance::editor
