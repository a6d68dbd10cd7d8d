// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Diagnostic, Outcome } from './editor';
import { bridgeTo, MemoryEditor } from './test_editor';

const PATH = '/w/main.cpp';
const rejected: Outcome = { outcome: 'rejected', reason: 'button' };
const problem = (message: string, severity: Diagnostic['severity'] = 'Error'): Diagnostic => ({
  message,
  severity,
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
  source: 's',
  code: 'c',
});

function make() {
  const editor = new MemoryEditor();
  editor.put(PATH, 'int main() { return 0; }\n');
  return { editor, ...bridgeTo(editor) };
}

describe('looking', () => {
  test('ping and initialize', async () => {
    const { call } = make();
    expect(await call('ping')).toEqual({ pong: true });
    const hello = (await call('initialize', { protocol: 1, client: { name: 'c', version: '1' } })) as {
      methods: string[];
    };
    expect(hello).toMatchObject({ protocol: 1, editor: { name: 'Test', version: '1' } });
    expect(hello.methods.sort()).toEqual([
      'applyChanges',
      'applyEdits',
      'callAddedMethod',
      'checkDocumentDirty',
      'closeAllDiffs',
      'closeDiff',
      'confirmDialog',
      'getActiveFile',
      'getAddedMethods',
      'getDiagnostics',
      'getLatestSelection',
      'getOpenEditors',
      'getSelection',
      'getWorkspaceFolder',
      'getWorkspaceFolders',
      'initialize',
      'openDiff',
      'openFile',
      'ping',
      'readDocument',
      'saveDocument',
      'showDiff',
      'showMessage',
    ]);
  });
  test('the active file, or its absence', async () => {
    const { editor, call } = make();
    expect(await call('getActiveFile')).toEqual({ success: false, error: 'No active file' });
    editor.active = { path: PATH, content: 'x\n', language: 'cpp', lineCount: 2 };
    expect(await call('getActiveFile')).toEqual({ success: true, file: editor.active });
  });
  test('selections', async () => {
    const { editor, call } = make();
    expect(await call('getSelection')).toEqual({ success: false, error: 'No active editor' });
    const at = { line: 3, character: 1 };
    editor.latest = editor.selected = { path: PATH, text: '', start: at, end: at };
    expect(await call('getSelection')).toEqual({ success: true, selection: { text: '', start: at, end: at } });
    expect(await call('getLatestSelection')).toEqual({
      success: true,
      selection: { path: PATH, text: '', start: at, end: at },
    });
  });
  test('openFile alone counts lines from 1', async () => {
    const { editor, call } = make();
    expect(await call('openFile', { path: PATH, line: 42, column: 10 })).toEqual({
      success: true,
      message: `Opened file: ${PATH}`,
    });
    await call('openFile', { path: PATH });
    expect(editor.shown).toEqual([`${PATH}:41:10`, `${PATH}:0:0`]);
  });
  test('at most a thousand diagnostics, with a note', async () => {
    const { editor, call } = make();
    editor.problems = [
      { path: '/w/a', diagnostics: Array.from({ length: 999 }, () => problem('e')) },
      { path: '/w/b', diagnostics: [problem('w', 'Warning'), problem('x'), problem('y')] },
    ];
    const all = (await call('getDiagnostics')) as { files: { diagnostics: unknown[] }[]; truncated?: boolean };
    expect([all.files.map((file) => file.diagnostics.length), all.truncated]).toEqual([[999, 1], true]);
    expect(await call('getDiagnostics', { severity: 'Warning' })).toEqual({
      success: true,
      files: [{ path: '/w/b', diagnostics: [problem('w', 'Warning')] }],
    });
    expect(await call('getDiagnostics', { path: '/w/none' })).toEqual({ success: true, files: [] });
  });
  test('documents: their state, and parts of their text', async () => {
    const { editor, call } = make();
    editor.put('/w/long', 'a\nb\nc\nd', { isDirty: true, version: 9 });
    expect(await call('checkDocumentDirty', { path: '/w/none' })).toEqual({
      success: false,
      error: 'Document not open: /w/none',
    });
    expect(await call('checkDocumentDirty', { path: '/w/long' })).toEqual({
      success: true,
      isDirty: true,
      isUntitled: false,
    });
    expect(await call('readDocument', { path: '/w/long', startLine: 2, endLine: 3 })).toEqual({
      success: true,
      content: 'b\nc',
      version: 9,
      isDirty: true,
    });
  });
  test('outside the workspace a person is asked first', async () => {
    const { editor, call } = make();
    editor.put('/etc/hosts', 'secret');
    expect(await call('readDocument', { path: '/etc/hosts' })).toEqual({ success: false, error: 'Rejected by user' });
    editor.choice = 'allow';
    expect(await call('readDocument', { path: '/etc/hosts' })).toMatchObject({ content: 'secret' });
    expect(editor.questions).toHaveLength(2);
    editor.choice = undefined;
    expect(await call('openFile', { path: '/etc/hosts' })).toEqual({ success: false, error: 'Rejected by user' });
    expect(editor.shown).toEqual([]);
  });
});

