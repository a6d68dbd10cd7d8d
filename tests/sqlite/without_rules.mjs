#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Does every hardening rule of src/sqlite have a test? Removes the rules, one at a time, in a copy of the tree, and expects the named test
// to fail. Not part of any build; run this by hand after a change of the engine or its tests:
//
//   node tests/sqlite/without_rules.mjs [RULE…]        all rules: a quarter of an hour on two processors
//
// The copy stays in build/without_rules for the next run. Prints a table; exit code 1 if a rule can be removed unnoticed.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const copy = path.join(root, 'build/without_rules/tree');
const folder = path.join(root, 'build/without_rules/build');

const connection = 'src/parlance/sqlite/connection.cpp';
const gate = 'src/parlance/sqlite/gate.cpp';
const guard = 'src/parlance/sqlite/path_guard.cpp';
const query = 'src/parlance/sqlite/query.cpp';
const engine = 'src/parlance/sqlite/engine.cpp';

// The removed part ([file, text, replacement]), and the test that must fail. Every text must occur exactly once.
const rules = [
  [
    'H1',
    'the last look: is it read-only?',
    [[query, 'const bool reads = sqlite3_stmt_readonly(statement) != 0;', 'const bool reads = true;']],
    'Hardening.H1*',
  ],
  ['H1', 'one statement, not several', [[query, 'if (!is_blank(prepared.rest)) {', 'if (false) {']], 'Hardening.H1*'],
  ['H2', 'the authorizer before anything is prepared', [[connection, '  gate_.install(db);\n', '']], 'Hardening.H2*'],
  [
    'H3',
    'PRAGMAs only from the list',
    [
      [
        gate,
        'return deny("pragma " + std::string(name) + " is not allowed here", Fault::not_readonly);',
        'return SQLITE_OK;',
      ],
    ],
    'Hardening.H3*',
  ],
  [
    'H3',
    'functions that reach outside',
    [[gate, 'if (one_of(name, outside_functions))', 'if (false)']],
    'Hardening.H3*',
  ],
  [
    'H4',
    'virtual tables may declare themselves',
    [
      [
        gate,
        'if (one_of(first, {"sqlite_master", "sqlite_temp_master", "sqlite_schema"})) return SQLITE_OK;\n      break;',
        'break;',
      ],
    ],
    'Hardening.H4*',
  ],
  [
    'H5',
    'PRAGMA journal_mode is told',
    [[query, 'const bool only_tells = gate.only_journal_mode && !gate.saw_change;', 'const bool only_tells = false;']],
    'Hardening.H5*',
  ],
  [
    'H6',
    'opened read-only',
    [[connection, 'use == Use::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE', 'SQLITE_OPEN_READWRITE']],
    'Hardening.H6*',
  ],
  [
    'H6',
    'DEFENSIVE',
    [[connection, 'sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, &was);', '']],
    'Hardening.H6*',
  ],
  [
    'H6',
    'TRUSTED_SCHEMA',
    [[connection, 'sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &was);', '']],
    'Hardening.H6*',
  ],
  [
    'H6',
    'limits',
    [[connection, 'sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, limits::sqlite_expression_depth);', '']],
    'Hardening.H6*',
  ],
  ['H6', 'cell_size_check', [[connection, 'PRAGMA cell_size_check=1; ', '']], 'Hardening.H6*'],
  ['H6', 'query_only', [[connection, 'PRAGMA query_only=1; ', '']], 'Hardening.H6*'],
  [
    'H6',
    'the hard heap limit',
    [[connection, 'sqlite3_hard_heap_limit64(limits::sqlite_hard_heap_bytes);', '']],
    'Hardening.H6*',
  ],
  [
    'H7',
    'VACUUM INTO attaches a file',
    [[gate, 'if (vacuum && first.empty()) return SQLITE_OK;', 'if (vacuum) return SQLITE_OK;']],
    'Hardening.H7*',
  ],
  [
    'H8',
    'ATTACH',
    [
      [
        gate,
        'case SQLITE_ATTACH: return deny("ATTACH is not allowed", Fault::not_readonly);',
        'case SQLITE_ATTACH: return SQLITE_OK;',
      ],
    ],
    'Hardening.H8*',
  ],
  [
    'H9',
    'BEGIN and COMMIT',
    [
      [
        gate,
        'case SQLITE_TRANSACTION: return deny(std::string(first) + " is not allowed", Fault::not_readonly);',
        'case SQLITE_TRANSACTION: return SQLITE_OK;',
      ],
    ],
    'Hardening.H9*',
  ],
  [
    'H10',
    'temporary tables',
    [[gate, 'return deny("statement is not read-only", Fault::not_readonly);', 'return SQLITE_OK;']],
    'Hardening.H10*',
  ],
  [
    'H11',
    'the clock while it runs',
    [
      [
        connection,
        '  sqlite3_progress_handler(db, limits::sqlite_progress_steps, &Connection::on_progress, this);\n',
        '',
      ],
    ],
    'Hardening.H11TheStatementItself*',
  ],
  [
    'H11',
    'no large values',
    [[connection, 'if (reads) sqlite3_limit(db, SQLITE_LIMIT_LENGTH, limits::sqlite_cell_bytes);', '']],
    'Hardening.H11TimeoutEnds*',
  ],
  [
    'H11',
    'a slow function is left behind',
    [[engine, 'if (waiting_for_grace_) return engine_.leave_behind(*this);', 'if (waiting_for_grace_) return;']],
    'Hardening.H11ASlowFunction*',
  ],
  [
    'H11',
    'and its commit is refused',
    [[connection, 'if (!reads) sqlite3_commit_hook(db, &Connection::on_commit, this);', '']],
    'Hardening.H11ACommit*',
  ],
  [
    'H12',
    'our own waiting for locks',
    [[connection, 'sqlite3_busy_handler(db, &Connection::on_busy, this);', 'sqlite3_busy_timeout(db, 5000);']],
    'Hardening.H12*',
  ],
  [
    'H13',
    'the flag is looked at before a step',
    [
      [
        'src/parlance/sqlite/run.cpp',
        'if (now == State::committing) return true;',
        'if (now == State::committing || now == State::cancelled) return true;',
      ],
    ],
    'Hardening.H13*',
  ],
  [
    'H14',
    'inside the allowed folders',
    [[guard, 'if (inside(resolved, folder)) return true;', 'return true;']],
    'Paths.H14OnlyRegular*',
  ],
  ['H14', 'whole components are compared', [[guard, " && path[folder.size()] == '/';", ';']], 'Paths.H14OnlyRegular*'],
  ['H14', 'no devices', [[guard, 'if (path == root || inside(path, root)) return true;', '']], 'Paths.H14Without*'],
  [
    'H14',
    'no symlinks beside it',
    [[guard, '::lstat((*resolved + companion).c_str(), &beside) == 0 && !S_ISREG(beside.st_mode)', 'false']],
    'Paths.H14Companions*',
  ],
  [
    'H14',
    'the pinned file and no other',
    [[guard, 'if (file == nullptr || !std::string_view(path).starts_with(file->path()))', '']],
    'Swaps.H14NoEscapeWhenTheFileIsExchangedForAnotherFile',
  ],
  [
    'H15',
    'the header is read at once',
    [
      [
        connection,
        '    const bool wal = is_wal(handle);\n',
        '    return connection;\n    const bool wal = is_wal(handle);\n',
      ],
    ],
    'Hardening.H15*',
  ],
  [
    'H16',
    'never immutable',
    [
      [
        connection,
        'sqlite3_open_v2(file.path().c_str(), &handle, flags, "unix")',
        'sqlite3_open_v2(("file:" + file.path() + (use == Use::read ? "?immutable=1" : "")).c_str(), &handle, flags | SQLITE_OPEN_URI, "unix")',
      ],
    ],
    'Hardening.H16*',
  ],
  [
    'H17',
    'no repair that nobody asked for',
    [[connection, 'use == Use::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE', 'SQLITE_OPEN_READWRITE']],
    'Hardening.H17*',
  ],
  [
    'H18',
    'files are not trusted',
    [[connection, 'sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &was);', '']],
    'Hardening.H18*',
  ],
  [
    'H18',
    'tables behind tables are not written',
    [[connection, 'sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, &was);', '']],
    'Hardening.H18*',
  ],
  [
    'H19',
    'double quotes',
    [[connection, 'sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, &was);', '']],
    'Hardening.H19*',
  ],
  ['H20', 'load_extension', [[gate, '{"load_extension", "fts3_tokenizer"', '{"fts3_tokenizer"']], 'Hardening.H20*'],
  [
    'H21',
    'idle databases are closed',
    [
      [
        engine,
        'if (worker->last_used + settings_.idle <= loop_.now()) idle.push_back(path);',
        'if (false) idle.push_back(path);',
      ],
    ],
    'Hardening.H21*',
  ],
  [
    'H22',
    'names go through the JSON writer',
    [
      [
        'src/parlance/server/sqlite/rows.cpp',
        'json::write_text(key, column.name);',
        'key += "\\"" + column.name + "\\"";',
      ],
    ],
    'Bridge.H22*',
    'sqlite_bridge_test',
  ],
  [
    'H22',
    'SQL in the log is cut and escaped',
    [
      [
        'src/parlance/server/sqlite/sqlite_over_bridge.cpp',
        '"query", {{"id", call.id()}, {"sql", shown_sql(request.sql)}}',
        '"query", {{"id", call.id()}, {"sql", request.sql}}',
      ],
    ],
    'Bridge.H22*',
    'sqlite_bridge_test',
  ],
];

