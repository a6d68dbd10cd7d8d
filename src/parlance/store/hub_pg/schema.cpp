#include "parlance/store/hub_pg/schema.h"

#include <array>
#include <string>
#include <string_view>

namespace parlance::store {
namespace {

// Any number that nobody else locks in a database of ours.
constexpr std::string_view lock_migrations = "SELECT pg_advisory_xact_lock(1886547058)";

struct Step {
  int least_reader;  // the oldest program that can work beside it
  std::string_view sql;
};

// Bodies are the JSON text of the hub's tables. SQL never looks into them: hence text, which is kept as it came.
constexpr std::string_view first_tables = R"(
CREATE TABLE hubs(
  id text PRIMARY KEY,
  version text NOT NULL,
  expires_at timestamptz NOT NULL,
  dead boolean NOT NULL DEFAULT false);
CREATE TABLE conversations(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  user_id text NOT NULL DEFAULT '',
  access text NOT NULL DEFAULT 'private',
  place text NOT NULL DEFAULT '',
  owner text REFERENCES hubs,
  epoch bigint NOT NULL DEFAULT 0,
  revision bigint NOT NULL DEFAULT 0,
  last_seq bigint NOT NULL DEFAULT 0,
  messages bigint NOT NULL DEFAULT 0,
  tool_calls bigint NOT NULL DEFAULT 0,
  turn text NOT NULL,
  native_session text NOT NULL,
  native_how text NOT NULL,
  updated_at text NOT NULL,
  body text NOT NULL) WITH (fillfactor = 70);
CREATE INDEX conversations_of_owner ON conversations(owner);
CREATE TABLE events(
  conversation bigint NOT NULL REFERENCES conversations ON DELETE CASCADE,
  seq bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY(conversation, seq));
CREATE TABLE asks(
  id text PRIMARY KEY,
  conversation text NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  state text NOT NULL,
  expires_at text,
  answers text NOT NULL,
  body text NOT NULL);
CREATE INDEX asks_of_conversation ON asks(conversation);
CREATE INDEX asks_waiting ON asks(state) WHERE state IN ('open','orphaned');
CREATE TABLE rules(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  user_id text NOT NULL DEFAULT '',
  conversation text,
  body text NOT NULL,
  scope text NOT NULL);
CREATE TABLE rules_version(version bigint NOT NULL);
INSERT INTO rules_version VALUES(0);
CREATE TABLE attachments(
  id text PRIMARY KEY,
  conversation text NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  body text NOT NULL,
  data bytea NOT NULL);
CREATE INDEX attachments_of_conversation ON attachments(conversation);
CREATE TABLE commands(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  conversation bigint NOT NULL REFERENCES conversations ON DELETE CASCADE,
  user_id text NOT NULL DEFAULT '',
  body text NOT NULL,
  outcome text);
CREATE INDEX commands_waiting ON commands(conversation) WHERE outcome IS NULL;
CREATE TABLE settings(name text PRIMARY KEY, body text NOT NULL);
CREATE TABLE spent(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day text NOT NULL,
  conversation text NOT NULL,
  body text NOT NULL);
CREATE INDEX spent_of_day ON spent(day);
)";

// Where the machines of runners are connected. `hub` is null of one that has gone, and may name one that is dead; the number of connections only
// grows, and the last one counts.
constexpr std::string_view runners = R"(
CREATE TABLE runners(
  name text PRIMARY KEY,
  user_id text NOT NULL DEFAULT '',
  hub text,
  connection bigint NOT NULL,
  since text NOT NULL,
  body text NOT NULL);
)";

// fence: the first statement of every commit. Owner, epoch and revision must be the caller's, and the row is locked until the commit ends.
// claim: only of a conversation that nobody has, or whose owner is dead for ever; it dies when its lease is over. A server that was away
// let every lease run out: for the length of one after its start nobody dies. Null: somebody who lives has it.
constexpr std::string_view first_functions = R"(
CREATE FUNCTION fence(c bigint, me text, e bigint, r bigint, n bigint, m bigint, t bigint, at text) RETURNS void
LANGUAGE plpgsql AS $$ BEGIN
  UPDATE conversations SET revision = r + 1, last_seq = last_seq + n, messages = messages + m, tool_calls = tool_calls + t,
    updated_at = CASE WHEN at COLLATE "C" > updated_at COLLATE "C" THEN at ELSE updated_at END
    WHERE number = c AND owner = me AND epoch = e AND revision = r;
  IF NOT FOUND THEN RAISE EXCEPTION 'not the owner, or not the next commit' USING ERRCODE = 'PF001'; END IF;
