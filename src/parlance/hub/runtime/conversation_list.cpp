// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/conversation_list.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::hub {
namespace {

std::string cursor_of(const Conversation& conversation) { return conversation.updated_at + " " + conversation.id; }

bool is_newer(const Conversation& a, const Conversation& b) {
  return std::tie(b.updated_at, b.id) < std::tie(a.updated_at, a.id);
}

bool is_in_list(const ConversationRuntime& runtime, const Listing& listing) {
  return runtime.known && runtime.listed && (!listing.among || listing.among(runtime.committed));
}

bool is_in_list(const PackedStart& start, const Listing& listing) {
  if (start.via || !listing.among) return !start.via;
  Conversation known{{.id = std::string(start.id)}, {.access = start.access}};
  if (start.user) known.user.emplace(*start.user);
  return listing.among(known);
}

}  // namespace

// Merges the conversations with a runtime, which are few, into the idle ones. A page of a long list unpacks few conversations.
ConversationList list(const ConversationRuntimes& runtimes, const Listing& listing) {
  std::vector<const Conversation*> loaded;
  for (const auto& [id, runtime] : runtimes)
    if (is_in_list(*runtime, listing) && (listing.before.empty() || cursor_of(runtime->committed) < listing.before))
      loaded.push_back(&runtime->committed);
  std::ranges::sort(loaded, [](const Conversation* a, const Conversation* b) { return is_newer(*a, *b); });
  ConversationList found;
  bool is_full = false;
  const auto add = [&](const Conversation& conversation) {
    is_full = found.conversations.size() == listing.most;
    if (!is_full) found.conversations.push_back(conversation);
    return !is_full;
  };
  auto next = loaded.begin();
  runtimes.idle().visit_newest(listing.before, [&](const PackedConversation& packed) {
    if (!is_in_list(packed.start(), listing)) return true;
    const Conversation conversation = packed.unpack();
    while (next != loaded.end() && is_newer(**next, conversation))
      if (!add(**next++)) return false;
    return add(conversation);
  });
  while (!is_full && next != loaded.end()) add(**next++);
  if (is_full && !found.conversations.empty()) found.older = cursor_of(found.conversations.back());
  return found;
}

std::vector<Conversation> active_before(const ConversationRuntimes& runtimes, const Listing& listing, std::string_view older) {
  std::vector<Conversation> active;
  for (const auto& [id, runtime] : runtimes)
    if (is_in_list(*runtime, listing) && cursor_of(runtime->committed) < older && runtime->committed.is_active())
      active.push_back(runtime->committed);
  return active;
}

std::vector<std::string> sessions_at(const ConversationRuntimes& runtimes, std::string_view runner) {
  std::vector<std::string> all;
  for (const auto& [id, runtime] : runtimes)
    for (const Conversation* const conversation : {&runtime->current, &runtime->committed})
      if (conversation->runner == runner && !conversation->agent_session.empty() &&
          (all.empty() || all.back() != conversation->agent_session.id))
        all.push_back(conversation->agent_session.id);
  runtimes.idle().visit([&](const PackedConversation& conversation) {
    const PackedStart start = conversation.start();
    if (start.runner == runner && !start.agent_session.empty()) all.emplace_back(start.agent_session);
    return true;
  });
  return all;
}

}  // namespace parlance::hub
