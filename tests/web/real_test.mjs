// SPDX-License-Identifier: Apache-2.0
// A person's first five minutes with the real program: no mock host, only parlance between page and disk.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeBrowser, composer, eventually, NOTHING, say, shot, waits, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

const GREY = 'Dear reader,\nthe shed is grey.\nGoodbye.\n';
const GREEN = GREY.replace('grey', 'green');

let parlance;
before(async () => {
  parlance = await Parlance.start();
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
});

const at = (name) => join(parlance.folder, name);
const read = (name) => readFile(at(name), 'utf8');
const onPage = (work, options) => withPageAt(parlance.url, work, { forgive: NOTHING, ...options });

/** Begins a conversation with this first message, independent of other tests' messages. */
async function begin(page, text) {
  await page
    .getByRole('button', { name: /New conversation/ })
    .first()
    .click();
  await page.getByText('What should we work on?').waitFor();
  await say(page, text);
  await page.locator('.me').first().waitFor();
}
/** The n-th message was taken and its turn has ended. */
async function ended(page, n = 1) {
  await eventually(
    async () =>
      (await page.locator('.item.user:not(.outgoing)').count()) === n &&
      (await page.locator('.stop, .outgoing').count()) === 0,
    `turn ${n} ends`,
  );
}
const answers = (page) => page.locator('.answer .md').allTextContents(); // innerText is empty for elements out of sight
const lastCard = (page) => page.locator('.card.tool').last();

