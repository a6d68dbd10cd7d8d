// SPDX-License-Identifier: Apache-2.0
// Writing: files named with @, by keyboard and by mouse, against the host that plays along and against the program itself.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, shot, withPage, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

after(closeBrowser);
const files = (page) => page.getByRole('listbox', { name: 'Files of the folder' });

test('a file is found behind an @, taken by keyboard, and sent while its name is in the text', () =>
  withPage(async (page, host) => {
    await composer(page).pressSequentially('look at @mai');
    await files(page)
      .getByRole('option', { name: /main\.cpp/ })
      .waitFor();
    await shot(page, 'mention');
    assert.equal(
      await composer(page).getAttribute('aria-activedescendant'),
      await files(page).getByRole('option').first().getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    assert.equal(await composer(page).inputValue(), 'look at @src/main.cpp ');
    assert.equal(await files(page).count(), 0);
    await composer(page).pressSequentially('and @re');
    await files(page).getByText('readme.md').click();
    await composer(page).pressSequentially('hello');
    await page.keyboard.press('Enter');
    assert.deepEqual((await host.heard('prompt')).context, [
      { path: '/home/ann/code/engine/src/main.cpp' },
      { path: '/home/ann/code/engine/readme.md' },
    ]);
    assert.equal((await host.heard('files')).folder, '/home/ann/code/engine');
  }));

test('a deleted name is not sent; an address asks for no files; Escape closes the list', () =>
  withPage(async (page, host) => {
    await composer(page).pressSequentially('@pe');
    await files(page).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await composer(page).inputValue(), '@src/peer/peer.cpp ');
    await composer(page).fill('hello @re');
    await files(page).waitFor();
    await page.keyboard.press('Escape');
    await eventually(async () => (await files(page).count()) === 0, 'the list is put away');
    const asked = host.count('files');
    await composer(page).fill('hello ann@example.org');
    await page.keyboard.press('Enter');
    assert.equal((await host.heard('prompt')).context, undefined);
    assert.equal(host.count('files'), asked);
  }));

test('the program searches the folder of the conversation, and names the file to the agent', async () => {
  const parlance = await Parlance.start();
  try {
    await mkdir(join(parlance.folder, 'src'), { recursive: true });
    await writeFile(join(parlance.folder, 'src/needle.txt'), 'x');
    await withPageAt(parlance.url, async (page) => {
      await page.getByText('What should we work on?').waitFor();
      await composer(page).pressSequentially('think of @ndl');
      await files(page)
        .getByRole('option', { name: /needle\.txt/ })
        .waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.locator('.looked-at', { hasText: 'needle.txt' }).waitFor();
    });
  } finally {
    await parlance.clean();
  }
});

test('files of further folders are found, and files ignored by git are not', async () => {
  const parlance = await Parlance.start();
  try {
    const further = await mkdtemp(join(tmpdir(), 'parlance-further-'));
    for (const [folder, name, text] of [
      [parlance.folder, '.gitignore', '*.log\n'],
      [parlance.folder, 'seen-here.txt', 'x'],
      [parlance.folder, 'seen-never.log', 'x'],
      [further, 'seen-further.txt', 'x'],
    ])
      await writeFile(join(folder, name), text);
    await withPageAt(parlance.url, async (page) => {
      await page.getByText('What should we work on?').waitFor();
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByLabel('More folders').fill(further);
      await composer(page).pressSequentially('think of @seen');
      await files(page)
        .getByRole('option', { name: /seen-further\.txt/ })
        .waitFor();
      assert.deepEqual(
        (await files(page).getByRole('option').allInnerTexts()).map((text) => text.split(' ')[0]).sort(),
        ['seen-further.txt', 'seen-here.txt'],
      );
      await files(page).getByText('seen-further.txt').click();
      await page.keyboard.press('Enter');
      await page.locator('.looked-at', { hasText: 'seen-further.txt' }).waitFor();
    });
    await rm(further, { recursive: true });
  } finally {
    await parlance.clean();
  }
});
