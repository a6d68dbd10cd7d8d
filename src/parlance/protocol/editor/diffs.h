// SPDX-License-Identifier: Apache-2.0
// Changes that are shown, and waited for. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::wire {

template <>
struct Describe<hub::editor::ShowDiff> {
  using ShowDiff = hub::editor::ShowDiff;
  static constexpr auto wire = fields(field<&ShowDiff::title>("title", "Title above the two sides."),
                                      field<&ShowDiff::path>("originalPath", "Absolute path of the file on the left side."),
                                      field<&ShowDiff::new_content>("modifiedContent", "Complete text of the right side."));
};
template <>
struct Describe<hub::editor::OpenDiff> {
  using OpenDiff = hub::editor::OpenDiff;
  static constexpr auto wire = fields(field<&OpenDiff::path>("path", editor::doc::path),
                                      field<&OpenDiff::new_content>("newContent", "The complete proposed content of the file."),
                                      field<&OpenDiff::title>("title", "Purpose of the change, for the person.").or_absent());
};

}  // namespace parlance::wire

namespace parlance::editor {

using hub::editor::OpenDiff;
using hub::editor::ShowDiff;

struct CloseDiff {
  std::optional<std::string> original_path{};
  static constexpr auto wire = fields(
      field<&CloseDiff::original_path>("originalPath", "Absolute path of the changed file. Absent: the latest shown change."));
};
struct DiffsClosed {
  bool success = true;
  std::optional<std::uint32_t> closed{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&DiffsClosed::success>("success", doc::success),
             field<&DiffsClosed::closed>("closed", "Number of closed changes."), field<&DiffsClosed::error>("error", doc::error));
};

enum class Outcome : std::uint8_t { rejected, accepted };
constexpr auto wire_names(Outcome) { return wire::names("rejected", "accepted"); }

struct DiffOutcome {
  bool success = true;
  std::optional<Outcome> outcome{};
  std::optional<std::string> final_content{};
  std::optional<bool> edited{};
  std::optional<std::string> reason{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(
      field<&DiffOutcome::success>("success", doc::success), field<&DiffOutcome::outcome>("outcome", "Decision of the person."),
      field<&DiffOutcome::final_content>("finalContent", "With accepted: the content with the person's edits."),
      field<&DiffOutcome::edited>("edited", "True: the person edited the proposal."),
      field<&DiffOutcome::reason>(
          "reason", "With rejected: `button` (the person pressed Reject), `closed` (the tab was closed) or `cancelled`."),
      field<&DiffOutcome::error>("error", doc::error));
};

}  // namespace parlance::editor