// A test that hangs without its rule counts as failed too.
const testSeconds = 120;

function refreshCopy() {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter(Boolean);
  for (const file of files) {
    const from = path.join(root, file);
    const to = path.join(copy, file);
    if (!fs.existsSync(from) || !fs.lstatSync(from).isFile()) continue;
    if (fs.existsSync(to) && fs.readFileSync(to).equals(fs.readFileSync(from))) continue;
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.copyFileSync(from, to);
  }
}

const environment = { ...process.env, CCACHE_BASEDIR: copy, CCACHE_NOHASHDIR: '1' };
function build(program) {
  const done = spawnSync('ninja', ['-C', folder, program], { encoding: 'utf8', env: environment, maxBuffer: 1 << 26 });
  return done.status === 0
    ? ''
    : done.stdout
        .split('\n')
        .filter((line) => /error|FAILED/.test(line))
        .slice(0, 3)
        .join(' ');
}
const run = (program, test) =>
  spawnSync(path.join(folder, 'bin', program), [`--gtest_filter=${test}`], {
    encoding: 'utf8',
    timeout: testSeconds * 1000,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 26,
  });

// Returns the problem, or an empty text.
function tryWithout(changes, test, program) {
  const whole = changes.map(([file]) => fs.readFileSync(path.join(copy, file), 'utf8'));
  try {
    for (const [i, [file, text, instead]] of changes.entries()) {
      if (whole[i].split(text).length !== 2) return `its text is not there once: ${file}`;
      fs.writeFileSync(
        path.join(copy, file),
        whole[i].replace(text, () => instead),
      );
    }
    const failed = build(program);
    if (failed) return `does not build: ${failed}`;
    const done = run(program, test);
    if (done.status === 0) return /\[ {2}PASSED {2}\] [1-9]/.test(done.stdout) ? 'NO TEST NOTICES' : 'no such test';
    return '';
  } finally {
    for (const [i, [file]] of changes.entries()) fs.writeFileSync(path.join(copy, file), whole[i]);
  }
}

