SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION audit_stays() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
  RAISE EXCEPTION 'the audit is only added to';
END $$;
CREATE FUNCTION bury(lease interval) RETURNS void
    LANGUAGE sql
    AS $$
  UPDATE hubs SET dead = true
    WHERE NOT dead AND clock_timestamp() > greatest(expires_at, pg_postmaster_start_time() + lease) $$;
CREATE FUNCTION claim(c bigint, me text, lease interval, OUT of_epoch bigint, OUT of_revision bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$ BEGIN
  UPDATE hubs SET dead = true
    WHERE NOT dead AND clock_timestamp() > greatest(expires_at, pg_postmaster_start_time() + lease)
    AND id = (SELECT owner FROM conversations WHERE number = c);
  UPDATE conversations SET owner = me, epoch = epoch + 1, revision = revision + 1 WHERE number = c
    AND (owner IS NULL OR EXISTS (SELECT 1 FROM hubs WHERE id = owner AND dead))
    AND EXISTS (SELECT 1 FROM hubs WHERE id = me AND NOT dead)
    RETURNING epoch, revision INTO of_epoch, of_revision;
END $$;
CREATE FUNCTION fence(c bigint, me text, e bigint, r bigint, n bigint, m bigint, t bigint, at text) RETURNS void
    LANGUAGE plpgsql
    AS $$ BEGIN
  UPDATE conversations SET revision = r + 1, last_seq = last_seq + n, messages = messages + m, tool_calls = tool_calls + t,
    updated_at = CASE WHEN at COLLATE "C" > updated_at COLLATE "C" THEN at ELSE updated_at END
    WHERE number = c AND owner = me AND epoch = e AND revision = r;
  IF NOT FOUND THEN RAISE EXCEPTION 'not the owner, or not the next commit' USING ERRCODE = 'PF001'; END IF;
END $$;
CREATE FUNCTION users_stay() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.name_key := lower(NEW.name COLLATE "C");
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a user keeps id and name and is never deleted: disable the user';
END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE asks (
    id text NOT NULL,
    conversation text NOT NULL,
    state text NOT NULL,
    expires_at text,
    answers text NOT NULL,
    body text NOT NULL
);
CREATE TABLE attachments (
    id text NOT NULL,
    conversation text NOT NULL,
    body text NOT NULL,
    data bytea NOT NULL
);
CREATE TABLE audit (
    number bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    what text NOT NULL,
    user_id text NOT NULL,
    by_name text NOT NULL,
    about text NOT NULL,
    conversation text NOT NULL,
    detail text NOT NULL
);
ALTER TABLE audit ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME audit_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE commands (
    number bigint NOT NULL,
    id text NOT NULL,
    conversation bigint NOT NULL,
    user_id text DEFAULT ''::text NOT NULL,
    body text NOT NULL,
    outcome text
);
ALTER TABLE commands ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME commands_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE conversations (
    number bigint NOT NULL,
    id text NOT NULL,
    user_id text DEFAULT ''::text NOT NULL,
    access text DEFAULT 'private'::text NOT NULL,
    place text DEFAULT ''::text NOT NULL,
    owner text,
    epoch bigint DEFAULT 0 NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    last_seq bigint DEFAULT 0 NOT NULL,
    messages bigint DEFAULT 0 NOT NULL,
    tool_calls bigint DEFAULT 0 NOT NULL,
    turn text NOT NULL,
    native_session text NOT NULL,
    native_how text NOT NULL,
    updated_at text NOT NULL,
    body text NOT NULL
)
WITH (fillfactor='70');
ALTER TABLE conversations ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME conversations_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE events (
    conversation bigint NOT NULL,
    seq bigint NOT NULL,
    body text NOT NULL
);
CREATE TABLE hubs (
    id text NOT NULL,
    version text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    dead boolean DEFAULT false NOT NULL
);
CREATE TABLE rules (
    number bigint NOT NULL,
    id text NOT NULL,
    user_id text DEFAULT ''::text NOT NULL,
    conversation text,
    body text NOT NULL,
    scope text NOT NULL
);
ALTER TABLE rules ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME rules_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE rules_version (
    version bigint NOT NULL
);
CREATE TABLE runners (
    name text NOT NULL,
    user_id text DEFAULT ''::text NOT NULL,
    hub text,
    connection bigint NOT NULL,
    since text NOT NULL,
    body text NOT NULL
);
CREATE TABLE schema (
    version integer NOT NULL,
    least_reader integer NOT NULL
);
CREATE TABLE search_open (
    conversation bigint NOT NULL,
    first bigint NOT NULL
);
CREATE TABLE search_parts (
    number bigint NOT NULL,
    conversation bigint NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    grams integer[]
);
ALTER TABLE ONLY search_parts ALTER COLUMN grams SET STATISTICS 0;
ALTER TABLE search_parts ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME search_parts_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE settings (
    name text NOT NULL,
    body text NOT NULL
);
CREATE TABLE spent (
    number bigint NOT NULL,
    day text NOT NULL,
    conversation text NOT NULL,
    body text NOT NULL
);
ALTER TABLE spent ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME spent_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE tokens (
    id text NOT NULL,
    hash bytea NOT NULL,
    page_hash bytea NOT NULL,
    user_id text NOT NULL,
    kind text NOT NULL,
    label text NOT NULL,
    created_at text NOT NULL,
    expires_at text
);
CREATE TABLE users (
    id text NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    role text NOT NULL,
    disabled boolean DEFAULT false NOT NULL
);
INSERT INTO asks VALUES ('ask_2', 'c1', 'orphaned', NULL, '[]', '{"id":"ask_2","conversation":"c1","kind":"permission","title":"Run make","why":"","options":[],"digest":"","state":"orphaned","created_at":""}');
INSERT INTO attachments VALUES ('att_1', 'c1', '{"id":"att_1","media_type":"image/png","name":"a.png","bytes":3}', '\x616263');
INSERT INTO commands OVERRIDING SYSTEM VALUE VALUES (1, 'k1', 1, 'user_ann', '{"by":"ann","command":{"kind":"send_prompt","text":"of another gateway","options":{},"attachments":[],"context":[]}}', NULL);
INSERT INTO conversations OVERRIDING SYSTEM VALUE VALUES (1, 'c1', '', 'private', '', 'gateway_a', 1, 1, 30, 4, 2, '', '', 'resume', '2026-01-01T00:00:00.000Z', '{"id":"c1","title":"","agent":"a","folder":"/f","folders":[],"named":false,"mode":"default","model":"","think":false,"state":"idle","open_asks":0,"queued":[],"last_seq":0,"created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z"}');
INSERT INTO events VALUES (1, 30, '{"seq":30,"time":"","kind":"turn_end","turn":"t9","stop_reason":"end_turn","duration_ms":0}');
INSERT INTO events VALUES (1, 29, '{"seq":29,"time":"","kind":"user_message","turn":"t9","text":"Say hello to the world"}');
INSERT INTO events VALUES (1, 28, '{"seq":28,"time":"2026-12-01T08:00:00.000Z","kind":"turn_start","turn":"t9"}');
INSERT INTO events VALUES (1, 27, '{"seq":27,"time":"2026-01-01T00:00:00.000Z","kind":"usage","input_tokens":18446744073709551615,"output_tokens":0,"cost":{"amount":0.1,"currency":"USD"}}');
INSERT INTO events VALUES (1, 26, '{"seq":26,"time":"2026-01-01T00:00:00.000Z","kind":"tool_update","call":"k","input":[],"content":[{"type":"diff","path":"p","after":"x"}]}');
INSERT INTO events VALUES (1, 25, '{"seq":25,"time":"2026-01-01T00:00:00.000Z","kind":"tool_start","call":"k","tool":"run","title":"","input":{ "a" : [1, 2.50, "\u00e9\ud83d\ude00"] }}');
INSERT INTO events VALUES (1, 24, '{"seq":24,"time":"2026-01-01T00:00:00.000Z","kind":"text","text":"It''s \"quoted\" \\ \n\t\u0001 主题 😀 {a,b}"}');
INSERT INTO events VALUES (1, 23, '{"seq":23,"time":"2026-01-01T00:00:00.000Z","kind":"turn_end","turn":"","stop_reason":"end_turn","duration_ms":0}');
INSERT INTO events VALUES (1, 22, '{"seq":22,"time":"2026-01-01T00:00:00.000Z","kind":"error","code":"","message":"","detail":"","retryable":false}');
INSERT INTO events VALUES (1, 21, '{"seq":21,"time":"2026-01-01T00:00:00.000Z","kind":"notice","level":"info","text":"","detail":""}');
INSERT INTO events VALUES (1, 20, '{"seq":20,"time":"2026-01-01T00:00:00.000Z","kind":"cleared"}');
INSERT INTO events VALUES (1, 19, '{"seq":19,"time":"2026-01-01T00:00:00.000Z","kind":"commands","commands":[]}');
INSERT INTO events VALUES (1, 18, '{"seq":18,"time":"2026-01-01T00:00:00.000Z","kind":"option","id":"","name":"","value":"","by":""}');
INSERT INTO events VALUES (1, 17, '{"seq":17,"time":"2026-01-01T00:00:00.000Z","kind":"mode","mode":"default"}');
INSERT INTO events VALUES (1, 16, '{"seq":16,"time":"2026-01-01T00:00:00.000Z","kind":"usage","input_tokens":0,"output_tokens":0}');
INSERT INTO events VALUES (1, 15, '{"seq":15,"time":"2026-01-01T00:00:00.000Z","kind":"plan","entries":[]}');
INSERT INTO events VALUES (1, 14, '{"seq":14,"time":"2026-01-01T00:00:00.000Z","kind":"ask_settled","ask":"","state":"answered","by":""}');
INSERT INTO events VALUES (1, 13, '{"seq":13,"time":"2026-01-01T00:00:00.000Z","kind":"plan_approval","ask":{"id":"","conversation":"","kind":"permission","title":"","why":"","options":[],"digest":"","state":"open","created_at":""}}');
INSERT INTO events VALUES (1, 12, '{"seq":12,"time":"2026-01-01T00:00:00.000Z","kind":"user_question","ask":{"id":"","conversation":"","kind":"permission","title":"","why":"","options":[],"digest":"","state":"open","created_at":""}}');
INSERT INTO events VALUES (1, 11, '{"seq":11,"time":"2026-01-01T00:00:00.000Z","kind":"tool_confirmation","ask":{"id":"","conversation":"","kind":"permission","title":"","why":"","options":[],"digest":"","state":"open","created_at":""}}');
INSERT INTO events VALUES (1, 10, '{"seq":10,"time":"2026-01-01T00:00:00.000Z","kind":"tool_end","call":"","state":"done"}');
INSERT INTO events VALUES (1, 9, '{"seq":9,"time":"2026-01-01T00:00:00.000Z","kind":"tool_output","call":"","text":""}');
INSERT INTO events VALUES (1, 8, '{"seq":8,"time":"2026-01-01T00:00:00.000Z","kind":"tool_update","call":""}');
INSERT INTO events VALUES (1, 7, '{"seq":7,"time":"2026-01-01T00:00:00.000Z","kind":"tool_start","call":"","tool":"","title":"","input":null}');
INSERT INTO events VALUES (1, 6, '{"seq":6,"time":"2026-01-01T00:00:00.000Z","kind":"thinking_end","duration_ms":0}');
INSERT INTO events VALUES (1, 5, '{"seq":5,"time":"2026-01-01T00:00:00.000Z","kind":"thinking_content","text":""}');
INSERT INTO events VALUES (1, 4, '{"seq":4,"time":"2026-01-01T00:00:00.000Z","kind":"thinking_start"}');
INSERT INTO events VALUES (1, 3, '{"seq":3,"time":"2026-01-01T00:00:00.000Z","kind":"text","text":""}');
INSERT INTO events VALUES (1, 2, '{"seq":2,"time":"2026-01-01T00:00:00.000Z","kind":"user_message","turn":"","text":""}');
INSERT INTO events VALUES (1, 1, '{"seq":1,"time":"2026-01-01T00:00:00.000Z","kind":"turn_start","turn":""}');
INSERT INTO hubs VALUES ('gateway_a', 't', '2026-11-28 13:20:41.365677+00', true);
INSERT INTO rules OVERRIDING SYSTEM VALUE VALUES (1, 'rule_1', '', NULL, '{"id":"rule_1","effect":"allow","label":"Edits in /f","created_at":""}', '{"folder":"/f","tool":"edit_file","command_words":[]}');
INSERT INTO rules_version VALUES (1);
INSERT INTO schema VALUES (6, 6);
INSERT INTO search_parts OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, 30, '{-2142128220,-2117167934,-2048151143,-1996166727,-1633446469,-1591871432,-1569813806,-1544835793,-1522725273,-1493650635,-1401600598,-1396091541,-1274105316,-1224611102,-1185018195,-1129586646,-995560483,-984195113,-961264350,-920879520,-902651998,-837275935,-779759376,-697842757,-614395947,-613954662,-471779092,-447589641,-431100079,22084809,143092550,151135949,179613742,535355467,624067241,841835811,928617342,1013785365,1163494321,1222037979,1351478841,1425547925,1434096951,1460300237,1460690508,1585992344,1697194479,1700374589,1715399121,1730783050,1747729925,1779020437,1788718215,1816494780,1994988006,2038166188}');
INSERT INTO settings VALUES ('spending_limits', '{"day_tokens":100}');
INSERT INTO spent OVERRIDING SYSTEM VALUE VALUES (1, '2026-12-01', 'c1', '{"turns":1,"untold_turns":0,"input_tokens":12,"output_tokens":0,"cache_read_tokens":0,"costs":[]}');
SELECT pg_catalog.setval('audit_number_seq', 1, false);
SELECT pg_catalog.setval('commands_number_seq', 1, true);
SELECT pg_catalog.setval('conversations_number_seq', 1, true);
SELECT pg_catalog.setval('rules_number_seq', 1, true);
SELECT pg_catalog.setval('search_parts_number_seq', 1, true);
SELECT pg_catalog.setval('spent_number_seq', 1, true);
ALTER TABLE ONLY asks
    ADD CONSTRAINT asks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY attachments
    ADD CONSTRAINT attachments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (number);