END $$;
CREATE FUNCTION bury(lease interval) RETURNS void LANGUAGE sql AS $$
  UPDATE hubs SET dead = true
    WHERE NOT dead AND clock_timestamp() > greatest(expires_at, pg_postmaster_start_time() + lease) $$;
CREATE FUNCTION claim(c bigint, me text, lease interval, OUT of_epoch bigint, OUT of_revision bigint)
LANGUAGE plpgsql AS $$ BEGIN
  UPDATE hubs SET dead = true
    WHERE NOT dead AND clock_timestamp() > greatest(expires_at, pg_postmaster_start_time() + lease)
    AND id = (SELECT owner FROM conversations WHERE number = c);
  UPDATE conversations SET owner = me, epoch = epoch + 1, revision = revision + 1 WHERE number = c
    AND (owner IS NULL OR EXISTS (SELECT 1 FROM hubs WHERE id = owner AND dead))
    AND EXISTS (SELECT 1 FROM hubs WHERE id = me AND NOT dead)
    RETURNING epoch, revision INTO of_epoch, of_revision;
END $$;
)";

constexpr std::array steps{Step{.least_reader = 1, .sql = first_tables}, Step{.least_reader = 1, .sql = runners}};
static_assert(steps.size() == hub_schema_version);

Result<void> said(const pg::Outcome<void>& outcome) {
  if (outcome) return {};
  return std::unexpected(pg::error_of(outcome.error()).in("the tables of the store"));
}

struct Known {
  int version = 0;
  int least_reader = 0;
};

Result<Known> known_version(pg::Connection& connection) {
  const auto rows = connection.run({.sql = "SELECT version, least_reader FROM schema"});
  if (!rows) return std::unexpected(pg::error_of(rows.error()).in("the tables of the store"));
  if (rows->empty()) return Known{};
  return Known{.version = static_cast<int>(rows->integer(0, 0)), .least_reader = static_cast<int>(rows->integer(0, 1))};
}

Result<void> refuse_newer(const Known& known) {
  if (known.least_reader <= hub_schema_version) return {};
  return fail(Errc::failed, "a newer parlance made this database (schema " + std::to_string(known.version) + ", read from " +
                                std::to_string(known.least_reader) + " on; this program knows " +
                                std::to_string(hub_schema_version) + "): use that version, or another database");
}

// Under the lock, so that of several hubs one takes the step and the others find it taken.
Result<void> take_next_step(pg::Connection& connection, int from) {
  const Step& step = steps[static_cast<std::size_t>(from)];
  const std::string taken = std::to_string(from + 1);
  std::string sql = "BEGIN; " + std::string(lock_migrations) + "; DO $step$ BEGIN IF (SELECT version FROM schema) <> " +
                    std::to_string(from) + " THEN RAISE EXCEPTION 'taken' USING ERRCODE = 'PF002'; END IF; END $step$;";
  sql += step.sql;
  if (from == 0) sql += first_functions;
  sql += "UPDATE schema SET version = " + taken + ", least_reader = " + std::to_string(step.least_reader) + "; COMMIT";
  const auto done = connection.run_script(sql);
  if (!done && done.error().sqlstate == "PF002") return {};  // another hub was faster
  return said(done);
}

// Only where it is missing: whoever runs the hub may have no right to make tables, once they are there.
Result<void> keep_version_table(pg::Connection& connection) {
  const auto there = connection.run({.sql = "SELECT to_regclass('schema') IS NOT NULL"});
  if (!there) return std::unexpected(pg::error_of(there.error()).in("the tables of the store"));
  if (there->truth(0, 0)) return {};
  return said(connection.run_script("BEGIN; " + std::string(lock_migrations) +
                                    "; CREATE TABLE IF NOT EXISTS schema(version int NOT NULL, least_reader int NOT NULL);"
                                    "INSERT INTO schema SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM schema); COMMIT"));
}

}  // namespace

Result<void> migrate_hub(pg::Connection& connection) {
  PARLANCE_TRY_DO(keep_version_table(connection));
  for (;;) {
    PARLANCE_TRY(known, known_version(connection));
    PARLANCE_TRY_DO(refuse_newer(known));
    if (known.version >= hub_schema_version) return {};
    PARLANCE_TRY_DO(take_next_step(connection, known.version));
  }
}

}  // namespace parlance::store
