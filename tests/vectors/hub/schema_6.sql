PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
INSERT INTO conversations VALUES(1,'conv_1',11,2,1,'','s1','fork','2026-12-01T08:00:00.000Z','{"id":"conv_1","title":"Hello","agent":"parlance","folder":"/f","folders":[],"named":false,"mode":"default","model":"","think":false,"state":"idle","open_asks":0,"queued":[],"last_seq":0,"created_at":"2026-12-01T08:00:00.000Z","updated_at":"2026-12-01T08:00:00.000Z"}');
CREATE TABLE events(
  conversation INTEGER NOT NULL REFERENCES conversations(number) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY(conversation, seq)) WITHOUT ROWID;
INSERT INTO events VALUES(1,1,'{"seq":1,"time":"2026-12-01T08:00:00.000Z","kind":"turn_start","turn":"t1"}');
INSERT INTO events VALUES(1,2,'{"seq":2,"time":"2026-12-01T08:00:00.000Z","kind":"user_message","turn":"t1","text":"Say hello to the world"}');
INSERT INTO events VALUES(1,3,'{"seq":3,"time":"2026-12-01T08:00:00.000Z","kind":"tool_start","call":"k1","tool":"edit_file","title":"notes.txt","input":{"path":"notes.txt"}}');
INSERT INTO events VALUES(1,4,'{"seq":4,"time":"2026-12-01T08:00:00.000Z","kind":"tool_confirmation","ask":{"id":"ask_1","conversation":"conv_1","kind":"permission","call":"k1","title":"Change notes.txt","why":"The agent asks.","options":[],"digest":"","state":"open","created_at":""}}');
INSERT INTO events VALUES(1,5,'{"seq":5,"time":"2026-12-01T08:00:00.000Z","kind":"ask_settled","ask":"ask_1","state":"answered","chosen":"allow","by":"person"}');
INSERT INTO events VALUES(1,6,'{"seq":6,"time":"2026-12-01T08:00:00.000Z","kind":"tool_update","call":"k1","content":[{"type":"diff","path":"notes.txt","before":"a","after":"b"}]}');
INSERT INTO events VALUES(1,7,'{"seq":7,"time":"2026-12-01T08:00:00.000Z","kind":"tool_output","call":"k1","text":"Changed notes.txt."}');
INSERT INTO events VALUES(1,8,'{"seq":8,"time":"2026-12-01T08:00:00.000Z","kind":"tool_end","call":"k1","state":"done"}');
INSERT INTO events VALUES(1,9,'{"seq":9,"time":"2026-12-01T08:00:00.000Z","kind":"text","text":"Done: 你好."}');
INSERT INTO events VALUES(1,10,'{"seq":10,"time":"2026-12-01T08:00:00.000Z","kind":"usage","input_tokens":12,"output_tokens":3,"cost":{"amount":0.25,"currency":"USD"}}');
INSERT INTO events VALUES(1,11,'{"seq":11,"time":"2026-12-01T08:00:00.000Z","kind":"turn_end","turn":"t1","stop_reason":"end_turn","duration_ms":0}');
CREATE TABLE asks(
  id TEXT PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  expires_at TEXT,
  answers TEXT NOT NULL,
  body TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO asks VALUES('ask_2','conv_1','orphaned',NULL,'[]','{"id":"ask_2","conversation":"conv_1","kind":"permission","title":"Run make","why":"","options":[],"digest":"","state":"orphaned","created_at":""}');
CREATE TABLE rules(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  conversation TEXT,
  body TEXT NOT NULL,
  scope TEXT NOT NULL);
INSERT INTO rules VALUES(1,'rule_1',NULL,'{"id":"rule_1","effect":"allow","label":"Edits in /f","created_at":""}','{"folder":"/f","tool":"edit_file","command_words":[]}');
CREATE TABLE attachments(
  id TEXT PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  data BLOB NOT NULL);
INSERT INTO attachments VALUES('att_1','conv_1','{"id":"att_1","media_type":"image/png","name":"a.png","bytes":3}',X'616263');
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
INSERT INTO spent VALUES('2026-12-01','conv_1',1,0,12,3,0,'[]');
CREATE TABLE search_parts(
  number INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL REFERENCES conversations(number) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  indexed INTEGER NOT NULL);
INSERT INTO search_parts VALUES(1,1,1,11,1);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','search_text','search_text',0,'CREATE VIRTUAL TABLE search_text USING fts5(text, tokenize=''trigram'', detail=none, columnsize=0)');
CREATE TABLE IF NOT EXISTS 'search_text_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO search_text_data VALUES(1,X'014d');
INSERT INTO search_text_data VALUES(10,X'000000000101010001010101');
INSERT INTO search_text_data VALUES(137438953473,X'0000012e04300a6368010202646f0102026e6f0101032068650102026e6f01020274680103016f010202776f010206e4bda0e5a5bd0101032e0a6401020274780101053a20e4bda0010103616e670102027920010103636861010103640a6e010202206e0102026f6e01010365206e010301770102023a2001020264200102026c6c010202732e0101036765200103016401010368616e01020265200103016c0101036c640a0102026c6f0102026f200101036e653a01020267650102026f740101036f20740102026e65010202726c0102027465010103726c64010103732e740102026179010103740a630102022e0a010202657301020268650102026f200102027874010103776f7201010378740a0103012e010103792068010107e4bda0e5a5bd2e010105e5a5bd2e0a0104060505060505040509060508060506060505060405050505060406050406050506050506050505060605060505050505060604060a');
CREATE TABLE IF NOT EXISTS 'search_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO search_text_idx VALUES(1,X'',2);
CREATE TABLE IF NOT EXISTS 'search_text_content'(id INTEGER PRIMARY KEY, c0);
INSERT INTO search_text_content VALUES(1,replace('Say hello to the world\nnotes.txt\nChange notes.txt\nChanged notes.txt.\nDone: 你好.\n','\n',char(10)));
CREATE TABLE IF NOT EXISTS 'search_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO search_text_config VALUES('version',4);
CREATE TABLE search_open(
  conversation INTEGER PRIMARY KEY REFERENCES conversations(number) ON DELETE CASCADE,
  first INTEGER NOT NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('rules',1);
CREATE INDEX asks_of_conversation ON asks(conversation);
CREATE INDEX asks_waiting ON asks(state) WHERE state IN ('open','orphaned');
CREATE INDEX attachments_of_conversation ON attachments(conversation);
CREATE INDEX search_parts_of_conversation ON search_parts(conversation, last);
CREATE INDEX search_parts_not_indexed ON search_parts(number) WHERE indexed=0;
CREATE TRIGGER search_parts_removed AFTER DELETE ON search_parts WHEN old.indexed BEGIN
  DELETE FROM search_text WHERE rowid=old.number;
END;
PRAGMA writable_schema=OFF;
COMMIT;
PRAGMA user_version=6;
