// SPDX-License-Identifier: Apache-2.0
// Events that the gateway adds to the helper's answers on a page's connection to a database, and the list of offered databases.
// Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/describe.h"

namespace parlance::server {

// Has a member `event`; answers of the helper have an `id` instead.
struct DatabaseEvent {
  std::string event{};
  std::optional<std::string> path{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      wire::fields(wire::field<&DatabaseEvent::event>(
                       "event",
                       "Kind of the event: `opened` (ready), `refused` (cannot be opened), `changed` (a program wrote to "
                       "the file) or `ended` (the helper died)."),
                   wire::field<&DatabaseEvent::path>("path", "Real path of the file, with `opened`."),
                   wire::field<&DatabaseEvent::error>("error", "Reason and remedy, with `refused` and `ended`."));
};

struct OfferedMessage {
  std::string path{};
  std::uint64_t bytes = 0;
  bool named = false;
  static constexpr auto wire = wire::fields(
      wire::field<&OfferedMessage::path>("path", "Path of the database file."),
      wire::field<&OfferedMessage::bytes>("bytes", "Size of the file in bytes."),
      wire::field<&OfferedMessage::named>(
          "named", "True: the setting `databases` names the file. False: the file was found in the folder of a conversation."));
};

struct OfferedList {
  std::vector<OfferedMessage> databases{};
  static constexpr auto wire = wire::fields(wire::field<&OfferedList::databases>(
      "databases", "Databases of the setting `databases` first, then databases in folders of conversations."));
};

}  // namespace parlance::server
