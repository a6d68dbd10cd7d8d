// SPDX-License-Identifier: Apache-2.0
// The page's view of updated calls, edits before an approval, options, commands, and a cleared conversation.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, say, waits, withPage } from './page.mjs';

after(closeBrowser);
const first = (host) => [...host.conversations.keys()][0];
const options = [
  { id: 'once', label: 'Allow once', kind: 'allow_once', dangerous: false },
  { id: 'stop', label: 'Reject and stop', kind: 'reject_and_stop', dangerous: false },
];

test('a proposal is changed by keyboard, and the answer contains the new text', () =>
  withPage(async (page, host) => {
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    const answered = host.ask(first(host), {
      kind: 'permission',
      title: 'make',
      detail: 'make',
      tool: 'run',
      editable: 'command',
      options,
    });
    await waits(page).waitFor();
    await page.getByRole('button', { name: 'Edit before running' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'The command to run' }).fill('make test');
    await page.keyboard.press('Tab'); // to the button that undoes the edit: y is not a letter of a text there
    await page.keyboard.press('y');
    await answered;
    assert.equal((await host.heard('answer')).edited, 'make test');
    await page.getByText('Allowed with changes').waitFor();
  }));

test('an unchanged text is not a change, and neither is a refusal', () =>
  withPage(async (page, host) => {
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    const answered = host.ask(first(host), {
      kind: 'permission',
      title: 'a.txt',
      tool: 'write',
      editable: 'diff',
      diff: { path: '/a.txt', after: 'one' },
      options,
    });
    await waits(page).waitFor();
    await page.getByRole('button', { name: 'Edit before applying' }).click();
    assert.equal(await page.getByRole('textbox', { name: 'The file after the edit' }).inputValue(), 'one');
    await page.getByRole('textbox', { name: 'The file after the edit' }).fill('two');
    await page.getByRole('button', { name: 'Reject and stop' }).click();
    await answered;
    const answer = await host.heard('answer');
    assert.deepEqual([answer.option, answer.edited], ['stop', undefined]);
  }));

test('a call is updated in place and may show several files', () =>
  withPage(async (page, host) => {
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    host.emit(first(host), { kind: 'tool_start', call: 'k', tool: 'MultiEdit', title: 'early', input: {} });
    await page.locator('.card.tool .sum', { hasText: 'early' }).waitFor();
    const content = [
      { type: 'diff', path: '/a', before: '1\n', after: '2\n' },
      { type: 'diff', path: '/b', after: '3\n' },
      { type: 'text', text: 'and a note' },
    ];
    host.emit(
      first(host),
      { kind: 'tool_update', call: 'k', title: 'late', content },
      { kind: 'tool_end', call: 'k', state: 'done' },
    );
    await page.locator('.card.tool .sum', { hasText: 'late' }).waitFor();
    await eventually(async () => (await page.locator('.card.tool .diff').count()) === 2, 'both files are shown');
    await page.getByText('and a note').waitFor();
  }));

test('a slash completes the agent\u2019s commands without taking the keyboard away', () =>
  withPage(async (page, host) => {
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    host.emit(first(host), {
      kind: 'commands',
      commands: [
        { name: 'compact', description: 'Shortens.', hint: 'what to keep' },
        { name: 'cost', description: 'Counts.' },
      ],
    });
    await composer(page).fill('/co');
    await eventually(async () => (await page.locator('.slash li').count()) === 2, 'both are listed');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    assert.equal(await composer(page).inputValue(), '/cost ');
    assert.equal(await page.locator('.slash li').count(), 0);
    await composer(page).fill('/co');
    await page.locator('.slash li').first().waitFor();
    await page.keyboard.press('Escape');
    await eventually(async () => (await page.locator('.slash li').count()) === 0, 'it is put away');
  }));

test('an option is chosen, and the transcript says so', () =>
  withPage(async (page, host) => {
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    const values = [
      { value: 'low', name: 'Low', description: '' },
      { value: 'high', name: 'High', description: '' },
    ];
    host.update(first(host), {
      options: [{ id: 'effort', name: 'Effort', description: '', category: '', kind: 'choice', values, value: 'low' }],
    });
    await page.getByLabel('Effort').selectOption('high');
    assert.equal((await host.heard('set_option')).value, 'high');
    await page.locator('.ending', { hasText: 'effort: High' }).waitFor();
  }));

test('a cleared conversation hides earlier messages, and shows them again on demand', () =>
  withPage(async (page, host) => {
    await say(page, 'hello');
    await page.getByText('This is scripted.').waitFor();
    await page.locator('summary[aria-label="Conversation"]').click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('Cleared.').waitFor();
    assert.equal(host.count('clear'), 1);
    await eventually(
      async () => (await page.getByText('This is scripted.').count()) === 0,
      'what was before is hidden',
    );
    await page.getByRole('button', { name: 'Show earlier messages' }).click();
    await page.getByText('This is scripted.').waitFor();
    await page.getByRole('button', { name: 'Hide earlier messages' }).click();
    await eventually(async () => (await page.getByText('This is scripted.').count()) === 0, 'it is hidden again');
  }));