test('exactly the methods of the protocol are served', async () => {
  const page = readFileSync(new URL('../../../../docs/protocol/editor.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| `?\w+`? \| (none|`\w+`)/gm)];
  const requests = rows.filter(([, , reply]) => reply !== 'none').map(([, name]) => name);
  const hello = (await make().call('initialize', {})) as { methods: string[]; notifications: string[] };
  expect(hello.methods.sort()).toEqual(requests.sort());
  for (const name of hello.notifications) expect(rows.map((row) => row[1])).toContain(name);
});

describe('broken calls name the member', () => {
  test.each<[string, Record<string, never> | object, string]>([
    ['showDiff', { title: 't', originalPath: PATH }, "showDiff: 'modifiedContent' is missing"],
    ['openFile', { path: PATH, line: -1 }, "openFile: 'line' must be a whole number, 0 or more"],
    ['openFile', { path: 'main.cpp' }, "openFile: 'path' must be an absolute path"],
    [
      'applyEdits',
      { edits: [{ path: PATH, textEdits: [{ newText: 'x' }] }] },
      "applyEdits: 'edits[0].textEdits[0].range' is missing",
    ],
    ['confirmDialog', { title: 't', message: 'm', options: {} }, "confirmDialog: 'options' must be an array"],
    ['readDocument', { path: PATH, startLine: 0 }, "readDocument: 'startLine' must be the number of a line, from 1"],
    ['showMessage', { level: 'loud', message: 'm' }, "showMessage: 'level' must be info, warning, error"],
    ['getDiagnostics', { severity: 3 }, "getDiagnostics: 'severity' must be Error, Warning, Information, Hint"],
  ])('%s %j', async (method, params, message) => {
    const { call } = make();
    await expect(call(method, params as never)).rejects.toMatchObject({ code: -32602, message });
  });
});

describe('diffs', () => {
  test('showDiff does not wait, and reports the close', async () => {
    const { editor, call, sent } = make();
    expect(await call('closeDiff')).toEqual({ success: false, error: 'No diff to close' });
    expect(await call('showDiff', { title: 'T', originalPath: PATH, modifiedContent: 'x' })).toEqual({
      success: true,
      message: 'Diff shown: T',
    });
    editor.diffClosed!({ outcome: 'accepted', finalContent: 'y', edited: true });
    expect(sent.at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'diffClosed',
      params: { path: PATH, outcome: 'accepted', finalContent: 'y' },
    });
    expect(await call('closeDiff')).toEqual({ success: true, message: 'Diff closed' });
    expect(await call('closeAllDiffs')).toEqual({ success: true, closed: 3 });
  });
  test('openDiff returns the version of the person', async () => {
    const { editor, call } = make();
    editor.answer = async () => ({ outcome: 'accepted', finalContent: 'mine', edited: true });
    expect(await call('openDiff', { path: PATH, newContent: 'x' })).toEqual({
      success: true,
      outcome: 'accepted',
      finalContent: 'mine',
      edited: true,
    });
    editor.answer = async () => rejected;
    expect(await call('openDiff', { path: PATH, newContent: 'x' })).toEqual({ success: true, ...rejected });
  });
  test('cancelling a question takes its diff back', async () => {
    const { editor, call, say, last } = make();
    let takenBack = false;
    editor.answer = (_, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          takenBack = true;
        });
      });
    const answer = call('openDiff', { path: PATH, newContent: 'x' });
    say({ method: 'cancel', params: { id: last() } });
    await expect(answer).rejects.toMatchObject({ code: -32800 });
    expect(takenBack).toBe(true);
  });
});

