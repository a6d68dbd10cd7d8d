// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_schema.h"

#include <array>
#include <string_view>

namespace parlance::store {
namespace {

//   memories        `key`: fingerprint of the text (memory_key.h), unique.
//   memory_text     Index of three characters in a row. The index finds parts of words, and languages without blanks.
//   memory_padded   Texts with surrounding blanks. Two characters begin a trigram then, so the index finds 主题 and "go".
//   vectors         Int8 rows in a small table. The load of the index reads all rows: 0.4 s a million. Slot:
//                   embedder << 40 | memory.
//   exact_vectors   Float rows, little-endian. Each is read by its slot.
//   memory_changes  Log of added, removed and newly embedded memories, for indexes in memory. The highest number is the
//                   state of the table. Number 0 of a memory: reload all. The table keeps the end of the log only.
//   memory_counts   Counters, with embedders.rows: a count needs no scan.
//   memory_settings Embedder: the wanted embedder (MemoryFile::claim_embedder). Graph: recall and embedder of a built graph
//                   (MemoryFile::share_recall).
//
// Triggers delete the dependent rows of a memory. MemoryFile::put_entry and MemoryVectors::add insert rows. With an insert
// trigger, FTS5 would write a segment for each row instead of a segment for each transaction, at half the speed.
constexpr std::string_view first_tables = R"(
CREATE TABLE memories(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  category TEXT NOT NULL,
  importance REAL NOT NULL,
  source TEXT NOT NULL,
  source_conversation TEXT NOT NULL,
  source_event INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL);
CREATE VIEW memory_padded AS SELECT number, ' ' || text || '  ' AS text FROM memories;
CREATE VIRTUAL TABLE memory_text USING fts5(text, content='memory_padded', content_rowid='number', tokenize='trigram',
  columnsize=0);
CREATE TABLE embedders(number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL,
  rows INTEGER NOT NULL DEFAULT 0);
CREATE TABLE vectors(slot INTEGER PRIMARY KEY, category INTEGER NOT NULL, scale REAL NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE exact_vectors(slot INTEGER PRIMARY KEY, floats BLOB NOT NULL);
CREATE TABLE memory_changes(change INTEGER PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE memory_counts(category TEXT PRIMARY KEY, rows INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE memory_settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX memories_of_conversation ON memories(source_conversation) WHERE source_conversation <> '';
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
  INSERT INTO memory_text(memory_text, rowid, text) VALUES('delete', old.number, ' ' || old.text || '  ');
  UPDATE memory_counts SET rows = rows - 1 WHERE category = old.category;
  DELETE FROM vectors WHERE slot IN (SELECT number << 40 | old.number FROM embedders);
  DELETE FROM exact_vectors WHERE slot IN (SELECT number << 40 | old.number FROM embedders);
  INSERT INTO memory_changes(number) VALUES(old.number);
END;
CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
  UPDATE embedders SET rows = rows - 1 WHERE number = old.slot >> 40;
END;
)";
static_assert(memory_number_bits == 40);

constexpr std::array steps{first_tables};

}  // namespace

// Schema 1 belongs to versions before the first release.
sqlite::SchemaSteps memory_schema() { return {.first = 2, .steps = steps}; }

}  // namespace parlance::store
