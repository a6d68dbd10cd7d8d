// SPDX-License-Identifier: Apache-2.0
// The possible states of the page for a person, each reached on its own host: for tests that visit all states.

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './modules.mjs';
import { composer, say, waits } from './page.mjs';

const HOUR = 3_600_000;
const ago = (ms) => new Date(Date.now() - ms).toISOString();
const options = (always) => [
  { id: 'y', label: 'Allow once', kind: 'allow_once', dangerous: false }, { id: 'a', label: always, kind: 'allow_always', dangerous: false }, { id: 'n', label: 'Reject', kind: 'reject_once', dangerous: false },
];

/** A person's conversations. */
function furnish(host) {
  host.add_conversation({ title: '整理发布说明', agent: 'claude', folder: '/home/ann/code/site', updated_at: ago(24 * HOUR) });
  host.add_conversation({ title: 'Which orders have no customer?', updated_at: ago(1.2 * HOUR) });
  host.update(host.add_conversation({ title: 'Explain the codec benchmarks', updated_at: ago(140_000) }), { state: 'running' });
  host.add_rule('Read files in ~/code/engine');
}

/** A turn that has reached a waiting point. */
function begun(host) {
  furnish(host);
  const id = host.add_conversation({ title: 'Fix the flaky reconnect test', agent: 'claude', model: 'opus' });
  host.emit(id,
    { kind: 'turn_start', turn: 't' }, { kind: 'user_message', turn: 't', text: 'The reconnect test fails one time in fifty. Find out why and fix it.' },
    { kind: 'thinking_start' }, { kind: 'thinking_content', text: 'Two timers race.' }, { kind: 'thinking_end', duration_ms: 12_000 },
    { kind: 'text', text: 'The test waits 50 ms for the peer to come back. The peer waits for its own back-off first, which starts at 40 ms and has jitter, so the two race. I would wait for the `ready` event instead of the clock.' },
    ...['tests/reconnect_test.cpp', 'src/peer.cpp', 'src/peer.h', 'src/backoff.h'].flatMap((file, i) => [
      { kind: 'tool_start', call: `r${i}`, tool: 'read_file', title: file, input: { path: file } }, { kind: 'tool_end', call: `r${i}`, state: 'done', output: 'peer.kill();\n' }]),
    { kind: 'plan', entries: [['Reproduce the failure', 'completed'], ['Wait for the event, not the clock', 'in_progress'], ['Run it 200 times', 'pending']].map(([content, status]) => ({ content, status, priority: 'medium' })) },
    { kind: 'usage', input_tokens: 18_000, output_tokens: 204, cost: { amount: 0.11, currency: 'USD' } });
  return id;
}

function asks(host, { before, after }, more) {
  const id = begun(host);
  host.emit(id, { kind: 'tool_start', call: 'e', tool: 'edit_file', title: 'tests/reconnect_test.cpp', input: {} });
  host.ask(id, { kind: 'permission', call: 'e', tool: 'edit_file', title: 'tests/reconnect_test.cpp', why: 'Claude Code wants to change a file in ~/code/engine.', diff: { path: 'tests/reconnect_test.cpp', before, after }, options: options('Always edits in tests/') }).catch(() => {});
  for (const [tool, title, why, always] of more)
    host.ask(id, { kind: 'permission', tool, title, why, options: options(always) }).catch(() => {});
  return id;
}
const LINES = Array.from({ length: 60 }, (_, i) => `  step_${i + 1}();`);
const BEFORE = [...LINES.slice(0, 40), '  peer.kill();', '  loop.advance(50ms);', ...LINES.slice(42)].join('\n') + '\n';
const DIFF = { before: BEFORE, after: BEFORE.replace('  loop.advance(50ms);', '  auto back = peer.next(Event::ready);\n  loop.run_until(back);') };
const RUN = ['run_command', 'ctest --test-dir build -R reconnect --repeat until-fail:200', 'Claude Code wants to run a command in ~/code/engine.', 'Always ctest here'];
const FETCH = ['web_fetch', 'https://example.org/jitter', 'Claude Code wants to read a page.', 'Always example.org'];
const LONG = `docker run --rm --network none -v "$PWD":/work -w /work gcc:14 bash -euxc '\n${Array.from({ length: 40 }, (_, i) => `  cmake --build build --target step_${i + 1} && ctest --test-dir build -R step_${i + 1} --output-on-failure`).join('\n')}\n'`;

