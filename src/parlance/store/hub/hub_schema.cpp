// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_schema.h"

#include <array>
#include <string_view>

namespace parlance::store {
namespace {

//   search_parts  Indexed parts of logs (search_rows.h). A row has one or more ended turns. Very long texts are not indexed.
//   search_text   The index of three characters in a row. It has no positions, because the hub reads each found part.
//   search_open   Conversations with a running turn, or with turns outside the index. `first`: the first event of these turns.
//
// Sums of model use have the day of this machine's time zone, as in hub/policy/spending.h.
constexpr std::string_view first_tables = R"(
CREATE TABLE conversations(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  last_seq INTEGER NOT NULL DEFAULT 0,
  messages INTEGER NOT NULL DEFAULT 0,
  tool_calls INTEGER NOT NULL DEFAULT 0,
  turn TEXT NOT NULL,
  native_session TEXT NOT NULL,
  native_how TEXT NOT NULL,
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
CREATE TABLE attachments(
  id TEXT PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  data BLOB NOT NULL);
CREATE INDEX attachments_of_conversation ON attachments(conversation);
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
CREATE TABLE search_parts(
  number INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL REFERENCES conversations(number) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  indexed INTEGER NOT NULL);
CREATE INDEX search_parts_of_conversation ON search_parts(conversation, last);
CREATE INDEX search_parts_not_indexed ON search_parts(number) WHERE indexed=0;
CREATE VIRTUAL TABLE search_text USING fts5(text, tokenize='trigram', detail=none, columnsize=0);
CREATE TRIGGER search_parts_removed AFTER DELETE ON search_parts WHEN old.indexed BEGIN
  DELETE FROM search_text WHERE rowid=old.number;
END;
CREATE TABLE search_open(
  conversation INTEGER PRIMARY KEY REFERENCES conversations(number) ON DELETE CASCADE,
  first INTEGER NOT NULL);
)";

constexpr std::array steps{first_tables};

}  // namespace

// Schemas 1 to 5 belong to versions before the first release.
sqlite::SchemaSteps hub_schema() { return {.first = 6, .steps = steps}; }

Result<std::unique_ptr<sqlite::Database>> open_hub_to_read(const std::string& path) {
  PARLANCE_TRY_DO(sqlite::Database::check(path, hub_schema()));
  return sqlite::Database::open_to_read(path);
}

}  // namespace parlance::store
