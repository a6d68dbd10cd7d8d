// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from 'vitest';
import { languageFor, speak, t } from '.';
import { en } from './en';
import { setLanguage } from './language';
import { words as of_views } from './views';
import { en as views_en } from './views/en';
import { zh as views_zh } from './views/zh';
import { zh } from './zh';
import { reasonText, reasons, titleText } from './zh_acts';

afterEach(() => speak('en'));

/** Paths of all words of a table, with what kind of word each is. */
function words(table: object, under = ''): string[] {
  return Object.entries(table).flatMap(([key, value]: [string, unknown]) =>
    (typeof value === 'object' && value !== null && !Array.isArray(value) ? words(value, `${under}${key}.`) : [`${under}${key}: ${Array.isArray(value) ? 'list' : typeof value}`]));
}

test('each language has the same words', () => {
  expect(words(zh).sort()).toEqual(words(en).sort());
  expect(words(views_zh).sort()).toEqual(words(views_en).sort());
});

test('no word was left in English', () => {
  const same = new Set(['app', 'en', 'zh', 'added', 'removed', 'scripted_examples']);
  const left = (a: Record<string, unknown>, b: Record<string, unknown>): string[] => Object.keys(a).flatMap((key) =>
    (typeof a[key] === 'string' && a[key] !== '' && a[key] === b[key] && !same.has(key) ? [key] : typeof a[key] === 'object' && !Array.isArray(a[key]) ? left(a[key] as Record<string, unknown>, b[key] as Record<string, unknown>) : []));
  expect(left(en, zh)).toEqual([]);
  expect(left(views_en, views_zh)).toEqual([]);
});

test('the page uses the first supported language of the browser', () => {
  expect(languageFor(['fr-FR', 'zh-CN', 'en'])).toBe('zh');
  expect(languageFor(['en-GB', 'zh'])).toBe('en');
  expect(languageFor(['tlh'])).toBe('en');
});

test('an importer of the texts has the current language', async () => {
  await speak('zh');
  expect([t.new_conversation, of_views().databases]).toEqual(['新对话', '数据库']);
  setLanguage('en');
  expect(of_views().databases).toBe('Databases');
});

/** Text between tags, and attributes that are read out or shown. */
const BARE = [/>\s*([A-Za-z][A-Za-z ,.…'’]{2,})\s*</g, /\b(?:aria-label|title|placeholder|alt)="([^"]*[A-Za-z][^"]*)"/g];
const ALLOWED = new Set(['parlance up', 'Esc', 'Alt N', 'NULL', 'PK']);   // what a person types, and what SQL says, in every language

interface Globs { glob: (pattern: string, how: object) => Record<string, string> }

test('no component has words of its own', () => {
  const files = Object.entries((import.meta as unknown as Globs).glob('../components/**/*.tsx', { query: '?raw', import: 'default', eager: true }));
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap(([name, source]) => {
    const text = source.replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, '');
    return BARE.flatMap((rule) => [...text.matchAll(rule)].map((match) => match[1]!.trim()).filter((words) => !ALLOWED.has(words) && !/^\w+ (extends|is|in)\b/.test(words)).map((words) => `${name}: ${words}`));
  });
  expect(found).toEqual([]);
});

test('every reason of the gateway has a translation with the same values', () => {
  const [policy] = Object.values((import.meta as unknown as Globs).glob('../../../../docs/policy.md', { query: '?raw', import: 'default', eager: true }));
  const table = policy!.split('## Reasons')[1]!.split('\n## ')[0]!;
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, id, sentence]) => [id!, sentence!] as const);
  const values = (sentence: string) => (sentence.match(/\{\d\}/g) ?? []).sort();
  expect(rows.length).toBeGreaterThan(40);
  expect(Object.keys(reasons).sort()).toEqual(rows.map(([id]) => id).sort());
  for (const [id, sentence] of rows) expect([id, values(reasons[id]!)]).toEqual([id, values(sentence)]);
});

test('a known reason is translated and an unknown reason is unchanged', () => {
  expect(reasonText({ id: 'edits_asked', values: [], agent: 'Claude Code' }, '/f')).toBe('Claude Code 请求在 /f 中执行：修改前需要询问。');
  expect(reasonText({ id: 'word_outside', values: ['$&', '/b'], agent: '' }, '/f')).toBe('`$&` 位于文件夹外：/b。');
  expect(reasonText({ id: 'rule', values: [], agent: '' }, '/f')).toBe('规则：。');
  expect(reasonText({ id: 'of_a_newer_gateway', values: [], agent: 'a' }, '/f')).toBe('');
  expect(en.reason({ id: 'edits_asked', values: [], agent: '' }, '/f')).toBe('');
});

test('a request of the gateway has a title in the language of the page, and the title of an agent stays', () => {
  expect(titleText('plan', undefined, 'plan_made')).toBe('执行这个计划？');
  expect(titleText('plan', 'propose_plan')).toBe('执行这个计划？');
  expect(titleText('limit')).toBe('用量已达上限');
  expect(titleText('plan', 'exit_plan', 'of_a_newer_gateway')).toBe('');
  expect(titleText('permission', 'run_command', 'rule')).toBe('');
  expect(en.title('limit')).toBe('');
});
