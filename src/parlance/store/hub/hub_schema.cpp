// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_schema.h"

#include <array>
#include <string_view>

namespace parlance::store {
namespace {

constexpr std::array<std::string_view, 5> schema{R"(
CREATE TABLE conversations(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  last_seq INTEGER NOT NULL DEFAULT 0,
  messages INTEGER NOT NULL DEFAULT 0,
  tool_calls INTEGER NOT NULL DEFAULT 0,
  turn TEXT NOT NULL,
  native_session TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  body TEXT NOT NULL);
CREATE TABLE events(
  conversation INTEGER NOT NULL REFERENCES conversations(number) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY(conversation, seq)) WITHOUT ROWID;
CREATE TABLE asks(
  id TEXT PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  expires_at TEXT,
  answers TEXT NOT NULL,
  body TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX asks_of_conversation ON asks(conversation);
CREATE INDEX asks_waiting ON asks(state) WHERE state IN ('open','orphaned');
CREATE TABLE rules(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  conversation TEXT,
  body TEXT NOT NULL,
  scope TEXT NOT NULL);
)",
                                                 R"(
CREATE TABLE attachments(
  id TEXT PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  data BLOB NOT NULL);
CREATE INDEX attachments_of_conversation ON attachments(conversation);
)",
                                                 // Events that version 0.1 does not know: it would not read a log with one of
                                                 // them, and is told so when it opens the file.
                                                 "-- nothing to change",
                                                 // How a session goes on once stood before its name.
                                                 R"(
ALTER TABLE conversations ADD COLUMN native_how TEXT NOT NULL DEFAULT 'resume';
UPDATE conversations SET native_how='fork', native_session=substr(native_session,6) WHERE substr(native_session,1,5)='fork:';
)",
                                                 // Sums of what models used, also of what was told before there were sums: the
                                                 // day is the one of this machine, as in hub/policy/spending.h.
                                                 R"(
CREATE TABLE settings(name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE spent(
  day TEXT NOT NULL,
  conversation TEXT NOT NULL,
  turns INTEGER NOT NULL,
  untold_turns INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  costs TEXT NOT NULL,
  PRIMARY KEY(day, conversation)) WITHOUT ROWID;
CREATE TEMP TABLE told AS
  SELECT date(json_extract(e.body,'$.time'),'localtime') AS day, c.id AS conversation, json_extract(e.body,'$.kind') AS kind, e.body AS body
  FROM events e JOIN conversations c ON c.number=e.conversation
  WHERE e.body LIKE '%"kind":"usage"%' OR e.body LIKE '%"kind":"turn_end"%';
INSERT INTO spent
  SELECT day, conversation, sum(kind='turn_end'), 0, total(json_extract(body,'$.input_tokens')), total(json_extract(body,'$.output_tokens')),
         total(json_extract(body,'$.cache_read_tokens')), '[]'
  FROM told WHERE day IS NOT NULL AND kind IN ('usage','turn_end') GROUP BY day, conversation;
UPDATE spent SET costs=ifnull((
  SELECT json_group_array(json_object('amount', amount, 'currency', currency)) FROM (
    SELECT sum(json_extract(body,'$.cost.amount')) AS amount, json_extract(body,'$.cost.currency') AS currency FROM told
    WHERE told.day=spent.day AND told.conversation=spent.conversation AND kind='usage' AND json_extract(body,'$.cost.amount')>0
    GROUP BY currency ORDER BY currency)),'[]');
DROP TABLE told;
)"};

}  // namespace

Result<void> migrate_hub(sqlite::Database& db) { return db.migrate(schema); }

}  // namespace parlance::store
