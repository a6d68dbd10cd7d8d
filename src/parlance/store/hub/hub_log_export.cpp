// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_log_export.h"

#include <utility>
#include <vector>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/sqlite/database.h"
#include "parlance/store/hub/hub_schema.h"
#include "parlance/wire_form/conversation_tables.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {
namespace {

Result<std::vector<hub::Conversation>> conversations_in(sqlite::Database& db, const std::string& wanted) {
  PARLANCE_TRY(rows, db.query("SELECT body FROM conversations WHERE ?1='' OR id=?1 ORDER BY id"));
  rows.bind(wanted);
  std::vector<hub::Conversation> found;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return found;
    PARLANCE_TRY(conversation, json::from_text<hub::Conversation>(rows.text(0)));
    found.push_back(std::move(conversation));
  }
}

}  // namespace

Result<void> visit_log(const std::string& state_folder, const std::string& conversation, const LogVisitor& visit) {
  const auto none = [&]() -> Result<void> {
    if (conversation.empty()) return {};
    return fail(Errc::not_found, "no such conversation: " + conversation);
  };
  auto db = open_hub_to_read(state_folder + "/hub.db");
  if (!db && db.error().code == Errc::not_found) return none();
  if (!db) return std::unexpected(db.error());
  PARLANCE_TRY(all, conversations_in(**db, conversation));
  if (all.empty()) return none();
  for (const hub::Conversation& listed : all) {
    PARLANCE_TRY(
        rows,
        (*db)->query("SELECT body FROM events WHERE conversation=(SELECT number FROM conversations WHERE id=?1) ORDER BY seq"));
    rows.bind(listed.id);
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      if (!visit(listed, rows.text(0))) return {};
    }
  }
  return {};
}

}  // namespace parlance::store
