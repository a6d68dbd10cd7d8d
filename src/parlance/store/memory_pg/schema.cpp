// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/schema.h"

#include <array>

#include "parlance/pg/migrations.h"

namespace parlance::store {
namespace {

// `memory_users`: the people with memories, '' for the person of a machine. The number precedes each gram, so one index serves all
// people and no lookup reads another person's entries. last_change is the end of the person's log of changes. Writers lock the
// row, so changes of one person become visible in order.
// `memory_vectors`: small int8 rows, read completely at the load of an index.
// `memory_exact`: float rows, little-endian, read one by one. Uncompressed, because random floats do not compress.
// `memory_changes`: log of added, removed and newly embedded memories for indexes in memory. 0 as a memory's number: reload all.
// Only the end of the log is kept.
// `memory_settings`: embedder: the wanted embedder (MemoryDatabase::claim_embedder).
// `memories`: grams of the text (grams.h), compared as bytes in any locale. Numbers are never reused.
//
// No statistics of grams: planning with them takes longer than the lookup.
// `gin_pending_list_limit`: every search reads the pending entries of the index, so the list must stay short.
constexpr std::string_view first_tables = R"(
CREATE TABLE memory_users(
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL UNIQUE,
  last_change bigint NOT NULL DEFAULT 0);
CREATE TABLE memories(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL,
  id text NOT NULL,
  key text NOT NULL,
  text text NOT NULL,
  category text NOT NULL,
  importance double precision NOT NULL,
  source text NOT NULL,
  source_conversation text NOT NULL,
  source_event bigint NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  grams text[] COLLATE "C" NOT NULL,
  UNIQUE(user_id, key),
  UNIQUE(user_id, id));
ALTER TABLE memories ALTER grams SET STATISTICS 0;
CREATE INDEX memories_of_user ON memories(user_id, number);
CREATE INDEX memories_of_conversation ON memories(user_id, source_conversation) WHERE source_conversation <> '';
CREATE INDEX memories_by_grams ON memories USING gin(grams) WITH (fastupdate = on, gin_pending_list_limit = 256);
CREATE TABLE memory_embedders(
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  dimension int NOT NULL);
CREATE TABLE memory_vectors(
  embedder int NOT NULL,
  user_id text NOT NULL,
  memory bigint NOT NULL,
  category text NOT NULL,
  scale real NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY(embedder, user_id, memory));
CREATE TABLE memory_exact(
  embedder int NOT NULL,
  memory bigint NOT NULL,
  floats bytea NOT NULL,
  PRIMARY KEY(embedder, memory));
ALTER TABLE memory_exact ALTER floats SET STORAGE EXTERNAL;
CREATE TABLE memory_changes(
  user_id text NOT NULL,
  change bigint NOT NULL,
  memory bigint NOT NULL,
  PRIMARY KEY(user_id, change));
CREATE TABLE memory_settings(name text PRIMARY KEY, value text NOT NULL);
)";

// memory_turn: the first statement of each change of a person's memories; other writers wait until the transaction ends.
// memory_changed: the last statement.
constexpr std::string_view first_functions = R"(
CREATE FUNCTION memory_turn(u text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  PERFORM 1 FROM memory_users WHERE user_id = u FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such person' USING ERRCODE = 'PF003'; END IF;
END $$;
CREATE FUNCTION memory_changed(u text, numbers bigint[], kept bigint) RETURNS void LANGUAGE plpgsql AS $$ DECLARE last bigint; BEGIN
  UPDATE memory_users SET last_change = last_change + cardinality(numbers) WHERE user_id = u RETURNING last_change INTO last;
  INSERT INTO memory_changes(user_id, change, memory)
    SELECT u, last - cardinality(numbers) + place, number FROM unnest(numbers) WITH ORDINALITY AS n(number, place);
  DELETE FROM memory_changes WHERE user_id = u AND change <= last - kept;
END $$;
)";

constexpr std::array steps{pg::Step{.least_reader = 1, .sql = {first_tables, first_functions}}};

constexpr pg::Migrations tables{.version_table = "memory_schema", .whose = "the memories", .steps = steps};

}  // namespace

Result<void> migrate_memories(pg::Connection& connection) { return pg::migrate(connection, tables); }
Result<void> check_memories(pg::Connection& connection) { return pg::check_version(connection, tables); }

}  // namespace parlance::store
