// SPDX-License-Identifier: Apache-2.0
// An agent that dies during a turn: the page shows the reason, and restarts the agent with its session. The agent is a real ACP program.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { closeBrowser, composer, eventually, say, shot, withPageAt } from './page.mjs';
import { Parlance, program } from './parlance.mjs';

let parlance;
before(async () => {
  parlance = await Parlance.start({
    config: `[agents.other]\nname = "Other"\ncommand = ["${program}", "serve-acp", "--agent", "parlance", "--model", "rehearsal", "--rehearsal-pace-ms", "20"]\n`,
  });
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
});

/** The agent's processes, without other programs' processes. */
const agents = () =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('\0serve-acp\0') &&
          readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${parlance.at}`)
        );
      } catch {
        return false;
      }
    })
    .map(Number);
const ended = (page, n) =>
  eventually(
    async () =>
      (await page.locator('.item.user:not(.outgoing)').count()) === n &&
      (await page.locator('.stop, .outgoing').count()) === 0,
    `turn ${n} ends`,
  );

test('an agent that died is named with the reason, started again by a button, and goes on with its session', () =>
  withPageAt(parlance.url, async (page) => {
    await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Other' });
    await say(page, 'remember the word lighthouse');
    await ended(page, 1);
    await say(page, 'slow 200 50');
    await page.locator('.stop').waitFor();
    await page.getByText(/\b5\b/).last().waitFor();
    const [pid] = agents();
    process.kill(pid, 'SIGKILL');
    const banner = page.locator('.banner.died');
    await banner.getByText('Other has ended: ').waitFor();
    assert.match(await banner.innerText(), /SIGKILL/);
    await shot(page, 'died');
    assert.deepEqual(agents(), [], 'nobody has started it');

    await banner.getByRole('button', { name: 'Restart' }).click();
    await page.getByText('Other has restarted and loaded its session.').waitFor();
    assert.equal(await banner.count(), 0);
    assert.equal(agents().length, 1);
    const [again] = agents();
    assert.notEqual(again, pid);
    await shot(page, 'restarted');
    await say(page, 'hello');
    await ended(page, 3);
    assert.deepEqual(agents(), [again], 'the next message goes to it');
    assert.equal(await page.getByText('A new session').count(), 0);

    await page.reload();
    await composer(page).waitFor();
    await page.getByText('Other has restarted and loaded its session.').waitFor();
    assert.equal(await banner.count(), 0, 'what is over is not said again');
  }));

// Another vendor's program keeps its turns in memory: after a kill during a turn, only the rest of this turn is lost, with a notice.
test('of a conversation whose agent was killed in a turn all but the rest of that turn reads as where nobody was killed', () =>
  withPageAt(parlance.url, async (page) => {
    const played = async (disturb) => {
      await page
        .getByRole('button', { name: /New conversation/ })
        .first()
        .click();
      await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Other' });
      for (const [i, text] of ['think once', 'slow 60 50', 'markdown'].entries()) {
        await say(page, text);
        if (i === 1) await disturb();
        await ended(page, i + 1);
      }
      return page.evaluate(() =>
        [
          ...document.querySelectorAll(
            '.log .me, .log .answer .md, .log .item.tool summary, .log .card.error .sum, .log .ending',
          ),
        ].map((one) => one.textContent.replace(/\d+(\.\d+)? m?s\b/g, '').trim()),
      );
    };
    const whole = await played(async () => {});
    const killed = await played(async () => {
      await page
        .locator('.answer')
        .last()
        .getByText(/\bw5\b/)
        .waitFor();
      for (const pid of agents()) process.kill(pid, 'SIGKILL');
      await page.locator('.banner.died').getByRole('button', { name: 'Restart' }).click();
      await page.getByText('Other has restarted').waitFor();
    });
    const at = whole.indexOf('slow 60 50') + 1;
    assert.ok(at > 1 && whole.length > at + 2, whole.join('\n'));
    assert.deepEqual(killed.slice(0, at), whole.slice(0, at), 'what was before');
    assert.ok(
      killed[at].length > 5 && whole[at].startsWith(killed[at]),
      `“${killed[at]}” is how “${whole[at]}” begins`,
    );
    const behind = killed.indexOf('markdown');
    assert.match(killed.slice(at + 1, behind).join('\n'), /SIGKILL/, 'what became of the turn is told');
    assert.deepEqual(killed.slice(behind), whole.slice(whole.indexOf('markdown')), 'what came after');
  }));
