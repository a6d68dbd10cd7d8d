// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/schema.h"

#include <array>
#include <string_view>

#include "parlance/pg/migrations.h"

namespace parlance::store {
namespace {

// `runners`: connections of runners. `hub` is null after a disconnect, and may name a dead hub. The connection number only grows,
// and the latest counts. `audit`: actions outside the logs of conversations.
//
// Bodies are the JSON text of the hub's tables. SQL never parses them: type text keeps them byte by byte.
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
CREATE TABLE runners(
  name text PRIMARY KEY,
  user_id text NOT NULL DEFAULT '',
  hub text,
  connection bigint NOT NULL,
  since text NOT NULL,
  body text NOT NULL);
CREATE TABLE users(
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  name_key text NOT NULL UNIQUE,
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
)";

// `search_parts`: texts of the logs for a search, a row for each turn that ended. Grams of the texts (store/hub/search_grams.h);
// null: a very long text, which each search reads. No statistics of grams: planning with them takes longer than the lookup.
// `gin_pending_list_limit`: every search reads the pending entries of the index, so the list must stay short.
// `search_open`: conversations with a turn that has not ended, and its first event.
constexpr std::string_view search_tables = R"(
CREATE TABLE search_parts(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation bigint NOT NULL REFERENCES conversations ON DELETE CASCADE,
  first bigint NOT NULL,
  last bigint NOT NULL,
  grams int[]);
ALTER TABLE search_parts ALTER grams SET STATISTICS 0;
CREATE INDEX search_parts_of_conversation ON search_parts(conversation);
CREATE INDEX search_parts_by_grams ON search_parts USING gin(grams) WITH (fastupdate = on, gin_pending_list_limit = 256);
CREATE INDEX search_parts_not_indexed ON search_parts(number) WHERE grams IS NULL;
CREATE TABLE search_open(
  conversation bigint PRIMARY KEY REFERENCES conversations ON DELETE CASCADE,
  first bigint NOT NULL);
)";

// `fence`: the first statement of every commit. Owner, epoch and revision must equal the caller's, and the row stays locked until
// the end of the commit.
// `claim`: only for a conversation without an owner, or with an owner whose lease has expired; the claim marks such an owner
// dead. Every lease expires during a stop of the server, so no hub is marked dead within one lease after the server's start.
// Null: a live hub owns the conversation.
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

// `audit_stays` rejects updates and deletes, also by the gateway's database user; only the table's owner can disable the trigger.
// `users_stay`: logs, queues and commands contain user names, and a reused name would inherit the permissions of queued prompts.
// The database therefore keeps each user with id and name. `ann` and `Ann` are the same name.
constexpr std::string_view first_triggers = R"(
CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'the audit is only added to';
END $$;
CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_stays();
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

// `end_command`: the outcome of a command, in the commit with its effect. Gateways of schema 6 commit the effect of a withdrawn
// command too.
// The indexes serve the sums that limits need, of a day and of a conversation. Days are compared byte by byte.
constexpr std::string_view commands_and_sums = R"(
CREATE FUNCTION end_command(command text, ended text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  UPDATE commands SET outcome = ended, body = '' WHERE id = command AND outcome IS NULL;
  IF NOT FOUND THEN RAISE EXCEPTION 'the command has ended already' USING ERRCODE = 'PF005'; END IF;
END $$;
DROP INDEX spent_of_day;
CREATE INDEX spent_of_day ON spent(day COLLATE "C");
CREATE INDEX spent_of_conversation ON spent(conversation);
)";

// Schemas 1 to 5 belong to versions before the first release.
constexpr int first_version = 6;
constexpr std::array our_steps{
    pg::Step{.least_reader = first_version, .sql = {first_tables, search_tables, first_functions, first_triggers}},
    pg::Step{.least_reader = first_version, .sql = {commands_and_sums}}};
static_assert(first_version + our_steps.size() - 1 == hub_schema_version);

// Raises an error with the names of live hubs that read the removed parts. No hub joins meanwhile (LeaseRows::join checks again).
std::string refuse_while_older_ones_live(int least_reader) {
  return "LOCK TABLE hubs IN SHARE ROW EXCLUSIVE MODE; DO $older$ DECLARE found text; BEGIN "
         "SELECT string_agg(id || ' (' || version || ')', ', ' ORDER BY id) INTO found FROM hubs WHERE NOT dead "
         "AND expires_at > clock_timestamp() AND coalesce(substring(version FROM 'schema (\\d+)$')::int, 0) < " +
         std::to_string(least_reader) + "; IF found IS NOT NULL THEN RAISE EXCEPTION '%', found USING ERRCODE = '" +
         std::string(pg::older_one_works) + "'; END IF; END $older$;";
}

}  // namespace

Result<void> migrate_hub(pg::Connection& connection) { return migrate_hub(connection, our_steps); }

Result<void> migrate_hub(pg::Connection& connection, std::span<const pg::Step> steps) {
  return pg::migrate(connection, {.version_table = "schema",
                                  .whose = "the store",
                                  .first = first_version,
                                  .steps = steps,
                                  .refuse_older = &refuse_while_older_ones_live});
}

std::string with_schema_version(std::string_view program_version, int schema_version) {
  return std::string(program_version) + ", schema " + std::to_string(schema_version);
}

}  // namespace parlance::store