test('the tour: thoughts, a plan that advances, a look around, a file with an approval', () =>
  onPage(async (page) => {
    await page.getByText('Scripted: the answers follow a scenario').waitFor();
    await begin(page, 'Good morning, what can you do?');
    await page
      .getByText(/^Thought for [\d.]+ s$/)
      .first()
      .waitFor();
    await waits(page).first().locator('.diff .add').first().waitFor();
    assert.equal(existsSync(at('parlance-notes.md')), false, 'nothing is written before it is allowed');
    assert.match(await page.title(), /^\(1\) /);
    assert.deepEqual(await page.locator('aside .step').evaluateAll((all) => all.map((e) => e.className)), [
      'step completed',
      'step in_progress',
      'step pending',
    ]);
    assert.equal(
      await page.locator('.card.tool', { hasText: 'plan' }).count(),
      0,
      'the plan is shown once, in its own place',
    );
    await page.getByRole('button', { name: /^Allow once/ }).click();
    await page.getByText('is written, with your approval').waitFor();
    await ended(page);
    assert.deepEqual(await page.locator('aside .step').evaluateAll((all) => all.map((e) => e.className)), [
      'step completed',
      'step completed',
      'step completed',
    ]);
    assert.match(await read('parlance-notes.md'), /^# A note from the rehearsal\n/);
    assert.match(await lastCard(page).innerText(), /Allowed by you\./);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Good morning, what can you do?');
    assert.equal(await page.locator('header .scripted').innerText(), 'scripted');
    assert.equal(await page.title(), 'parlance');
    await say(page, 'think');
    await ended(page, 2);
    assert.equal(await page.locator('aside .step').count(), 0, 'a plan that is done goes');
  }));

test('a missing folder is reported, and the message kept until a fix', () =>
  onPage(async (page) => {
    await page
      .getByRole('button', { name: /New conversation/ })
      .first()
      .click();
    await page.getByLabel('Folder', { exact: true }).fill('/no/such/folder');
    await say(page, 'think of folders');
    await page.locator('.begin').getByRole('alert').getByText('/no/such/folder: No such file or directory').waitFor(); // beside its field
    assert.equal(await composer(page).inputValue(), 'think of folders');
    await page.getByLabel('Folder', { exact: true }).fill(parlance.folder);
    await composer(page).press('Enter');
    await ended(page);
    assert.equal(await page.locator('.banner').count(), 0, 'it is mended');
  }));

test('markdown streams into headings, a table, code, a real link', () =>
  onPage(async (page) => {
    await begin(page, 'markdown');
    await ended(page);
    await page.getByText('That was all of it.').waitFor();
    const answer = page.locator('.answer .md').first();
    assert.equal(await answer.locator('table tr').count(), 3);
    assert.equal(await answer.locator('ol > li').count(), 3);
    await answer.locator('.code .hljs-keyword, .code .hljs-meta').first().waitFor();
    assert.equal(await answer.getByRole('link', { name: 'link' }).getAttribute('href'), 'https://example.org/');
    assert.doesNotMatch(await answer.innerText(), /\*\*|```|\|---/);
  }));

test('an allowed edit is on the disk, an edit refused with a note is not', () =>
  onPage(async (page) => {
    await writeFile(at('edit.txt'), GREY);
    await begin(page, 'edit edit.txt grey => green');
    const card = waits(page).first();
    await card.getByText('+1').waitFor();
    assert.match(await card.locator('.diff .del').innerText(), /the shed is grey\./);
    assert.equal(await card.locator('.diff .add mark').innerText(), 'green');
    await shot(page, 'real-edit');
    assert.equal(await read('edit.txt'), GREY);
    await card.getByRole('button', { name: /^Allow once/ }).click();
    await ended(page);
    assert.equal(await read('edit.txt'), GREEN);
    assert.equal(await lastCard(page).locator('.state').innerText(), 'done');

    await say(page, 'edit edit.txt green => blue');
    await card.getByRole('button', { name: 'More ways to reject' }).click();
    await card.getByRole('button', { name: 'Reject with a note' }).click();
    await card.getByRole('textbox').fill('leave it green');
    await card.getByRole('textbox').press('Enter');
    await ended(page, 2);
    await page.getByText('Rejected by you: “leave it green”').waitFor();
    assert.equal(await lastCard(page).locator('.state').innerText(), 'rejected');
    assert.match((await answers(page)).at(-1), /leave it green/, 'the agent was told');
    assert.equal(await read('edit.txt'), GREEN);
  }));

test('a question is answered once complete', () =>
  onPage(async (page) => {
    await begin(page, 'ask');
    const card = waits(page).first();
    await card.getByText('Which colour should the bicycle shed have?', { exact: false }).first().waitFor();
    assert.equal(await card.getByRole('button', { name: 'Send answers' }).getAttribute('aria-disabled'), 'true');
    await card.getByLabel('Green').check();
    await shot(page, 'real-question');
    await card.getByRole('button', { name: 'Send answers' }).click();
    await ended(page);
    await page.getByText('Answered by you: “Green”').waitFor();
    assert.match((await answers(page)).at(-1), /Green/);
  }));

test('a plan is sent back with words, then approved, and sets the mode', () =>
  onPage(async (page) => {
    await begin(page, 'plan');
    const card = waits(page).first();
    await card.getByText('Paint it, twice.').waitFor();
    await shot(page, 'real-plan');
    await card.getByRole('button', { name: 'Change the plan' }).click();
    await card.getByRole('textbox').fill('three coats');
    await card.getByRole('button', { name: 'Send feedback' }).click();
    await ended(page);
    assert.match((await answers(page)).at(-1), /three coats/);
    await say(page, 'plan');
    await card.getByRole('button', { name: /^Approve, decide for me/ }).click();
    await ended(page, 2);
    await page.getByText('From here on: decides when to ask').waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Mode' }).inputValue(), 'smart');
  }));

test('a memory from one conversation is recalled in another', () =>
  onPage(async (page) => {
    await begin(page, 'remember the spare key hangs behind the clock');
    await ended(page);
    await begin(page, 'recall spare key');
    await ended(page);
    assert.match((await answers(page)).at(-1), /the spare key hangs behind the clock/);
  }));

test('an allowed command runs, and its output is shown', () =>
  onPage(async (page) => {
    await begin(page, 'run printf "made by %s\\n" hand | tee made.txt');
    const card = waits(page).first();
    await card.getByRole('button', { name: /^Allow once/ }).waitFor();
    assert.equal(
      await card.getByRole('button', { name: /^Always/ }).count(),
      0,
      'no standing permission for what a shell puts together',
    );
    assert.equal(existsSync(at('made.txt')), false);
    await card.getByRole('button', { name: /^Allow once/ }).click();
    await ended(page);
    assert.equal(await read('made.txt'), 'made by hand\n');
    assert.match(await lastCard(page).locator('.output').innerText(), /made by hand/);
  }));

test('an error is a card with a retry, and only the latest', () =>
  onPage(async (page) => {
    await begin(page, 'error');
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    assert.match((await answers(page))[0], /This answer ends with an error/, 'what was said before it stays');
    await retry.click();
    await eventually(async () => (await page.locator('.card.error').count()) === 2, 'it failed again');
    await ended(page, 2);
    assert.deepEqual(await page.locator('.me').allInnerTexts(), ['error', 'error']);
    assert.equal(await retry.count(), 1);
  }));

test('stop ends a long answer, which stays, and the next prompt is answered', () =>
  onPage(async (page) => {
    await begin(page, 'slow 5000 5');
    await page.getByText(/\bw20\b/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/^Stopped by you, after/).waitFor();
    await ended(page);
    const said = (await answers(page))[0];
    assert.match(said, /\bw20\b/);
    assert.doesNotMatch(said, /\bw5000\b/);
    await say(page, 'long 500');
    await page.getByText(/\bw500\b/).waitFor();
    await ended(page, 2);
    assert.equal((await answers(page))[0], said, 'nothing was added after the stop');
  }));

test('a prompt during a turn is queued, can be withdrawn, and runs behind a message sent after a stop', () =>
  onPage(async (page) => {
    await begin(page, 'slow 5000 5');
    await page.getByText(/\bw5\b/).waitFor();
    await say(page, 'think no more');
    await say(page, 'think of sheds');
    const queued = page.locator('.queued li');
    await eventually(async () => (await queued.count()) === 2, 'both are queued');
    await queued.filter({ hasText: 'think no more' }).getByRole('button', { name: 'Withdraw' }).click();
    await eventually(async () => (await queued.count()) === 1, 'one is withdrawn');
    await page.keyboard.press('Escape');
    await page.getByText(/^Stopped by you/).waitFor();
    // A stop holds queued prompts until the next message, which runs first.
    assert.match(await queued.innerText(), /think of sheds/);
    await say(page, 'help');
    await ended(page, 3);
    assert.deepEqual(await page.locator('.me').allInnerTexts(), ['slow 5000 5', 'help', 'think of sheds']);
  }));

test('“always” is not asked twice, is listed, and can be taken back', () =>
  onPage(async (page) => {
    await writeFile(at('always.txt'), GREY);
    await begin(page, 'edit always.txt grey => green');
    await page.getByRole('button', { name: 'Always', exact: true }).click();
    await page.getByRole('button', { name: /^Always allow “Edit file” in this conversation/ }).click();
    await ended(page);
    await say(page, 'edit always.txt green => red');
    await ended(page, 2);
    assert.equal(await read('always.txt'), GREY.replace('grey', 'red'), 'done without asking');
    const rule = page.locator('aside .rules li', { hasText: '“Edit file” in this conversation' });
    await rule.getByRole('button').click();
    await rule.waitFor({ state: 'detached' });
    await say(page, 'edit always.txt red => grey');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await ended(page, 3);
    assert.equal(await read('always.txt'), GREY.replace('grey', 'red'));
  }));

test('a reload during an approval: the request remains, with the draft, and still counts', () =>
  onPage(async (page) => {
    await begin(page, 'write reload.txt it counts');
    await waits(page).first().waitFor();
    await composer(page).fill('half a thought');
    await page.reload();
    await waits(page).first().locator('.diff .add').first().waitFor();
    assert.equal(await composer(page).inputValue(), 'half a thought');
    await page.getByRole('button', { name: /^Allow once/ }).click();
    await ended(page);
    assert.equal(await read('reload.txt'), 'it counts\n');
  }));

test('a second tab is in step: requests and answers appear in both', () =>
  onPage(async (page) => {
    await begin(page, 'think about two windows');
    await ended(page);
    const other = await page.context().newPage();
    await other.goto(parlance.url);
    await other.locator('.conv', { hasText: 'think about two windows' }).click();
    await eventually(async () => (await answers(other)).join() === (await answers(page)).join(), 'the same transcript');
    await say(page, 'write tabs.txt both');
    await waits(other).first().waitFor();
    await other.getByRole('button', { name: /^Allow once/ }).click();
    await ended(page, 2);
    await ended(other, 2);
    assert.equal(await waits(page).count(), 0);
    assert.equal(await read('tabs.txt'), 'both\n');
    assert.deepEqual(await page.locator('.log').innerText(), await other.locator('.log').innerText());
  }));

test('a wrong token gets only the page with the place of the right token', () =>
  withPageAt(`${parlance.origin}/#token=wrong`, async (page) => {
    await page.getByRole('heading', { name: 'This page needs its token' }).waitFor();
    await page.getByText('did not accept').waitFor();
    assert.equal(await page.locator('.conv').count(), 0);
    await page.getByLabel('Token or address').fill(parlance.url);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.locator('.conv').first().waitFor();
  }));

test('the page may load only its own files', async () => {
  const answer = await fetch(parlance.origin);
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe-(inline|eval)|https?:\/\/|\*/);
  // Browsers keep the headers of the last answer, so a reload must get the same ones.
  const again = await fetch(parlance.origin, { headers: { 'If-None-Match': answer.headers.get('etag') } });
  assert.equal(again.status, 304);
  assert.equal(again.headers.get('content-security-policy'), policy);
});

test('a conversation may work in several folders, if all exist', () =>
  onPage(async (page) => {
    const other = join(parlance.at, 'other');
    await mkdir(other, { recursive: true });
    await page
      .getByRole('button', { name: /New conversation/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByLabel('More folders').fill(`${other}-gone`);
    await say(page, `write ${other}/there.txt hello`);
    await page.getByText(`${other}-gone: No such file or directory`).waitFor();
    await page.getByLabel('More folders').fill(other);
    await shot(page, 'more-folders');
    await composer(page).press('Enter');
    await page.locator('.me').first().waitFor();
    assert.match(await page.locator('header .chip.folder').innerText(), / \+1$/);
    await page.getByRole('button', { name: /^Allow once/ }).click();
    await ended(page);
    assert.equal(await readFile(join(other, 'there.txt'), 'utf8'), 'hello\n');
    await page
      .getByRole('button', { name: /New conversation/ })
      .first()
      .click();
    await page.getByLabel('More folders').fill('');
  }));

test('a new tab, or a bookmark, needs no token where the page was open before', () =>
  onPage(async (page) => {
    await composer(page).waitFor();
    await eventually(async () => (await page.context().cookies()).length > 0, 'the cookie');
    const cookies = await page.context().cookies();
    assert.deepEqual(
      cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
      [{ httpOnly: true, sameSite: 'Strict' }],
    );
    assert.ok(!cookies[0].value.includes(parlance.token), 'the cookie is not the token');
    assert.equal(await page.evaluate(() => document.cookie), '', 'no script reads it');
    const bookmark = await page.context().newPage();
    await bookmark.goto(parlance.origin);
    await composer(bookmark).waitFor();
    await bookmark.close();
    const stranger = await page.context().browser().newContext();
    const firstVisit = await stranger.newPage();
    await firstVisit.goto(parlance.origin);
    await firstVisit.locator('.token-page').waitFor();
    await stranger.close();
  }));
