// SPDX-License-Identifier: Apache-2.0
// The small parts that decide something, each alone.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { editorStyle } from '../scripts/editor_style.mjs';
import { contentTypes, manifestOf, packageOf, platforms, readmeOf } from '../scripts/vsix.mjs';
import about from '../package.json';
import { BackOff } from './backoff';
import { contextOf, SELECTION_MOST } from './context';
import { diffTitle } from './editor/diff_title';
import { agentStatus } from './editor/status_text';
import { runningElsewhere } from './gateway/gateway';
import { pageHtml } from './page/html';
import { questionHtml } from './page/question_html';
import { fromPage } from './page/wire';
import { explain, fix, writeTests } from './prompts';

const view = (text: string, start: [number, number], end: [number, number]) => ({
  path: '/w/a.cpp',
  text,
  start: { line: start[0], character: start[1] },
  end: { line: end[0], character: end[1] },
});

describe('the view of the person', () => {
  test('lines count from 1, and a line without a selected character is not counted', () => {
    expect(contextOf(undefined)).toEqual({ activeFile: null, selection: null });
    expect(contextOf(view('', [3, 0], [3, 0]))).toEqual({
      activeFile: { path: '/w/a.cpp', name: 'a.cpp' },
      selection: null,
    });
    expect(contextOf(view('x\ny\n', [9, 0], [11, 0])).selection).toMatchObject({
      fileName: 'a.cpp',
      lineStart: 10,
      lineEnd: 11,
    });
  });
  test('a long selection is cut, but not inside a character', () => {
    expect(contextOf(view('a'.repeat(9000), [0, 0], [0, 9000])).selection!.text).toHaveLength(SELECTION_MOST);
    expect(contextOf(view(`${'a'.repeat(SELECTION_MOST - 1)}😀`, [0, 0], [0, 1])).selection!.text).toBe(
      'a'.repeat(SELECTION_MOST - 1),
    );
  });
  test('commands say where', () => {
    expect(explain(view('', [0, 0], [0, 0]))).toContain('/w/a.cpp');
    expect(explain(view('x', [4, 0], [6, 1]))).toBe('Explain what is selected in /w/a.cpp:5-7.');
    expect(writeTests(view('x', [4, 0], [4, 1]))).toContain('/w/a.cpp:5.');
    const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } };
    const problem = (severity: 'Error' | 'Hint') => ({ message: 'no', severity, range, source: 'cc', code: 'E1' });
    expect(fix([{ path: '/w/a.cpp', diagnostics: [problem('Error'), problem('Hint')] }])).toBe(
      'Fix these problems:\n- /w/a.cpp:2: error: no (cc E1)',
    );
    expect(fix([{ path: '/w/a.cpp', diagnostics: [problem('Hint')] }])).toBeUndefined();
  });
});

test('back-off: doubled after immediate ends, given up after more than three in ten seconds, reset after a steady minute', () => {
  let now = 0;
  const backOff = new BackOff(() => now);
  expect([0, 1, 2, 3].map(() => backOff.ended(now))).toEqual([250, 500, 1000, undefined]);
  now = 100_000;
  expect(backOff.ended(now - 90_000)).toBe(250);
  backOff.reset();
  expect(backOff.ended(now)).toBe(250);
});

test("a page's word is looked at", () => {
  for (const good of [
    { type: 'connect', used: true },
    { type: 'host', text: '{}' },
    { type: 'open', path: '/a', line: 1 },
    { type: 'diff', ask: 'x' },
    { type: 'insert', text: 'x' },
    { type: 'external', url: 'https://login.example/?a=b%26c' },
    { type: 'attachment', request: 1, id: 'a' },
  ])
    expect(fromPage(good)).toEqual(good);
  for (const bad of [
    null,
    'connect',
    {},
    { type: 'connect' },
    { type: 'constructor' },
    { type: 'host', text: 3 },
    { type: 'open', path: '/a' },
    { type: 'insert', text: 1 },
  ])
    expect(fromPage(bad)).toBeUndefined();
});

test('an already running program reports so', () => {
  expect(
    runningElsewhere([
      'parlance up',
      'parlance: already running (process 12): open http://127.0.0.1:5000/#token=a%2Bb',
    ]),
  ).toEqual({ origin: 'http://127.0.0.1:5000', token: 'a+b' });
  expect(runningElsewhere(['already running (process 12), and still starting'])).toBeUndefined();
});

test('the document of a webview has a single script, by its nonce, and no network', () => {
  const html = pageHtml({
    script: 'https://x/page.js',
    style: 'https://x/page.css?a=1&b=2',
    source: 'https://*.x',
    nonce: 'n0',
    title: '<t>',
  });
  expect(html).toContain('default-src &#39;none&#39;'.replaceAll('&#39;', "'"));
  expect(html).toContain("script-src 'nonce-n0'");
  expect(html).not.toMatch(/connect-src|unsafe|<t>|\son\w+=/);
  expect(html.match(/<script/g)).toHaveLength(1);
});

