// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_usage.h"

#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/sqlite/database.h"
#include "parlance/store/hub/hub_schema.h"
#include "parlance/store/hub/hub_spent.h"
#include "parlance/wire_form/conversation_tables.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {

std::map<std::string, std::string, std::less<>> titles_of(const std::vector<hub::PackedConversation>& conversations) {
  std::map<std::string, std::string, std::less<>> titles;
  for (const hub::PackedConversation& packed : conversations) {
    hub::Conversation conversation = packed.unpack();
    titles.emplace(std::move(conversation.id), std::move(conversation.title));
  }
  return titles;
}

Result<Usage> read_usage(const std::string& state_folder, const std::string& since) {
  auto db = open_hub_to_read(state_folder + "/hub.db");
  if (!db && db.error().code == Errc::not_found) return Usage{};
  if (!db) return std::unexpected(db.error());
  Usage usage;
  PARLANCE_TRY(spent, read_spent(**db, since));
  usage.spent = std::move(spent);
  PARLANCE_TRY(limits, read_limits(**db));
  usage.limits = std::move(limits);
  PARLANCE_TRY(rows, (*db)->query("SELECT body FROM conversations"));
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return usage;
    PARLANCE_TRY(conversation, json::from_text<hub::Conversation>(rows.text(0)));
    usage.titles.emplace(std::move(conversation.id), std::move(conversation.title));
  }
}

}  // namespace parlance::store