describe('applyChanges', () => {
  const change = { path: PATH, oldStr: 'return 0', newStr: 'return $&' };
  test('changes only the differences, literally', async () => {
    const { editor, call } = make();
    expect(await call('applyChanges', change)).toEqual({ success: true, message: `Applied changes to ${PATH}` });
    expect(editor.changes).toEqual([
      { range: { start: { line: 0, character: 20 }, end: { line: 0, character: 21 } }, newText: '$&' },
    ]);
  });
  test.each([
    ['zzz', 'Old string not found in file'],
    ['n', 'Old string is not unique (3 matches)'],
    ['', 'Old string not found in file'],
  ])('%j: %s', async (oldStr, error) => {
    const { editor, call } = make();
    expect(await call('applyChanges', { ...change, oldStr })).toEqual({ success: false, error });
    expect(editor.changes).toEqual([]);
  });
  test('all occurrences, on request', async () => {
    const { editor, call } = make();
    editor.put(PATH, 'a a');
    await call('applyChanges', { path: PATH, oldStr: 'a', newStr: 'b', replaceAll: true });
    expect(editor.changes[0]!.newText).toBe('b b');
  });
  test('a file with CRLF is found by LF', async () => {
    const { editor, call } = make();
    editor.put(PATH, 'a\r\nb\r\n');
    expect(await call('applyChanges', { path: PATH, oldStr: 'a\nb', newStr: 'a\nc' })).toMatchObject({ success: true });
  });
  test('rejected, or without a person: no change', async () => {
    const { editor, call } = make();
    editor.answer = async () => rejected;
    expect(await call('applyChanges', change)).toEqual({ success: false, error: 'Rejected by user' });
    editor.answer = async () => {
      throw new Error('the window has gone');
    };
    await expect(call('applyChanges', change)).rejects.toMatchObject({ code: -32603 });
    expect(editor.changes).toEqual([]);
  });
  test('a file changed during the look is checked again', async () => {
    const { editor, call } = make();
    editor.answer = async (p) => {
      editor.put(PATH, '// new\nreturn 0');
      return { outcome: 'accepted', finalContent: p.newContent, edited: false };
    };
    expect(await call('applyChanges', change)).toMatchObject({ success: true });
    expect(editor.changes[0]!.range.start.line).toBe(1);
    editor.answer = async () => {
      editor.put(PATH, 'return 0;return 0');
      return { outcome: 'accepted', finalContent: '', edited: false };
    };
    expect(await call('applyChanges', change)).toEqual({
      success: false,
      error: 'Old string is not unique (2 matches)',
    });
    editor.put(PATH, 'return 0');
    editor.answer = async () => {
      editor.put(PATH, 'other');
      return { outcome: 'accepted', finalContent: 'mine', edited: true };
    };
    expect(await call('applyChanges', change)).toMatchObject({ success: false });
    expect(editor.changes).toHaveLength(1);
  });
});

describe('applyEdits and questions', () => {
  const edits = [
    {
      path: PATH,
      textEdits: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, newText: '// hi' }],
    },
    { path: '/w/new', create: true },
  ];
  test('a single approval for all edits', async () => {
    const { editor, call } = make();
    expect(await call('applyEdits', { label: 'L', edits })).toEqual({ success: false, error: 'Rejected by user' });
    editor.choice = 'allow';
    expect(await call('applyEdits', { label: 'L', edits })).toEqual({
      success: true,
      applied: true,
      files: [PATH, '/w/new'],
    });
    expect(editor.applied).toHaveLength(2);
    expect(editor.questions[1]).toContain('line 1:\n+ // hi');
  });
  test('removed and added text is shown completely', async () => {
    const { editor, call } = make();
    editor.put('/w/long', Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n'));
    const range = { start: { line: 1, character: 5 }, end: { line: 58, character: 4 } };
    await call('applyEdits', { label: 'L', edits: [{ path: '/w/long', textEdits: [{ range, newText: '' }] }] });
    expect(editor.questions[0]).toContain('Edit /w/long\n  lines 2 to 59:\n- 1\n- line 2\n');
    expect(editor.questions[0]).toMatch(/- line 57\n- line$/);
    await call('applyEdits', {
      label: 'L',
      edits: [
        {
          path: '/w/long',
          textEdits: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } }, newText: 'row' }],
        },
      ],
    });
    expect(editor.questions[1]).toContain('  line 1:\n- line\n+ row');
  });
  test('edits against an older version are refused', async () => {
    const { editor, call } = make();
    editor.choice = 'allow';
    expect(await call('applyEdits', { label: 'L', edits, version: 7 })).toEqual({
      success: false,
      error: 'The document has changed since the request',
    });
    expect(editor.questions).toEqual([]);
    expect(await call('applyEdits', { label: 'L', edits, version: 1 })).toMatchObject({ applied: true });
  });
  test('a dialog tells the choice, or null', async () => {
    const { editor, call } = make();
    const dialog = { title: 'T', message: 'M', options: [{ id: 'go', label: 'Go' }] };
    expect(await call('confirmDialog', dialog)).toEqual({ success: true, choice: null });
    editor.choice = 'go';
    expect(await call('confirmDialog', dialog)).toEqual({ success: true, choice: 'go' });
    expect(await call('showMessage', { level: 'info', message: 'done' })).toEqual({ success: true });
  });
});
