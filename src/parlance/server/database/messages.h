// SPDX-License-Identifier: Apache-2.0
// What a page hears on the connection of a database beside the helper's own answers, and the list to choose from. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/describe.h"

namespace parlance::server {

// Told apart from an answer of the helper by `event`; an answer has an `id`.
struct DatabaseEvent {
  std::string event{};
  std::optional<std::string> path{};
  std::optional<std::string> error{};
  static constexpr auto wire = wire::fields(
      wire::field<&DatabaseEvent::event>(
          "event",
          "opened: it can be asked; refused: it cannot, and why; changed: somebody wrote to the file; ended: the helper died."),
      wire::field<&DatabaseEvent::path>("path", "Of opened: the file, without symlinks."),
      wire::field<&DatabaseEvent::error>("error", "Of refused and ended: why, and what to do."));
};

struct OfferedMessage {
  std::string path{};
  std::uint64_t bytes = 0;
  bool named = false;
  static constexpr auto wire = wire::fields(wire::field<&OfferedMessage::path>("path", "The file."),
                                            wire::field<&OfferedMessage::bytes>("bytes", "Its size."),
                                            wire::field<&OfferedMessage::named>("named", "By the setting `databases`."));
};

struct OfferedList {
  std::vector<OfferedMessage> databases{};
  static constexpr auto wire = wire::fields(
      wire::field<&OfferedList::databases>("databases", "Named ones first, then those in folders of conversations."));
};

}  // namespace parlance::server
