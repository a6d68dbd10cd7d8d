// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_schema.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "parlance/store/memory/memory_key.h"

namespace parlance::store {
namespace {

// `key`: fingerprint of the text (memory_key.h); the same text is kept once.
// The trigram index finds any three characters in a row, so parts of words and languages without blanks too.
constexpr std::string_view first_version = R"(
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
CREATE VIRTUAL TABLE memory_text USING fts5(text, content='memories', content_rowid='number', tokenize='trigram');
CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
  INSERT INTO memory_text(rowid, text) VALUES(new.number, new.text);
END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
  INSERT INTO memory_text(memory_text, rowid, text) VALUES('delete', old.number, old.text);
END;
CREATE TRIGGER memories_changed AFTER UPDATE OF text ON memories BEGIN
  INSERT INTO memory_text(memory_text, rowid, text) VALUES('delete', old.number, old.text);
  INSERT INTO memory_text(rowid, text) VALUES(new.number, new.text);
END;
)";

// Version 2: vectors.
// memory_padded   texts with blanks around them: every two characters then are the beginning of some three, and every word has
//                 something before and behind it, so the trigram index also finds 主题 and "go" (memory_keywords.cpp)
// vectors         int8 rows, small and together: all of them are read when the index is loaded, 0.4 s a million. The slot is
//                 embedder << 40 | memory
// exact_vectors   the float rows, little-endian, read one by one by slot
// memory_changes  which memories came, went, or got a vector, for those who keep an index in memory. Its highest number is the
//                 state of the table; 0 as a memory's number: load all anew. Only the end of the log is kept
// memory_counts   and embedders.rows: so that counting is not a walk over everything
// memory_settings embedder: the one whose vectors are wanted, see MemoryFile::claim_embedder; graph: recall and embedder of the
// graph that a program has built, see MemoryFile::share_recall
//
// What belongs to a memory goes with it by triggers. What comes with it is written by MemoryFile::put_one and MemoryVectors::add:
// a trigger there would make FTS5 write a segment for each row instead of one for a transaction, at half the speed.
constexpr std::string_view second_version = R"(
DROP TRIGGER memories_added;
DROP TRIGGER memories_removed;
DROP TRIGGER memories_changed;
DROP TABLE memory_text;
CREATE VIEW memory_padded AS SELECT number, ' ' || text || '  ' AS text FROM memories;
CREATE VIRTUAL TABLE memory_text USING fts5(text, content='memory_padded', content_rowid='number', tokenize='trigram',
  columnsize=0);
INSERT INTO memory_text(memory_text) VALUES('rebuild');
CREATE TABLE embedders(number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL,
  rows INTEGER NOT NULL DEFAULT 0);
CREATE TABLE vectors(slot INTEGER PRIMARY KEY, category INTEGER NOT NULL, scale REAL NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE exact_vectors(slot INTEGER PRIMARY KEY, floats BLOB NOT NULL);
CREATE TABLE memory_changes(change INTEGER PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE memory_counts(category TEXT PRIMARY KEY, rows INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO memory_counts SELECT category, count(*) FROM memories GROUP BY category;
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

constexpr std::array schema{first_version, second_version};

// Version 1 told texts apart that differ in case and punctuation only. Both stay where there are two: nothing that somebody
// stored is thrown away; the newer one's key is made its own.
Result<void> rewrite_keys(sqlite::Database& db) {
  std::vector<std::pair<std::int64_t, std::string>> keys;
  {
    PARLANCE_TRY(rows, db.query("SELECT number, text FROM memories ORDER BY number"));
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      keys.emplace_back(rows.integer(0), memory_key(rows.text(1)));
    }
  }
  // A new key may be some other row's old one: first out of the way, then set.
  PARLANCE_TRY_DO(db.execute("UPDATE memories SET key = 'old ' || id"));
  PARLANCE_TRY(update, db.query("UPDATE OR IGNORE memories SET key = ?2 WHERE number = ?1"));
  for (const auto& [number, key] : keys) PARLANCE_TRY_DO(update.bind(number, key).run());
  return {};
}

}  // namespace

Result<void> migrate_memory(sqlite::Database& db) {
  return db.migrate(schema, [&](std::size_t step) -> Result<void> {
    if (step == 2) return rewrite_keys(db);
    return {};
  });
}

}  // namespace parlance::store
