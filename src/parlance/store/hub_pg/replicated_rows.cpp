// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/replicated_rows.h"

#include <algorithm>
#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/store/hub/stored_forms.h"
#include "parlance/wire_form/conversation_tables.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {

std::optional<std::string> user_at(const pg::Rows& rows, std::size_t row, std::size_t column) {
  const std::string_view user = rows.text(row, column);
  return user.empty() ? std::nullopt : std::optional(std::string(user));
}

Result<hub::Conversation> conversation_at(const pg::Rows& rows, std::size_t row) {
  PARLANCE_TRY(conversation, conversation_from_text(rows.text(row, 0), rows.integer(row, 1), rows.text(row, 2), rows.text(row, 3),
                                                    rows.text(row, 4)));
  conversation.user = user_at(rows, row, 5);
  conversation.access = hub::access_named(rows.text(row, 6));
  if (conversation.access == hub::Access::private_) conversation.access.reset();
  return conversation;
}

Result<hub::Ask> ask_at(const pg::Rows& rows, std::size_t row) {
  return ask_from_text(rows.text(row, 0), rows.text(row, 1), rows.text_or_null(row, 2));
}

Result<std::vector<ReplicatedRow>> read_replicated(const RunStatements& run, const std::vector<std::string>& conversations,
                                                   const std::string& hub, const std::string& lease) {
  pg::Array ids;
  for (const std::string& id : conversations) ids.add(id);
  PARLANCE_TRY(
      all,
      run({{.sql = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
           {.sql =
                "SELECT " + std::string(conversation_columns) + ", c.revision, NOT " + has_no_owner +
                ", c.owner IS NOT DISTINCT FROM $3 FROM conversations AS c LEFT JOIN hubs AS h ON h.id = c.owner WHERE c.id = ANY($1::text[])",
            .parameters = {ids.text(), lease, hub}},
           {.sql = "SELECT body, answers, expires_at FROM asks WHERE conversation = ANY($1::text[]) "
                   "AND state IN ('open','orphaned') ORDER BY id COLLATE \"C\"",
            .parameters = {ids.text()}},
           {.sql = "COMMIT"}}));
  std::vector<ReplicatedRow> seen;
  for (std::size_t i = 0; i < all[1].size(); ++i) {
    PARLANCE_TRY(row, conversation_at(all[1], i));
    seen.push_back({.conversation = {.row = std::move(row), .has_owner = all[1].truth(i, 8), .is_ours = all[1].truth(i, 9)},
                    .revision = all[1].integer(i, 7)});
  }
  for (std::size_t i = 0; i < all[2].size(); ++i) {
    PARLANCE_TRY(ask, ask_at(all[2], i));
    const auto row = std::ranges::find(
        seen, ask.conversation, [](const ReplicatedRow& entry) -> const std::string& { return entry.conversation.row.id; });
    if (row != seen.end()) row->conversation.asks.push_back(std::move(ask));
  }
  return seen;
}

}  // namespace parlance::store