ALTER TABLE ONLY commands
    ADD CONSTRAINT commands_id_key UNIQUE (id);
ALTER TABLE ONLY commands
    ADD CONSTRAINT commands_pkey PRIMARY KEY (number);
ALTER TABLE ONLY conversations
    ADD CONSTRAINT conversations_id_key UNIQUE (id);
ALTER TABLE ONLY conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_pkey PRIMARY KEY (conversation, seq);
ALTER TABLE ONLY hubs
    ADD CONSTRAINT hubs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY rules
    ADD CONSTRAINT rules_id_key UNIQUE (id);
ALTER TABLE ONLY rules
    ADD CONSTRAINT rules_pkey PRIMARY KEY (number);
ALTER TABLE ONLY runners
    ADD CONSTRAINT runners_pkey PRIMARY KEY (name);
ALTER TABLE ONLY search_open
    ADD CONSTRAINT search_open_pkey PRIMARY KEY (conversation);
ALTER TABLE ONLY search_parts
    ADD CONSTRAINT search_parts_pkey PRIMARY KEY (number);
ALTER TABLE ONLY settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY spent
    ADD CONSTRAINT spent_pkey PRIMARY KEY (number);
ALTER TABLE ONLY tokens
    ADD CONSTRAINT tokens_hash_key UNIQUE (hash);
