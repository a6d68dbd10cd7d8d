// SPDX-License-Identifier: Apache-2.0
// Changes that are shown, and waited for. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::editor {

struct ShowDiff {
  std::string title{};
  std::string original_path{};
  std::string modified_content{};
  static constexpr auto wire = fields(field<&ShowDiff::title>("title", "Above the two sides."),
                                      field<&ShowDiff::original_path>("originalPath", "The left side: an absolute path."),
                                      field<&ShowDiff::modified_content>("modifiedContent", "The right side."));
};
struct CloseDiff {
  std::optional<std::string> original_path{};
  static constexpr auto wire = fields(field<&CloseDiff::original_path>("originalPath", "Absent: the newest."));
};
struct DiffsClosed {
  bool success = true;
  std::optional<std::uint32_t> closed{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&DiffsClosed::success>("success", doc::success), field<&DiffsClosed::closed>("closed", "How many."),
             field<&DiffsClosed::error>("error", doc::error));
};

enum class Outcome : std::uint8_t { rejected, accepted };
constexpr auto wire_names(Outcome) { return wire::names("rejected", "accepted"); }

struct OpenDiff {
  std::string path{};
  std::string new_content{};
  std::optional<std::string> title{};
  static constexpr auto wire =
      fields(field<&OpenDiff::path>("path", doc::path), field<&OpenDiff::new_content>("newContent", "All of its new content."),
             field<&OpenDiff::title>("title", "What it is for."));
};
struct DiffOutcome {
  bool success = true;
  std::optional<Outcome> outcome{};
  std::optional<std::string> final_content{};
  std::optional<bool> edited{};
  std::optional<std::string> reason{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(
      field<&DiffOutcome::success>("success", doc::success), field<&DiffOutcome::outcome>("outcome", "What the person decided."),
      field<&DiffOutcome::final_content>("finalContent", "Accepted: as it is by now."),
      field<&DiffOutcome::edited>("edited", "The person has changed the proposal."),
      field<&DiffOutcome::reason>("reason", "Rejected: by the `button`, the tab was `closed`, or it was `cancelled`."),
      field<&DiffOutcome::error>("error", doc::error));
};

}  // namespace parlance::editor