test('questions in the editor have marks for hidden characters', () => {
  const label = { id: 'a', label: 'Allow\u202e', isDefault: false, isDanger: false };
  const html = questionHtml(
    { title: 'a\nb\u200b', message: '/f/a\u202etxt.hs', detail: 'rm \u{e0041}', options: [label] },
    'n0',
  );
  for (const text of ['a␊b⟨U+200B⟩', '/f/a⟨U+202E⟩txt.hs', 'rm ⟨U+E0041⟩', 'Allow⟨U+202E⟩'])
    expect(html).toContain(`>${text}<`);
  expect(html).not.toMatch(/[\u202e\u200b\u{e0041}]/u);
  expect(diffTitle({ path: '/f/a.ts', newContent: 'x\u200b', title: '' })).toBe('⚠ hidden characters: a.ts (proposed)');
  expect(diffTitle({ path: '/f/a\u202etxt.hs', newContent: 'x', title: '' })).toBe('a⟨U+202E⟩txt.hs (proposed)');
  expect(agentStatus({ state: 'waiting', text: 'a\u202eb' }).text).toBe('a⟨U+202E⟩b');
});

test('the dark colours of the page follow the theme', () => {
  const css = 'a{b:c}@media (prefers-color-scheme:dark){:root{--bg:#000}}d{e:f}';
  expect(editorStyle(css)).toMatch(/^a\{b:c\}body:is\(\.vscode-dark.*\)\{color-scheme:dark;--bg:#000\}d\{e:f\}/);
  expect(() => editorStyle('a{}')).toThrow('0 blocks');
});

describe('the VSIX', () => {
  test('its manifest names the platform, and every file type has its content type', () => {
    const manifest = manifestOf({ ...about, displayName: 'a<b' }, 'linux-x64');
    expect(manifest).toContain('TargetPlatform="linux-x64"');
    expect(manifest).toContain('a&#60;b');
    expect(contentTypes).toContain('Extension=".vsixmanifest"');
    expect(Object.keys(platforms)).toContain('win32-arm64');
  });
  test('its marketplace page has the changelog, and links to the repository of a release', () => {
    const address = 'https://github.com/example/parlance';
    const manifest = manifestOf({ ...about, repository: { url: address } }, 'linux-x64');
    expect(manifest).toContain('Services.Content.Changelog" Path="extension/CHANGELOG.md"');
    expect(manifest).toContain(`Services.Links.Source" Value="${address}"`);
    expect(manifest).toContain(`Services.Links.Support" Value="${address}/issues"`);
    expect(manifestOf(about, 'linux-x64')).not.toContain('Services.Links');
  });

  test('its marketplace page names the folder that stays after a removal', () => {
    const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readmeOf(text, about)).toContain('`~/.local/state/parlance`'); // VS Code prints nothing at a removal
    expect(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).not.toHaveProperty(
      'scripts.vscode:uninstall',
    );
  });

  test('its marketplace page shows pictures of the tagged version', () => {
    const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const repository = { url: 'https://github.com/example/parlance' };
    const shown = [...readmeOf(text, { ...about, repository }).matchAll(/!\[[^\]]+\]\((.*?)\)/g)].map(
      ([, place]) => place,
    );
    expect(shown).toHaveLength(4);
    const start = `${repository.url}/raw/v${about.version}/`;
    for (const place of shown) {
      expect(place?.startsWith(start), place).toBe(true);
      expect(existsSync(new URL(`../../../${place?.slice(start.length)}`, import.meta.url)), place).toBe(true);
    }
    expect(readmeOf(text, about)).not.toContain('![');
  });
  test('files for VS Code have no trace of the build; every declared command has a title, every menu a command', () => {
    const shipped = JSON.parse(packageOf(about)) as Partial<typeof about>;
    expect([shipped.devDependencies, shipped.scripts, shipped.main]).toEqual([
      undefined,
      undefined,
      './dist/extension.js',
    ]);
    const known = new Set(about.contributes.commands.map((command) => command.command));
    for (const { command } of Object.values(about.contributes.menus).flat()) expect(known).toContain(command);
    expect('dependencies' in about).toBe(false);
  });
  test('each step of the walkthrough has a small picture', () => {
    for (const { media } of about.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps)) {
      const page = new URL(`../${media.markdown}`, import.meta.url);
      const [, alt, name] = /!\[(.+)\]\((.+\.png)\)/.exec(readFileSync(page, 'utf8')) ?? [];
      expect(alt, media.markdown).toBeTruthy();
      const picture = readFileSync(new URL(name!, page));
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      expect(picture.length).toBeLessThan(60_000);
    }
  });
});
