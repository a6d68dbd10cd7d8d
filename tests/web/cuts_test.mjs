// SPDX-License-Identifier: Apache-2.0
// Random cuts of connections and kills of gateways during turns: afterwards a page shows the same as an undisturbed page. The seed is
// printed; PARLANCE_CUT_SEED repeats a run, PARLANCE_CUT_SECONDS extends a run.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { closeBrowser, eventually, openBrowser, say, waits } from './page.mjs';
import { Parlance } from './parlance.mjs';

const SECONDS = Number(process.env.PARLANCE_CUT_SECONDS ?? 15);
const SEED = Number(process.env.PARLANCE_CUT_SEED ?? Date.now() % 1_000_000);
const TURNS = ['slow 300 5', 'think once', 'markdown', 'slow 200 5', 'long 300'];

after(closeBrowser);

/** The same numbers for the same seed. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Carries bytes to the gateway and back, until a cut: at once, or after a time without traffic. */
class Wire {
  #pairs = new Set();
  static async to(origin) {
    const one = new Wire();
    const { port } = new URL(origin);
    one.server = createServer((near) => one.#carry(near, port));
    await new Promise((resolve) => one.server.listen(0, '127.0.0.1', resolve));
    one.port = one.server.address().port;
    one.origin = `http://127.0.0.1:${one.port}`;
    return one;
  }
  #carry(near, port) {
    const far = connect(Number(port), '127.0.0.1');
    const pair = { near, far, silent: false };
    let head = ''; // of a request, until complete; the frames after an upgrade stay unchanged
    let upgraded = false;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    // The gateway answers only to its own name.
    near.on('data', (data) => {
      if (pair.silent) return;
      if (upgraded) {
        far.write(data);
        return;
      }
      head += data.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      upgraded = /^upgrade: websocket/im.test(head);
      far.write(Buffer.from(head.replaceAll(`127.0.0.1:${this.port}`, `127.0.0.1:${port}`), 'latin1'));
      head = '';
    });
    far.on('data', (data) => {
      if (!pair.silent) near.write(data);
    });
  }
  /** `silent`: first loses the sent bytes, like a vanished network. */
  cut(silent) {
    for (const pair of [...this.#pairs]) {
      pair.silent = silent;
      setTimeout(
        () => {
          pair.near.destroy();
          pair.far.destroy();
        },
        silent ? 100 : 0,
      );
    }
  }
  close() {
    this.cut(false);
    this.server.close();
  }
}

/** `pace.most`: milliseconds between two cuts, at most. */
async function cutUntil(over, wire, dice, pace) {
  let cuts = 0;
  for (; !over(); ++cuts) {
    await new Promise((resolve) => {
      setTimeout(resolve, 40 + dice() * pace.most);
    });
    wire.cut(dice() < 0.3);
  }
  return cuts;
}

/**
 * The page's whole view of a conversation, from its beginning: entries far from the reader are not in the document. So the test
 * scrolls through them, in a visible page, because a hidden page draws nothing.
 */
async function readThrough(page) {
  await page.bringToFront();
  return page.evaluate(async () => {
    const scroller = document.querySelector('.scroll');
    const drawn = async () => {
      for (let i = 0; i < 4; ++i) await new Promise(requestAnimationFrame);
    };
    do {
      scroller.scrollTop = 0;
      await drawn();
    } while (document.querySelector('.log .older') || scroller.scrollTop > 0);
    const read = new Map();
    for (let last = false; !last; await drawn()) {
      for (const item of document.querySelectorAll('.log .item'))
        read.set(item.dataset.seq ?? 'other', item.textContent);
      last = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
      scroller.scrollTop += scroller.clientHeight / 2;
    }
    return [...read]
      .sort(([a], [b]) => a - b)
      .map(([seq, text]) => `${seq} ${text}`)
      .join('\n');
  });
}

/** … `said` things of a person, and all else. */
async function showTheSame(whole, page, said, what) {
  let [expected, shown] = ['', ''];
  await eventually(async () => {
    [expected, shown] = [await readThrough(whole), await readThrough(page)];
    return expected.match(/^\d+ You: /gm).length === said && shown === expected;
  }, what).catch(async (error) => {
    if (process.env.PARLANCE_SHOTS)
      for (const [name, text] of [
        ['expected', expected],
        ['shown', shown],
      ])
        await writeFile(`${process.env.PARLANCE_SHOTS}/cuts-${name}.txt`, text);
    throw error;
  });
}

test(
  `two pages that are cut off again and again show what one shows that never was (seed ${SEED})`,
  { timeout: (SECONDS + 90) * 1000 },
  async () => {
    const dice = random(SEED);
    const parlance = await Parlance.start();
    const wire = await Wire.to(parlance.origin);
    const context = await (
      await openBrowser()
    ).newContext({ viewport: { width: 1360, height: 860 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(30_000);
    let cutting = true;
    const pace = { most: 700 };
    try {
      const open = async (origin) => {
        const page = await context.newPage();
        await page.goto(`${origin}/#token=${parlance.token}`);
        return page;
      };
      const whole = await open(parlance.origin);
      await whole.getByText('What should we work on?').waitFor();
      await say(whole, 'think first');
      await whole.locator('.answer .md').first().waitFor();
      const cut = [await open(wire.origin), await open(wire.origin)];
      for (const page of cut) await page.locator('.answer .md').first().waitFor();

      const cutter = cutUntil(() => !cutting, wire, dice, pace);
      const until = Date.now() + SECONDS * 1000;
      let turns = 0;
      for (; Date.now() < until; ++turns) {
        await say(whole, TURNS[turns % TURNS.length]);
        await eventually(async () => (await whole.locator('.stop, .outgoing').count()) === 0, 'the turn ends');
      }
      // An answer from a page during a cut counts, and only once.
      await say(whole, 'write cut.txt once');
      await waits(whole).first().waitFor();
      pace.most = 4000; // a busy machine takes a second to connect, and a card half a second to arm itself
      await eventually(async () => {
        if ((await waits(whole).count()) === 0) return true;
        await cut[0]
          .getByRole('button', { name: /^Allow once/ })
          .first()
          .click({ timeout: 1000 })
          .catch(() => {});
        return false;
      }, 'the answer gets through');
      await eventually(async () => (await whole.locator('.stop, .outgoing').count()) === 0, 'the last turn ends');
      cutting = false;
      const cuts = await cutter;
      assert.ok(cuts >= SECONDS, `${cuts} cuts`);

      for (const [i, page] of cut.entries()) await showTheSame(whole, page, turns + 2, `page ${i} shows the same`);
      assert.equal(await whole.locator('.card.error').count(), 0);
      console.log(`# ${cuts} cuts in ${SECONDS} s`);
    } finally {
      cutting = false;
      wire.close();
      await context.close();
      await parlance.clean();
    }
  },
);

// --- The services themselves are killed: a person's final view equals the view without kills. ---

const SAID = ['slow 80 20', 'think once', 'markdown', 'long 60', 'run echo said-it'];

/** The texts and actions, without times and numbers. */
const read = (page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '.log .me, .log .answer .md, .log .item.tool header, .log .item.tool summary, .log .verdict',
      ),
    ].map((one) => one.textContent.replace(/\d+(\.\d+)? m?s\b|\d+:\d+/g, '').trim()),
  );

/** `disturb(parlance, page)`: the fault during a turn. */
async function played(disturb) {
  const parlance = await Parlance.start();
  const context = await (
    await openBrowser()
  ).newContext({ viewport: { width: 1360, height: 860 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  try {
    const page = await context.newPage();
    await page.goto(`${parlance.origin}/#token=${parlance.token}`);
    await page.getByText('What should we work on?').waitFor();
    for (const text of SAID) {
      await say(page, text);
      const disturbed = disturb(parlance, page);
      await eventually(async () => {
        if (
          (await page.locator('.stop, .outgoing, .banner.lost').count()) === 0 &&
          (await page.locator('.me').last().innerText()) === text
        )
          return true;
        if ((await waits(page).count()) > 0)
          await page
            .getByRole('button', { name: /^Allow once/ })
            .first()
            .click({ timeout: 500 })
            .catch(() => {});
        return false;
      }, `the turn of "${text}" ends`);
      await disturbed;
      await eventually(
        async () => (await page.locator('.stop, .outgoing, .banner').count()) === 0,
        'all is well again',
      );
    }
    assert.equal(await page.locator('.card.error').count(), 0);
    const shown = await read(page);
    await page.reload();
    await page.locator('.me', { hasText: SAID.at(-1) }).waitFor();
    await eventually(
      async () => JSON.stringify(await read(page)) === JSON.stringify(shown),
      'a page that is opened anew shows the same',
    );
    return shown;
  } finally {
    await context.close();
    await parlance.clean();
  }
}

let undisturbed;
before(async () => {
  undisturbed = await played(async () => {});
  assert.equal(undisturbed.filter((one) => SAID.includes(one)).length, SAID.length, undisturbed.join('\n'));
});

// Our own agent continues at its position after a restart, because the hub compares repeated text with stored text.
for (const [i, service] of ['gateway', 'agent'].entries()) {
  test(
    `a process of the ${service} that is killed in every turn changes nothing of what is read (seed ${SEED})`,
    { timeout: 300_000 },
    async () => {
      const dice = random(SEED + 1 + i);
      let amid = 0;
      const killed = await played(async (parlance, page) => {
        await page
          .locator('.stop')
          .waitFor({ timeout: 5000 })
          .catch(() => {}); // a short turn may end before the check
        await new Promise((resolve) => {
          setTimeout(resolve, dice() * 250);
        });
        if ((await page.locator('.stop').count()) > 0) ++amid;
        await parlance.kill(service);
      });
      assert.deepEqual(killed, undisturbed);
      assert.ok(amid > 0, `no turn ran when its ${service} was killed`);
      console.log(`# ${amid} of ${SAID.length} turns were in the middle`);
    },
  );
}
