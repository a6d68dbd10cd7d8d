// SPDX-License-Identifier: Apache-2.0
// The hosts and actions of the states of the page (states.mjs).

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './modules.mjs';
import { composer, say, waits } from './page.mjs';
import { textsOf } from './texts.mjs';

const HOUR = 3_600_000;
const ago = (ms) => new Date(Date.now() - ms).toISOString();
export const options = (always) => [
  { id: 'y', label: 'Allow once', kind: 'allow_once', dangerous: false },
  { id: 'a', label: always, kind: 'allow_always', dangerous: false },
  { id: 'n', label: 'Reject', kind: 'reject_once', dangerous: false },
];

/** A person's conversations. */
export function furnish(host) {
  host.addConversation({
    title: '整理发布说明',
    agent: 'claude',
    folder: '/home/ann/code/site',
    updated_at: ago(24 * HOUR),
  });
  host.addConversation({ title: 'Which orders have no customer?', updated_at: ago(1.2 * HOUR) });
  host.update(host.addConversation({ title: 'Explain the codec benchmarks', updated_at: ago(140_000) }), {
    state: 'running',
  });
  host.addRule('Read files in ~/code/engine');
}

/** Agents with and without a sign-in, missing agents, and a model on this machine. */
export function firstStart(host) {
  const [rehearsal, claude] = host.agents;
  host.agents = [claude, { ...claude, id: 'gemini', name: 'Gemini CLI', models: [], keeps_sessions: false }, rehearsal];
  host.capabilities = ['setup', 'models'];
  host.setup = {
    agents: [
      { id: 'gemini', name: 'Gemini CLI', installed: true, command: 'gemini' },
      {
        id: 'codex-acp',
        name: 'Codex (ACP)',
        installed: false,
        command: 'npm install -g @agentclientprotocol/codex-acp',
      },
      { id: 'qwen', name: 'Qwen Code', installed: false, command: 'npm install -g @qwen-code/qwen-code' },
    ],
    folders: ['/home/ann/code/engine', '/home/ann/code/site', '/srv/www'],
  };
  host.models = {
    vendors: [{ id: 'ollama', name: 'Ollama', url: 'http://127.0.0.1:11434/v1', dialect: 'openai', needs_key: false }],
    found: [{ vendor: 'ollama', url: 'http://127.0.0.1:11434/v1', models: ['qwen3'], key_variable: '' }],
  };
  host.sessions.list = [
    {
      id: 's-1',
      folder: '/home/ann/code/engine',
      title: 'Why does the codec copy?',
      updated_at: ago(HOUR),
      events: [],
    },
  ];
}

/** A turn that has reached a waiting point. */
export function begun(host) {
  furnish(host);
  const id = host.addConversation({ title: 'Fix the flaky reconnect test', agent: 'claude', model: 'opus' });
  host.emit(
    id,
    { kind: 'turn_start', turn: 't' },
    { kind: 'user_message', turn: 't', text: 'The reconnect test fails one time in fifty. Find out why and fix it.' },
    { kind: 'thinking_start' },
    { kind: 'thinking_content', text: 'Two timers race.' },
    { kind: 'thinking_end', duration_ms: 12_000 },
    {
      kind: 'text',
      text: 'The test waits 50 ms for the peer to come back. The peer waits for its own back-off first, which starts at 40 ms and has jitter, so the two race. I would wait for the `ready` event instead of the clock.',
    },
    ...['tests/reconnect_test.cpp', 'src/peer.cpp', 'src/peer.h', 'src/backoff.h'].flatMap((file, i) => [
      { kind: 'tool_start', call: `r${i}`, tool: 'read_file', title: file, input: { path: file } },
      { kind: 'tool_end', call: `r${i}`, state: 'done', output: 'peer.kill();\n' },
    ]),
    {
      kind: 'plan',
      entries: [
        ['Reproduce the failure', 'completed'],
        ['Wait for the event, not the clock', 'in_progress'],
        ['Run it 200 times', 'pending'],
      ].map(([content, status]) => ({ content, status, priority: 'medium' })),
    },
    { kind: 'usage', input_tokens: 18_000, output_tokens: 204, cost: { amount: 0.11, currency: 'USD' } },
  );
  return id;
}