const chosen = (host) => [...host.conversations.values()].find(({ conversation }) => conversation.title.startsWith('Fix the flaky')).conversation.id;
const open = (page) => page.locator('.conv', { hasText: 'Fix the flaky' }).click();
const waiting = (n) => async (page) => { await open(page); await waits(page).nth(n - 1).waitFor(); await page.locator('.diff .add').first().waitFor(); };
const says = (text, until) => async (page, host) => { await composer(page).waitFor(); await say(page, text); await until(page, host); };
const card = (page) => waits(page).first().waitFor();

/** Mira looks; Jon has joined, answered, and opened a conversation. */
export function teamwork(host) {
  host.team = { user: 'user_mira', role: 'member', people: [{ id: 'user_jon', name: 'jon' }, { id: 'user_mira', name: 'mira' }] };
  const id = begun(host);
  host.update(host.add_conversation({ title: 'Move the site to the new host' }), { user: 'user_jon', access: 'view' });
  for (const { conversation } of host.conversations.values()) if (!conversation.user) host.update(conversation.id, { user: 'user_mira', ...conversation.id === id && { access: 'team' } });
  host.emit(id, { kind: 'tool_start', call: 'e', tool: 'run_command', title: RUN[1], input: {} });
  host.ask(id, { kind: 'permission', call: 'e', tool: RUN[0], title: RUN[1], why: RUN[2], options: options(RUN[3]) }).catch(() => {});
  host.settle([...host.asks.keys()].at(-1), { state: 'answered', chosen: 'y', by: 'jon' });
  host.emit(id, { kind: 'tool_end', call: 'e', state: 'done', output: '200 times\n' }, { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 40_000 },
    { kind: 'turn_start', turn: 'u' }, { kind: 'user_message', turn: 'u', text: 'Say what jitter does, too.', by: 'jon' }, { kind: 'text', text: 'It spreads those that come back.' }, { kind: 'turn_end', turn: 'u', stop_reason: 'end_turn', duration_ms: 900 });
  return id;
}

const remembered = [
  { id: 'm1', text: 'The person prefers tabs, and tests that wait for events instead of the clock.', category: 'preference', importance: 0.9, source: 'agent', created_at: ago(3 * HOUR) },
  { id: 'm2', text: 'Releases are cut on Thursdays from the branch `stable`.', category: 'decision', importance: 0.7, source: 'manual', created_at: ago(50 * HOUR) },
  { id: 'm3', text: 'The staging database is PostgreSQL 16 on host lisbon.', category: 'fact', importance: 0.6, source: 'import', created_at: ago(90 * HOUR) },
];

const day_of = (ms) => new Date(Date.now() - ms).toLocaleDateString('sv');
const spent = (input_tokens, output_tokens, amount, more = {}) => ({ turns: 3, untold_turns: 0, input_tokens, output_tokens, cache_read_tokens: 1_200, costs: amount ? [{ amount, currency: 'USD' }] : [], ...more });
const chosen_or_first = (host) => [...host.conversations.keys()];
const used = ([first, second]) => [
  { day: day_of(24 * HOUR), conversation: first, spent: spent(410_000, 12_000, 2.4) }, { day: day_of(24 * HOUR), conversation: 'gone', spent: spent(90_000, 900, 0, { untold_turns: 2 }) },
  { day: day_of(0), conversation: second, spent: spent(118_000, 4_300, 0.81, { costs: [{ amount: 0.81, currency: 'USD' }, { amount: 3.2, currency: 'CNY' }] }) },
];