ALTER TABLE ONLY tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY users
    ADD CONSTRAINT users_name_key UNIQUE (name);
ALTER TABLE ONLY users
    ADD CONSTRAINT users_name_key_key UNIQUE (name_key);
ALTER TABLE ONLY users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX asks_of_conversation ON asks USING btree (conversation);
CREATE INDEX asks_waiting ON asks USING btree (state) WHERE (state = ANY (ARRAY['open'::text, 'orphaned'::text]));
CREATE INDEX attachments_of_conversation ON attachments USING btree (conversation);
CREATE INDEX audit_of_conversation ON audit USING btree (conversation) WHERE (conversation <> ''::text);
CREATE INDEX commands_waiting ON commands USING btree (conversation) WHERE (outcome IS NULL);
CREATE INDEX conversations_of_owner ON conversations USING btree (owner);
CREATE INDEX search_parts_by_grams ON search_parts USING gin (grams) WITH (fastupdate='on', gin_pending_list_limit='256');
CREATE INDEX search_parts_not_indexed ON search_parts USING btree (number) WHERE (grams IS NULL);
CREATE INDEX search_parts_of_conversation ON search_parts USING btree (conversation);
CREATE INDEX spent_of_day ON spent USING btree (day);
CREATE TRIGGER audit_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_stays();
CREATE TRIGGER users_are_not_truncated BEFORE TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION users_stay();
CREATE TRIGGER users_stay BEFORE INSERT OR DELETE OR UPDATE OF id, name, name_key ON users FOR EACH ROW EXECUTE FUNCTION users_stay();
ALTER TABLE ONLY asks
    ADD CONSTRAINT asks_conversation_fkey FOREIGN KEY (conversation) REFERENCES conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY attachments
    ADD CONSTRAINT attachments_conversation_fkey FOREIGN KEY (conversation) REFERENCES conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY commands
    ADD CONSTRAINT commands_conversation_fkey FOREIGN KEY (conversation) REFERENCES conversations(number) ON DELETE CASCADE;
ALTER TABLE ONLY conversations
    ADD CONSTRAINT conversations_owner_fkey FOREIGN KEY (owner) REFERENCES hubs(id);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_conversation_fkey FOREIGN KEY (conversation) REFERENCES conversations(number) ON DELETE CASCADE;
ALTER TABLE ONLY search_open
    ADD CONSTRAINT search_open_conversation_fkey FOREIGN KEY (conversation) REFERENCES conversations(number) ON DELETE CASCADE;
ALTER TABLE ONLY search_parts
    ADD CONSTRAINT search_parts_conversation_fkey FOREIGN KEY (conversation) REFERENCES conversations(number) ON DELETE CASCADE;
ALTER TABLE ONLY tokens
    ADD CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
