// SPDX-License-Identifier: Apache-2.0
// node tests/web/picture.mjs [FOLDER]: pictures of the page in FOLDER (default docs/images), taken of the program itself with a
// scripted conversation: page.png for the README, and with a FOLDER named also page-dark.png and page-phone.png to look at.

import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import { closeBrowser, composer, eventually, say, waits, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

const readmeImages = fileURLToPath(new URL('../../docs/images', import.meta.url));
const TEST = `TEST(Reconnect, ComesBackAfterAKill) {
  test::Loop loop;
  test::Peer peer(loop);
  peer.kill();
  loop.advance(50ms);
  EXPECT_TRUE(peer.connected());
}
`;
const plan = (...states) => ({
  name: 'update_plan',
  arguments: {
    entries: ['Read the test', 'Wait for the event, not the clock', 'Run it 200 times'].map((content, i) => ({
      content,
      status: states[i],
    })),
  },
});
const scenario = {
  announce: false,
  turns: [
    {
      user: 'reconnect test',
      steps: [
        {
          think:
            'One time in fifty sounds like a race. Two timers are involved: the wait of the test and the back-off of the peer. The test has to be read first.',
          pace_ms: 60,
          calls: [plan('in_progress', 'pending', 'pending')],
        },
        { calls: [{ name: 'read_file', arguments: { path: 'tests/reconnect_test.cpp' } }] },
        { calls: [plan('completed', 'in_progress', 'pending')] },
        {
          say:
            'The test waits 50 ms for the peer to come back. The peer waits for its own back-off first, which starts at 40 ms and has **jitter**, so the two race. ' +
            'I would wait for the `ready` event instead of the clock.',
          calls: [
            {
              name: 'edit_file',
              arguments: {
                path: 'tests/reconnect_test.cpp',
                old_text: '  loop.advance(50ms);\n',
                new_text: '  auto back = peer.next(Event::ready);\n  loop.run_until(back);\n',
              },
            },
          ],
        },
      ],
    },
    {
      user: 'codec benchmarks',
      steps: [{ say: 'They measure one encoder beside the other, '.repeat(400), pace_ms: 500 }],
    },
    {
      user: 'changed since',
      steps: [
        { calls: [{ name: 'run_command', arguments: { command: 'git status --short' } }] },
        { say: 'Nothing but the test.' },
      ],
    },
  ],
};

const folder = resolve(process.argv[2] ?? readmeImages);
await mkdir(folder, { recursive: true });
const script = join(tmpdir(), `parlance-picture-${process.pid}.json`);
await writeFile(script, JSON.stringify(scenario));
const parlance = await Parlance.start({ folder: 'code/engine', flags: ['--scenario', script] });

async function begin(page, text) {
  await page
    .getByRole('button', { name: /New conversation/ })
    .first()
    .click();
  await page.getByText('What should we work on?').waitFor();
  await say(page, text);
  await page.getByRole('heading', { level: 1, name: text }).waitFor();
}

const take = (name, settings, work = async () => {}) =>
  withPageAt(
    parlance.url,
    async (page) => {
      await composer(page).waitFor();
      await work(page);
      await waits(page).first().locator('.diff .add').first().waitFor();
      await page.getByText('Asked').first().waitFor();
      await page.mouse.move(0, 0);
      await page.evaluate(() => document.activeElement?.blur());
      await page.screenshot({ path: join(folder, name) });
    },
    { settings },
  );

try {
  const file = join(parlance.folder, 'tests/reconnect_test.cpp');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, TEST);
  execFileSync('git', ['init', '-q', parlance.folder]); // "always" is offered for git only where there is a repository
  await take('page.png', { colorScheme: 'light' }, async (page) => {
    await begin(page, 'What has changed since yesterday?');
    await page.getByRole('button', { name: 'Always', exact: true }).click();
    await page.getByRole('button', { name: /^Always allow .* in this folder/ }).click();
    await eventually(async () => (await page.locator('.stop').count()) === 0, 'the turn ends');
    await begin(page, 'Explain the codec benchmarks');
    await begin(page, 'The reconnect test fails one time in fifty. Find out why and fix it.');
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Fix the flaky reconnect test');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Fix the flaky reconnect test' }).waitFor();
  });
  if (process.argv[2]) {
    await take('page-dark.png', { colorScheme: 'dark' });
    await take('page-phone.png', {
      colorScheme: 'light',
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
    });
  }
} finally {
  await closeBrowser();
  await parlance.clean();
}