export function asks(host, { before, after }, more) {
  const id = begun(host);
  host.emit(id, { kind: 'tool_start', call: 'e', tool: 'edit_file', title: 'tests/reconnect_test.cpp', input: {} });
  host
    .ask(id, {
      kind: 'permission',
      call: 'e',
      tool: 'edit_file',
      title: 'tests/reconnect_test.cpp',
      why: 'Claude Code wants to change a file in ~/code/engine.',
      diff: { path: 'tests/reconnect_test.cpp', before, after },
      options: options('Always edits in tests/'),
    })
    .catch(() => {});
  for (const [tool, title, why, always] of more)
    host.ask(id, { kind: 'permission', tool, title, why, options: options(always) }).catch(() => {});
  return id;
}
const LINES = Array.from({ length: 60 }, (_, i) => `  step_${i + 1}();`);
const BEFORE = [...LINES.slice(0, 40), '  peer.kill();', '  loop.advance(50ms);', ...LINES.slice(42)].join('\n') + '\n';
export const DIFF = {
  before: BEFORE,
  after: BEFORE.replace('  loop.advance(50ms);', '  auto back = peer.next(Event::ready);\n  loop.run_until(back);'),
};
export const RUN = [
  'run_command',
  'ctest --test-dir build -R reconnect --repeat until-fail:200',
  'Claude Code wants to run a command in ~/code/engine.',
  'Always ctest here',
];
export const FETCH = [
  'web_fetch',
  'https://example.org/jitter',
  'Claude Code wants to read a page.',
  'Always example.org',
];
export const LONG = `docker run --rm --network none -v "$PWD":/work -w /work gcc:14 bash -euxc '\n${Array.from({ length: 40 }, (_, i) => `  cmake --build build --target step_${i + 1} && ctest --test-dir build -R step_${i + 1} --output-on-failure`).join('\n')}\n'`;

export const chosen = (host) =>
  [...host.conversations.values()].find(({ conversation }) => conversation.title.startsWith('Fix the flaky'))
    .conversation.id;
/** Presses a button by the id of its text. `views`: the id belongs to a separate view. */
export const press = async (page, id, { views = false } = {}) => {
  const texts = await textsOf(page);
  await page.getByRole('button', { name: (views ? texts.views : texts)[id], exact: true }).click();
};
/** Makes the list visible. On a narrow page its button also counts the waiting requests. */
export const showList = async (page) => {
  await composer(page).waitFor();
  if (await page.locator('.sidebar').isHidden())
    await page.getByRole('button', { name: (await textsOf(page)).show_conversations }).click();
};
export const open = async (page) => {
  await showList(page);
  await page.locator('.conv', { hasText: 'Fix the flaky' }).click();
};
export const waiting = (n) => async (page) => {
  await open(page);
  await waits(page)
    .nth(n - 1)
    .waitFor();
  await page.locator('.diff .add').first().waitFor();
};
export const says = (text, until) => async (page, host) => {
  await composer(page).waitFor();
  await say(page, text);
  await until(page, host);
};
export const card = (page) => waits(page).first().waitFor();

/** Mira looks; Jon has joined, answered, and opened a conversation. */
export function teamwork(host) {
  host.team = {
    user: 'user_mira',
    role: 'member',
    people: [
      { id: 'user_jon', name: 'jon' },
      { id: 'user_mira', name: 'mira' },
    ],
  };
  const id = begun(host);
  host.update(host.addConversation({ title: 'Move the site to the new host' }), { user: 'user_jon', access: 'view' });
  for (const { conversation } of host.conversations.values())
    if (!conversation.user)
      host.update(conversation.id, { user: 'user_mira', ...(conversation.id === id && { access: 'team' }) });
  host.emit(id, { kind: 'tool_start', call: 'e', tool: 'run_command', title: RUN[1], input: {} });
  host
    .ask(id, { kind: 'permission', call: 'e', tool: RUN[0], title: RUN[1], why: RUN[2], options: options(RUN[3]) })
    .catch(() => {});
  host.settle([...host.asks.keys()].at(-1), { state: 'answered', chosen: 'y', by: 'jon' });
  host.emit(
    id,
    { kind: 'tool_end', call: 'e', state: 'done', output: '200 times\n' },
    { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 40_000 },
    { kind: 'turn_start', turn: 'u' },
    { kind: 'user_message', turn: 'u', text: 'Say what jitter does, too.', by: 'jon' },
    { kind: 'text', text: 'It spreads those that come back.' },
    { kind: 'turn_end', turn: 'u', stop_reason: 'end_turn', duration_ms: 900 },
  );
  return id;
}

