// SPDX-License-Identifier: Apache-2.0
// Requests of a page for parts of lists: older events of a conversation, older conversations, and one conversation (values.h has the
// answers). Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

struct OlderEvents {
  static constexpr std::string_view tag = "older";
  using Value = OlderValue;
  std::string request{};
  std::string conversation{};
  std::uint64_t before = 0;
  std::optional<std::uint64_t> limit{};
  static constexpr auto wire =
      fields(field<&OlderEvents::request>("request", request_doc::request),
             field<&OlderEvents::conversation>("conversation", request_doc::conversation),
             field<&OlderEvents::before>("before", "Number of the first event that the page has."),
             field<&OlderEvents::limit>("limit", "Highest number of events. Default 2000, at most 20000 and 4 MiB."));
};

struct ListConversations {
  static constexpr std::string_view tag = "conversations";
  using Value = ConversationsValue;
  std::string request{};
  std::string before{};
  std::optional<std::uint64_t> limit{};
  static constexpr auto wire =
      fields(field<&ListConversations::request>("request", request_doc::request),
             field<&ListConversations::before>("before", "The `older` of the snapshot, or of the page before."),
             field<&ListConversations::limit>("limit", "Highest number of conversations. Default 1000, at most 5000."));
};

struct GetConversation {
  static constexpr std::string_view tag = "get";
  using Value = ConversationValue;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire = fields(field<&GetConversation::request>("request", request_doc::request),
                                      field<&GetConversation::conversation>("conversation", request_doc::conversation));
};

}  // namespace parlance::page
