// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/schema.h"

#include <array>
#include <string_view>

#include "parlance/pg/migrations.h"

namespace parlance::store {
namespace {

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

// Who works with the hubs. A program of before would show everybody everything: it reads this database no more.
constexpr std::string_view team_tables = R"(
CREATE TABLE users(
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  role text NOT NULL,
  disabled boolean NOT NULL DEFAULT false);
CREATE TABLE tokens(
  id text PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  page_hash bytea NOT NULL,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  label text NOT NULL,
  created_at text NOT NULL,
  expires_at text);
)";

// What people did that stands in no conversation's log. Only ever added to, also by whoever reads and writes everything else: to shorten it
// takes the owner of the table.
constexpr std::string_view audit_table = R"(
CREATE TABLE audit(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  what text NOT NULL,
  user_id text NOT NULL,
  by_name text NOT NULL,
  about text NOT NULL,
  conversation text NOT NULL,
  detail text NOT NULL);
CREATE INDEX audit_of_conversation ON audit(conversation) WHERE conversation <> '';
CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'the audit is only added to';
END $$;
CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_stays();
)";

// Logs, queues and commands name a user by name. A name that another person receives later would pass on the permissions of queued
// prompts, so the database keeps each user with id and name, and `ann` and `Ann` are one name. Of names that exist in both spellings the
// first user keeps the key.
constexpr std::string_view final_users = R"(
ALTER TABLE users ADD COLUMN name_key text UNIQUE;
UPDATE users AS u SET name_key = lower(u.name COLLATE "C")
  WHERE u.id = (SELECT min(o.id) FROM users AS o WHERE lower(o.name COLLATE "C") = lower(u.name COLLATE "C"));
CREATE FUNCTION users_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.name_key := lower(NEW.name COLLATE "C");
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a user keeps id and name and is never deleted: disable the user';
END $$;
CREATE TRIGGER users_stay BEFORE INSERT OR DELETE OR UPDATE OF id, name, name_key ON users FOR EACH ROW EXECUTE FUNCTION users_stay();
CREATE TRIGGER users_are_not_truncated BEFORE TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION users_stay();
)";

constexpr std::array our_steps{pg::Step{.least_reader = 1, .sql = first_tables, .more = first_functions},
                               pg::Step{.least_reader = 2, .sql = team_tables}, pg::Step{.least_reader = 2, .sql = runners},
                               pg::Step{.least_reader = 2, .sql = audit_table}, pg::Step{.least_reader = 2, .sql = final_users}};
static_assert(our_steps.size() == hub_schema_version);

// Raises with the hubs that live and read what the step takes away. Nobody joins meanwhile (LeaseRows::join looks again).
std::string refuse_while_older_ones_live(int least_reader) {
  return "LOCK TABLE hubs IN SHARE ROW EXCLUSIVE MODE; DO $older$ DECLARE found text; BEGIN "
         "SELECT string_agg(id || ' (' || version || ')', ', ' ORDER BY id) INTO found FROM hubs WHERE NOT dead "
         "AND expires_at > clock_timestamp() AND coalesce(substring(version FROM 'schema (\\d+)$')::int, 1) < " +
         std::to_string(least_reader) + "; IF found IS NOT NULL THEN RAISE EXCEPTION '%', found USING ERRCODE = '" +
         std::string(pg::older_one_works) + "'; END IF; END $older$;";
}

}  // namespace

Result<void> migrate_hub(pg::Connection& connection) { return migrate_hub(connection, our_steps); }

Result<void> migrate_hub(pg::Connection& connection, std::span<const pg::Step> steps) {
  return pg::migrate(
      connection,
      {.version_table = "schema", .whose = "the store", .steps = steps, .refuse_older = &refuse_while_older_ones_live});
}

std::string with_schema_version(std::string_view program_version, int schema_version) {
  return std::string(program_version) + ", schema " + std::to_string(schema_version);
}

}  // namespace parlance::store