export const remembered = [
  {
    id: 'm1',
    text: 'The person prefers tabs, and tests that wait for events instead of the clock.',
    category: 'preference',
    importance: 0.9,
    source: 'agent',
    created_at: ago(3 * HOUR),
  },
  {
    id: 'm2',
    text: 'Releases are cut on Thursdays from the branch `stable`.',
    category: 'decision',
    importance: 0.7,
    source: 'manual',
    created_at: ago(50 * HOUR),
  },
  {
    id: 'm3',
    text: 'The staging database is PostgreSQL 16 on host lisbon.',
    category: 'fact',
    importance: 0.6,
    source: 'import',
    created_at: ago(90 * HOUR),
  },
];

const dayOf = (ms) => new Date(Date.now() - ms).toLocaleDateString('sv');
const spent = (inputTokens, outputTokens, amount, more = {}) => ({
  turns: 3,
  untold_turns: 0,
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cache_read_tokens: 1_200,
  costs: amount ? [{ amount, currency: 'USD' }] : [],
  ...more,
});
export const chosenOrFirst = (host) => [...host.conversations.keys()];
export const used = ([first, second]) => [
  { day: dayOf(24 * HOUR), conversation: first, spent: spent(410_000, 12_000, 2.4) },
  { day: dayOf(24 * HOUR), conversation: 'gone', spent: spent(90_000, 900, 0, { untold_turns: 2 }) },
  {
    day: dayOf(0),
    conversation: second,
    spent: spent(118_000, 4_300, 0.81, {
      costs: [
        { amount: 0.81, currency: 'USD' },
        { amount: 3.2, currency: 'CNY' },
      ],
    }),
  },
];

/** A database of a shop, made by the program itself. */
let made;
function aDatabase() {
  if (made) return made;
  made = join(mkdtempSync(join(tmpdir(), 'parlance-states-')), 'orders.db');
  const sql = `CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT); CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INT REFERENCES customers, placed TEXT NOT NULL, total REAL, note TEXT, slip BLOB);
    CREATE INDEX by_customer ON orders(customer); CREATE VIEW unpaid AS SELECT * FROM orders WHERE total > 0;
    INSERT INTO customers VALUES(1,'Ada','London'),(2,'王芳','杭州'),(3,'Grace','New York');
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<180) INSERT INTO orders SELECT i, i%3+1, date('2026-08-01', '+'||i||' days'), round(i*7.35, 2), CASE WHEN i%4=0 THEN NULL WHEN i%4=1 THEN '' ELSE 'left at the door, rang twice, nobody was there' END, CASE WHEN i%5=0 THEN zeroblob(i*211) END FROM c`;
  const lines = [
    ['connect', { path: made, create: true }],
    ['execute', { path: made, sql }],
  ].map(([cmd, payload], id) => JSON.stringify({ v: 1, id, cmd, payload }));
  spawnSync(program, ['sqlite', '--log-level', 'error'], { input: `${lines.join('\n')}\n` });
  return made;
}
export const showsDatabase = async (page, host) => {
  await composer(page).waitFor();
  await page.goto(`${host.origin}/#sqlite=${encodeURIComponent(aDatabase())}`);
  await page.locator('.viewer .rows .row').first().waitFor();
  const tables = page.getByRole('button', { name: (await textsOf(page)).views.tables, exact: true });
  if (await tables.isVisible()) await tables.click();
  await page.getByRole('button', { name: 'orders', exact: true }).click();
  await page.getByText('BLOB 1.0 KB').waitFor({ state: 'attached' });
};
/** A viewed cell is scrolled into view as a whole; a picture shows the table from its first column. */
export const toTheLeft = (page) =>
  page.locator('.viewer .grid').evaluate((grid) => {
    grid.scrollLeft = 0;
  });
export const found = [
  ['storage', 'ok', 'state folder', '/home/ann/.local/state/parlance'],
  ['storage', 'ok', 'conversations', '/home/ann/.local/state/parlance/hub.db'],
  ['storage', 'bad', 'disk', '31 MiB free', 'free some space: conversations are written before they are shown'],
  ['model', 'ok', 'model', 'openai at http://127.0.0.1:11434/v1 has qwen3:8b'],
  ['services', 'ok', 'gateway', 'answers on http://127.0.0.1:55003/'],
  [
    'services',
    'note',
    'embedding',
    'the service does not run (127.0.0.1:50001); parlance up or parlance embed starts it',
  ],
  ['agents', 'note', 'agent gemini', 'not installed: npm install -g @google/gemini-cli'],
  ['settings', 'ok', 'configuration', '/home/ann/.config/parlance/parlance.toml'],
].map(([group, state, what, detail, cure]) => ({ group, state, what, detail, ...(cure && { cure }) }));

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