refreshCopy();
execFileSync('cmake', ['--preset', 'release', '-S', copy, '-B', folder], {
  cwd: copy,
  stdio: 'ignore',
  env: environment,
});
const wanted = rules.filter(([rule]) => process.argv.length === 2 || process.argv.slice(2).includes(rule));
const programOf = ([, , , , program = 'sqlite_test']) => program;
const programs = new Set(wanted.map(programOf));
for (const program of programs) {
  const failed = build(program);
  if (failed) throw new Error(`${program} does not build as it is: ${failed}`);
}
let bad = 0;
for (const one of wanted) {
  const [rule, what, changes, test] = one;
  const before = Date.now();
  const wrong = tryWithout(changes, test, programOf(one));
  bad += wrong ? 1 : 0;
  console.log(
    `${rule.padEnd(4)} ${what.padEnd(42)} ${test.padEnd(36)} ${(wrong || 'fails without it').padEnd(18)} ${((Date.now() - before) / 1000).toFixed(0)} s`,
  );
}
// With all rules restored, the tests pass: the failures came from the missing rules.
for (const program of programs) {
  build(program);
  const tests = new Set(wanted.filter((rule) => programOf(rule) === program).map(([, , , test]) => test));
  if (run(program, [...tests].join(':')).status !== 0) ((bad += 1), console.log(`with all rules ${program} fails`));
}
console.log(`${wanted.length - bad} of ${wanted.length} rules have a test that fails without them`);
process.exitCode = bad ? 1 : 0;
