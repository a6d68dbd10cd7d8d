// SPDX-License-Identifier: Apache-2.0
// Other vendors' agents behind the real program, on the page: an agent of iFlow's dialect, and a replacement for Claude Code. Both are
// scripts of tests/peers with requests to a person.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { webFolder } from './modules.mjs';
import { closeBrowser, eventually, NOTHING, say, shot, waits, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

const script = (path) => fileURLToPath(new URL(`../peers/${path}`, import.meta.url));

let at;
let iflow;
let parlance;
before(async () => {
  at = await mkdtemp(join(tmpdir(), 'parlance-agents-'));
  // A file names the play, because each conversation starts the agent again.
  await writeFile(
    join(at, 'claude'),
    `#!/bin/sh\nFAKE_SCRIPT=$(cat '${at}/play') exec '${process.execPath}' '${script('claude/fake_agent.mjs')}' "$@"\n`,
    { mode: 0o755 },
  );
  iflow = spawn(process.execPath, [script('acp/mock-iflow/server.mjs'), '--port', '0', '--gap', '0'], {
    env: { ...process.env, IFLOW_PEER: webFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const listening = await new Promise((resolve) => {
    iflow.stdout.once('data', (text) => resolve(/ws:\S+/.exec(String(text))[0]));
  });
  parlance = await Parlance.start({
    config: `[agents.scripted]\nname = "Of iFlow's kind"\nurl = "${listening}"\ndialect = "iflow"\n`,
    flags: ['--claude-command', join(at, 'claude')],
  });
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
  iflow?.kill();
  await rm(at, { recursive: true, force: true });
});

const onPage = (work) => withPageAt(parlance.url, work, { forgive: NOTHING });
async function begin(page, agent, text) {
  await page
    .getByRole('button', { name: /New conversation/ })
    .first()
    .click();
  await page.getByLabel('Agent', { exact: true }).selectOption({ label: agent });
  await say(page, text);
}
const plays = (name) => writeFile(join(at, 'play'), name);
const ended = (page, n) =>
  eventually(
    async () =>
      (await page.locator('.item.user:not(.outgoing)').count()) === n &&
      (await page.locator('.stop, .outgoing').count()) === 0,
    `turn ${n} ends`,
  );
const answer = (page) => page.locator('.answer .md').last().innerText();

test("an agent of iFlow's dialect: what it asks is answered, and a stop ends it", () =>
  onPage(async (page) => {
    const card = waits(page).first();
    await begin(page, "Of iFlow's kind", 'scenario:permission');
    await card.getByRole('region', { name: 'Details of the request' }).getByText('Shell: ls').waitFor();
    await card.getByText("Of iFlow's kind wants this in ~/work.").waitFor();
    await card.getByRole('button', { name: /^Yes, allow once/ }).click();
    await ended(page, 1);
    assert.match(await answer(page), /"optionId":"proceed_once"/);

    await say(page, 'scenario:questions');
    await card.getByText('Which database?', { exact: true }).waitFor();
    await card.getByLabel('postgres').check();
    await card.getByLabel('tests').check();
    await card.getByRole('button', { name: 'Send answers' }).click();
    await ended(page, 2);
    assert.match(await answer(page), /"answers":\{"Database":"postgres","Extras":\["tests"\]\}/);

    await say(page, 'scenario:planexit');
    await card.getByRole('listitem').filter({ hasText: 'write' }).waitFor();
    await shot(page, 'agents-plan');
    await card.getByRole('button', { name: /^Go, and ask me about changes/ }).click();
    await ended(page, 3);
    assert.match(await answer(page), /"approved":true/);

    await say(page, 'scenario:wait');
    await page.locator('.answer', { hasText: /^working/ }).waitFor();
    await page.locator('.stop').click();
    await ended(page, 4);
    await page.getByText(/^Stopped by you/).waitFor();
    assert.equal(await answer(page), 'working', 'what it had said stays');
    assert.equal(await page.locator('.card.error').count(), 0);
  }));

test('a program in the place of Claude Code: each request is asked in plain words, and answered once', () =>
  onPage(async (page) => {
    const card = waits(page).first();
    await plays('permission');
    await begin(page, 'Claude Code', 'look around');
    await card.getByText('Claude Code wants this in ~/work: commands need approval.').waitFor();
    await card.getByRole('button', { name: /^Allow once/ }).click();
    await card.getByText('rm -rf x').first().waitFor();
    await shot(page, 'agents-claude');
    await card.getByRole('button', { name: 'Reject', exact: true }).click();
    await ended(page, 1);
    assert.equal(await waits(page).count(), 0);

    await plays('question');
    await begin(page, 'Claude Code', 'ask me');
    await card.getByText('Which one?', { exact: true }).first().waitFor();
    for (const colour of ['Red', 'Green', 'Blue'])
      await card
        .getByRole('group')
        .filter({ has: page.getByLabel(colour) })
        .nth(['Red', 'Green', 'Blue'].indexOf(colour))
        .getByLabel(colour)
        .check();
    await card.getByRole('button', { name: 'Send answers' }).click();
    await ended(page, 1);
    await page.getByText('Answered by you: “Red; Green; Blue”').waitFor();

    await plays('plan');
    await begin(page, 'Claude Code', 'plan it');
    await card.getByText('step of plan 1').waitFor();
    await card.getByRole('button', { name: /^Plan again/ }).click();
    await card.getByRole('textbox').fill('shorter');
    await card.getByRole('button', { name: /^Send/ }).click();
    await card.getByText('step of plan 2').waitFor();
    await card.getByRole('button', { name: /^Go, and ask me about changes/ }).click();
    await ended(page, 1);
    assert.equal(await page.locator('.card.error').count(), 0);
  }));