/** A database of a shop, made by the program itself. */
let made;
function a_database() {
  if (made) return made;
  made = join(mkdtempSync(join(tmpdir(), 'parlance-states-')), 'orders.db');
  const sql = `CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT); CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INT REFERENCES customers, placed TEXT NOT NULL, total REAL, note TEXT, slip BLOB);
    CREATE INDEX by_customer ON orders(customer); CREATE VIEW unpaid AS SELECT * FROM orders WHERE total > 0;
    INSERT INTO customers VALUES(1,'Ada','London'),(2,'王芳','杭州'),(3,'Grace','New York');
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<180) INSERT INTO orders SELECT i, i%3+1, date('2026-08-01', '+'||i||' days'), round(i*7.35, 2), CASE WHEN i%4=0 THEN NULL WHEN i%4=1 THEN '' ELSE 'left at the door, rang twice, nobody was there' END, CASE WHEN i%5=0 THEN zeroblob(i*211) END FROM c`;
  const lines = [['connect', { path: made, create: true }], ['execute', { path: made, sql }]].map(([cmd, payload], id) => JSON.stringify({ v: 1, id, cmd, payload }));
  spawnSync(program, ['sqlite', '--log-level', 'error'], { input: `${lines.join('\n')}\n` });
  return made;
}
const shows_database = async (page, host) => {
  await composer(page).waitFor();
  await page.goto(`${host.origin}/#sqlite=${encodeURIComponent(a_database())}`);
  await page.locator('.viewer .rows .row').first().waitFor();
  const tables = page.getByRole('button', { name: 'Tables', exact: true });
  if (await tables.isVisible()) await tables.click();
  await page.getByRole('button', { name: 'orders', exact: true }).click();
  await page.getByText('BLOB 1.0 KB').waitFor({ state: 'attached' });
};
/** A viewed cell is scrolled into view as a whole; a picture shows the table from its first column. */
const to_the_left = (page) => page.locator('.viewer .grid').evaluate((grid) => { grid.scrollLeft = 0; });
const found = [
  ['storage', 'ok', 'state folder', '/home/ann/.local/state/parlance'], ['storage', 'ok', 'conversations', '/home/ann/.local/state/parlance/hub.db'], ['storage', 'bad', 'disk', '31 MiB free', 'free some space: conversations are written before they are shown'],
  ['model', 'ok', 'model', 'openai at http://127.0.0.1:11434/v1 has qwen3:8b'], ['services', 'ok', 'gateway', 'answers on http://127.0.0.1:55003/'], ['services', 'note', 'embedding', 'the service does not run (127.0.0.1:50001); parlance up or parlance embed starts it'],
  ['agents', 'note', 'agent gemini', 'not installed: npm install -g @google/gemini-cli'], ['settings', 'ok', 'configuration', '/home/ann/.config/parlance/parlance.toml'],
].map(([group, state, what, detail, cure]) => ({ group, state, what, detail, ...(cure && { cure }) }));

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export const states = [
  { name: 'first_start', reach: (page) => page.getByText('What should we work on?').waitFor() },
  {
    name: 'streaming', prepare: (host) => { host.update(begun(host), { state: 'running' }); },
    reach: async (page, host) => {
      await open(page);
      await page.getByText('I would wait for the').waitFor();
      host.emit(chosen(host), { kind: 'text', text: 'Now the test waits for what it means:\n\n```cpp\nauto back = peer.next(Event::ready);\nloop.run_' });
      await page.getByText('loop.run_').waitFor();
    },
  },
  {
    name: 'thinking', prepare: (host) => { host.update(begun(host), { state: 'running' }); },
    reach: async (page, host) => {
      await open(page);
      await page.getByText('I would wait for the').waitFor();
      host.emit(chosen(host), { kind: 'thinking_start' }, { kind: 'thinking_content', text: 'The back-off has jitter, so a longer wait only makes the race rarer. The peer tells when it is ready, and that is what the test means.' });
      await page.getByText('The back-off has jitter').waitFor();
    },
  },
  { name: 'answer', prepare: furnish, reach: says('answer', async (page) => { await page.locator('.hljs-keyword').first().waitFor(); await page.getByText('run it 200 times').waitFor(); }) },
  { name: 'approval', prepare: (host) => asks(host, DIFF, []), reach: waiting(1) },
  { name: 'three_asks', prepare: (host) => asks(host, DIFF, [RUN, FETCH]), reach: waiting(3) },
  {
    name: 'long_command', reach: async (page) => { await open(page); await card(page); },
    prepare: (host) => { host.ask(begun(host), { kind: 'permission', tool: 'run_command', title: LONG.split('\n')[0], detail: LONG, editable: 'command', why: 'Claude Code wants to run a command in ~/code/engine.', options: options('Always docker here') }).catch(() => {}); },
  },
  { name: 'question', prepare: furnish, reach: says('question', card) },
  { name: 'plan', prepare: furnish, reach: says('plan', card) },
  {
    name: 'inbox_phone', context: PHONE, prepare: (host) => asks(host, DIFF, [RUN]),
    reach: async (page) => {
      await page.getByRole('button', { name: /^Show conversations/ }).click();
      await page.locator('.inbox').click();
      const veil = page.getByRole('button', { name: 'Hide conversations' });
      if (await veil.isVisible()) await page.keyboard.press('Escape');
      await waits(page).nth(1).waitFor();
    },
  },
  { name: 'offline', prepare: (host) => asks(host, DIFF, []), reach: async (page, host) => { await waiting(1)(page); host.available = false; host.cut(); await page.locator('.banner.lost').waitFor(); } },
  {
    name: 'after_a_crash', prepare: (host) => asks(host, DIFF, []),
    reach: async (page, host) => {
      await waiting(1)(page);
      // The gateway's message after its return: the request stays, and the turn with its calls has ended.
      for (const ask of host.asks.values()) host.settle(ask.id, { state: 'orphaned', by: 'restart' });
      host.emit(chosen(host), { kind: 'tool_end', call: 'e', state: 'cancelled' }, { kind: 'error', code: 'interrupted', message: 'parlance ended while this turn was running', detail: '', retryable: true },
        { kind: 'turn_end', turn: 't', stop_reason: 'error', duration_ms: 41_000 });
      host.update(chosen(host), { state: 'idle' });
      await page.getByRole('button', { name: 'Resume and ask again' }).waitFor();
    },
  },
  { name: 'error', prepare: furnish, reach: says('error', (page) => page.locator('.card.error').waitFor()) },
  {
    name: 'memory', prepare: (host) => { furnish(host); host.capabilities = ['memory']; host.memories = remembered; },
    reach: async (page) => { await page.getByRole('button', { name: 'Memory', exact: true }).click(); await page.locator('[data-memory]').first().waitFor(); },
  },
  {
    name: 'usage', prepare: (host) => { furnish(host); host.capabilities = ['usage']; host.spent = used(chosen_or_first(host)); host.limits = { day_tokens: 500_000 }; },
    reach: async (page) => { await page.getByRole('button', { name: 'Usage', exact: true }).click(); await page.getByRole('region', { name: 'By day' }).getByText('yesterday', { exact: false }).waitFor(); },
  },
  { name: 'sqlite', prepare: (host) => { furnish(host); host.capabilities = ['databases']; }, reach: async (page, host) => { await shows_database(page, host); await page.getByText('left at the door', { exact: false }).first().click(); await to_the_left(page); } },
  {
    name: 'sqlite_edit', prepare: (host) => { furnish(host); host.capabilities = ['databases']; },
    reach: async (page, host) => {
      await shows_database(page, host);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByText('left at the door', { exact: false }).first().dblclick();
      await page.getByRole('textbox', { name: 'New value' }).fill('left with the neighbour');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Unsaved edits' }).waitFor();
      await to_the_left(page);
    },
  },
  { name: 'sqlite_280', context: { viewport: { width: 280, height: 600 } }, prepare: (host) => { furnish(host); host.capabilities = ['databases']; }, reach: shows_database },
  {
    name: 'databases', prepare: (host) => { furnish(host); host.capabilities = ['databases']; host.databases = [{ path: '/srv/shop/orders.db', bytes: 48_234_496, named: true }, { path: '/home/ann/code/engine/build/cache.sqlite', bytes: 12_288, named: false }]; },
    reach: async (page) => { await page.getByRole('button', { name: 'Databases', exact: true }).click(); await page.getByRole('region', { name: 'Named by --databases' }).waitFor(); },
  },
  {
    name: 'doctor', prepare: (host) => { furnish(host); host.capabilities = ['doctor']; host.findings = { version: '0.1.0', bad: 1, findings: found }; },
    reach: async (page) => { await page.getByRole('button', { name: 'Settings' }).click(); await page.getByRole('button', { name: 'Check this installation' }).click(); await page.getByText('1 to fix').waitFor(); },
  },
  {
    name: 'died', prepare: (host) => { host.emit(begun(host), { kind: 'error', code: 'disconnected', message: 'claude was killed by signal 9 (SIGKILL)', detail: '', retryable: true }, { kind: 'turn_end', turn: 't', stop_reason: 'error', duration_ms: 4_000 }); },
    reach: async (page) => { await open(page); await page.locator('.banner.died').waitFor(); },
  },
  { name: 'team', prepare: teamwork, reach: async (page) => { await open(page); await page.getByLabel('Who else may see this conversation').waitFor(); } },
  {
    name: 'limit', reach: async (page) => { await open(page); await card(page); },
    prepare: (host) => {
      host.ask(begun(host), {
        kind: 'limit', title: 'As much was used as is allowed', why: 'The limit of 500,000 tokens a day is reached: 512,345 tokens were used. The agent has not been given the message yet. It goes on by itself once the limit is raised, or a new day begins',
        options: [{ id: 'once', label: 'Go on once', kind: 'allow_once', dangerous: false }, { id: 'stop', label: 'Do not go on', kind: 'reject_once', dangerous: false }],
      }).catch(() => {});
    },
  },
  { name: 'settings', prepare: furnish, reach: async (page) => { await page.getByRole('button', { name: 'Settings' }).click(); await page.getByLabel('Colours').waitFor(); } },
  { name: 'palette', prepare: furnish, reach: async (page) => { await composer(page).waitFor(); await page.keyboard.press('Control+k'); await page.getByRole('option', { name: /Explain/ }).waitFor(); } },
  { name: 'keys', prepare: furnish, reach: async (page) => { await composer(page).waitFor(); await page.keyboard.press('Control+/'); await page.getByRole('dialog').getByText('Stop the turn').waitFor(); } },
  {
    name: 'find', prepare: begun,
    reach: async (page) => { await open(page); await page.getByText('I would wait for the').waitFor(); await page.keyboard.press('Control+f'); await page.getByRole('searchbox', { name: 'Find in this conversation' }).fill('race'); await page.getByText('2 of 2').waitFor(); },
  },
  { name: 'zoom_200', context: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }, prepare: (host) => asks(host, DIFF, []), reach: async (page) => { await page.getByRole('button', { name: /^Show conversations/ }).click(); await waiting(1)(page); } },
  { name: 'narrow_280', context: { viewport: { width: 280, height: 600 } }, prepare: (host) => asks(host, DIFF, []), reach: async (page) => { await page.getByRole('button', { name: /^Show conversations/ }).click(); await waiting(1)(page); } },
];
