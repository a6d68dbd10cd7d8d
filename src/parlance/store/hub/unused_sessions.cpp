// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/unused_sessions.h"

#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/log/limits.h"

namespace parlance::store {

Result<void> note_unused_session(sqlite::Database& db, const std::string& conversation) {
  PARLANCE_TRY(note, db.query("INSERT OR IGNORE INTO settings(name, body) "
                              "SELECT ?1||json_extract(body,'$.place')||'/'||native_session, '' FROM conversations "
                              "WHERE id=?2 AND native_session<>'' AND json_extract(body,'$.place')<>'' "
                              "AND json_extract(body,'$.via') IS NOT ?3"));
  return note.run(unused_session_prefix, conversation, hub::via_adoption);
}

Result<std::vector<std::string>> read_unused_sessions(sqlite::Database& db, const std::string& runner) {
  const std::string prefix = std::string(unused_session_prefix) + runner + "/";
  PARLANCE_TRY(rows, db.query("SELECT substr(name,?2) FROM settings WHERE substr(name,1,?2-1)=?1 ORDER BY name LIMIT ?3"));
  rows.bind(prefix, static_cast<std::int64_t>(prefix.size()) + 1, static_cast<std::int64_t>(limits::unused_sessions));
  std::vector<std::string> found;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return found;
    found.emplace_back(rows.text(0));
  }
}

Result<void> forget_unused_session(sqlite::Database& db, const std::string& runner, const std::string& session) {
  PARLANCE_TRY(gone, db.query("DELETE FROM settings WHERE name=?1"));
  return gone.run(std::string(unused_session_prefix) + runner + "/" + session);
}

}  // namespace parlance::store
