// SPDX-License-Identifier: Apache-2.0
// Long conversations: ten thousand messages, twenty megabytes, a megabyte in one paragraph. Counts the contents of the document and prints
// durations. With PARLANCE_LOAD_STRICT=1, for a quiet machine, the target decides.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, composer, eventually, withPage } from './page.mjs';
import {
  addLong,
  ANSWER,
  answered,
  drawn,
  MAX_NODES,
  messages,
  middleIs,
  nodes,
  open,
  OPEN_MS,
  PROSE,
  row,
  scroller,
  STRICT,
  watchElements,
  watchTasks,
} from './long.mjs';

after(closeBrowser);

const sizes = [
  [
    '10,000 messages',
    (host) => host.addConversation({ title: 'huge', events: messages(10_000, 'With `code` and **weight**.') }),
    4_999,
  ],
  [
    '20 MB',
    (host) =>
      host.addConversation({ title: 'huge', events: messages(Math.ceil(20_000_000 / ANSWER.length) * 2, ANSWER) }),
    Math.ceil(20_000_000 / ANSWER.length) - 1,
  ],
  ['24 MB in three messages', (host) => addLong(host, 'huge'), 2, 6_000],
];
for (const [size, prepare, last, most = MAX_NODES] of sizes) {
  test(`${size} open at once, and the document stays small during any scrolling`, { timeout: 150_000 }, (t) =>
    withPage(
      async (page) => {
        await page.getByText('Something small.').waitFor();
        const took = await open(page, 'huge', `Answer ${last}.`);
        const counts = [await nodes(page)];
        let pages = 0;
        for (; pages < 200; ++pages) {
          const top = await scroller(page).evaluate(
            (e, steps) => {
              e.scrollTop -= e.clientHeight * steps;
              return e.scrollTop;
            },
            pages < 30 ? 1 + (pages % 3) : 60,
          );
          await drawn(page);
          counts.push(await nodes(page));
          if (top === 0 && !(await page.getByRole('button', { name: 'Show older' }).isVisible())) break;
        }
        await scroller(page).evaluate((e) => {
          e.scrollTop = e.scrollHeight;
        });
        await page.getByText(`Answer ${last}.`).waitFor();
        counts.push(await nodes(page));
        t.diagnostic(`opened in ${Math.round(took)} ms; at most ${Math.max(...counts)} nodes on ${pages} steps`);
        assert.ok(took < OPEN_MS, `opened in ${took} ms`);
        assert.ok(Math.max(...counts) < most, `nodes: ${counts.join(' ')}`);
      },
      {
        prepare: (host) => {
          prepare(host);
          host.addConversation({ title: 'small', events: [{ kind: 'text', text: 'Something small.' }] });
        },
      },
    ),
  );
}

/** The first visible item, and its place. */
const firstSeen = (page) =>
  page.evaluate(() => {
    const view = document.querySelector('.scroll').getBoundingClientRect();
    const item = [...document.querySelectorAll('.item')].find((one) => one.getBoundingClientRect().top >= view.top);
    return { seq: item.dataset.seq, y: item.getBoundingClientRect().top };
  });

test(
  'the visible text stays in place while older messages arrive and rows get their real height',
  { timeout: 100_000 },
  () =>
    withPage(
      async (page) => {
        await row(page, 'huge').waitFor();
        await open(page, 'huge', 'Answer 1499.');
        const yOf = (seq) => page.locator(`[data-seq="${seq}"]`).evaluate((e) => e.getBoundingClientRect().top);
        for (let step = 0; step < 25; ++step) {
          await scroller(page).evaluate(
            (e, by) => {
              e.scrollTop -= by;
            },
            300 + (step % 4) * 700,
          );
          await drawn(page);
          const { seq, y } = await firstSeen(page);
          await drawn(page);
          await drawn(page);
          assert.ok(Math.abs((await yOf(seq)) - y) < 2, `step ${step}: ${seq} was at ${y} and is at ${await yOf(seq)}`);
        }
        await scroller(page).evaluate((e) => {
          e.scrollTop = 0;
        });
        await page.getByRole('button', { name: 'Show older' }).waitFor();
        await eventually(
          async () =>
            (await page.locator('[data-seq]').first().getAttribute('data-seq')) !== undefined &&
            (await scroller(page).evaluate((e) => e.scrollTop)) > 0,
          'older ones came, above',
        );
      },
      { prepare: (host) => host.addConversation({ title: 'huge', events: messages(3_000, ANSWER.slice(0, 900)) }) },
    ),
);

test('a search leads to an unloaded message', { timeout: 60_000 }, () =>
  withPage(
    async (page) => {
      await row(page, 'huge').waitFor();
      await page.getByRole('searchbox', { name: 'Search titles and messages' }).fill('needle');
      await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: /huge/ }).click();
      await page.locator('.sought').getByText('A needle.').waitFor();
      const box = await page.locator('.sought').boundingBox();
      const view = await scroller(page).boundingBox();
      assert.ok(box.y >= view.y && box.y + box.height <= view.y + view.height, 'in view');
      assert.ok((await nodes(page)) < MAX_NODES);
    },
    {
      prepare: (host) =>
        host.addConversation({
          title: 'huge',
          events: [...messages(1_000, 'x'), { kind: 'text', text: 'A needle.' }, ...messages(4_000, 'y')],
        }),
    },
  ),
);

test('a screen reader announces new entries, and not entries scrolled into view', { timeout: 60_000 }, () =>
  withPage(
    async (page, host) => {
      await row(page, 'huge').waitFor();
      await open(page, 'huge', 'Answer 999.');
      const spoken = () => page.locator('.log > .item:not([aria-live=off])').count();
      assert.equal(await spoken(), 0, 'what was there is not read out');
      host.emit(
        [...host.conversations.keys()][0],
        { kind: 'user_message', turn: 'n', text: 'and now?' },
        { kind: 'text', text: 'Something new.' },
      );
      await page.getByText('Something new.').waitFor();
      assert.equal(await spoken(), 2);
      await scroller(page).evaluate((e) => {
        e.scrollTop = e.scrollHeight / 2;
      });
      await drawn(page);
      await page.locator('.log > .room').first().waitFor({ state: 'attached' });
      assert.equal(await spoken(), 2, 'what comes into view is not news');
      await page.getByText('Something new.').waitFor({ state: 'attached' });
    },
    { prepare: (host) => host.addConversation({ title: 'huge', events: messages(2_000, 'Words.') }) },
  ),
);

test('a selection stays during scrolling', { timeout: 60_000 }, () =>
  withPage(
    async (page) => {
      await row(page, 'huge').waitFor();
      await open(page, 'huge', 'Answer 999.');
      await page.evaluate(() => {
        const last = [...document.querySelectorAll('.item.text')].at(-12);
        getSelection().selectAllChildren(last);
      });
      const text = await page.evaluate(() => getSelection().toString());
      await scroller(page).evaluate((e) => {
        e.scrollTop -= 5 * e.clientHeight;
      });
      await drawn(page);
      assert.equal(await page.evaluate(() => getSelection().toString()), text);
    },
    { prepare: (host) => host.addConversation({ title: 'huge', events: messages(2_000, 'Words.') }) },
  ),
);

test('a megabyte in a single paragraph is complete, and freezes nothing', { timeout: 100_000 }, (t) =>
  withPage(
    async (page) => {
      await row(page, 'paragraph').waitFor();
      await watchTasks(page);
      await page.getByText('Something small.').waitFor();
      const took = await open(page, 'paragraph', 'The very end.');
      const atEnd = await nodes(page);
      await composer(page).focus();
      await eventually(async () => {
        await scroller(page).evaluate((e) => {
          e.scrollTop = 0;
        });
        return page.getByText('The very beginning.').isVisible();
      }, 'the beginning');
      const middle = await scroller(page).evaluate((e) => {
        e.scrollTop = e.scrollHeight / 2;
        return e.scrollTop;
      });
      assert.ok(middle > 20_000);
      await drawn(page);
      await eventually(() => middleIs(page, '.block'), 'the middle is there');
      const tasks = await page.evaluate(() => window.tasks);
      t.diagnostic(`opened in ${Math.round(took)} ms, ${atEnd} nodes; long tasks ${tasks.join(' ') || 'none'} ms`);
      assert.ok(took < OPEN_MS);
      assert.ok(atEnd < MAX_NODES && (await nodes(page)) < MAX_NODES);
      assert.ok(Math.max(0, ...tasks) < (STRICT ? 51 : 2_000), `long tasks: ${tasks.join(' ')}`);
    },
    {
      prepare: (host) =>
        answered(
          host,
          'paragraph',
          `The very beginning. ${PROSE.repeat(Math.ceil(1_000_000 / PROSE.length))} The very end.`,
        ),
    },
  ),
);

test('of a message of four megabytes little is read, drawn and watched, from its opening on', { timeout: 60_000 }, () =>
  withPage(
    async (page) => {
      await page.getByText('Something small.').waitFor();
      await watchElements(page);
      await open(page, 'message', 'The very end.');
      await eventually(
        async () => (await page.evaluate(() => window.watched.size)) < 300,
        'far parts are watched as one',
      );
      const [blocks, sections] = await page.evaluate(() => [
        window.blocks,
        document.querySelectorAll('.section').length,
      ]);
      assert.ok(blocks < 500, `${blocks} blocks were drawn`);
      assert.ok(sections < 200, `${sections} sections of the message were read`);
      await scroller(page).evaluate((e) => {
        e.scrollTop = e.scrollHeight / 2;
      });
      await eventually(() => middleIs(page, '.block, .code'), 'the middle is there');
      await eventually(
        async () => (await page.evaluate(() => window.watched.size)) < 400,
        'and so they are after a step',
      );
    },
    {
      prepare: (host) =>
        answered(host, 'message', `${ANSWER.repeat(Math.ceil(4_000_000 / ANSWER.length))}The very end.`),
    },
  ),
);

test('a long block of code has colours only in view', { timeout: 60_000 }, () =>
  withPage(
    async (page) => {
      await row(page, 'code').waitFor();
      await open(page, 'code', 'That is all.');
      await page.locator('.hljs-keyword').first().waitFor();
      assert.ok((await nodes(page)) < MAX_NODES, `${await nodes(page)} nodes`);
      assert.equal(await page.locator('.lines').first().locator('span').count(), 0, 'far from view');
      await scroller(page).evaluate((e) => {
        e.scrollTop = 0;
      });
      await eventually(
        async () => (await page.locator('.lines').first().locator('.hljs-keyword').count()) > 0,
        'coloured where one looks',
      );
      await eventually(
        async () => (await page.locator('.lines').last().locator('span').count()) === 0,
        'and plain elsewhere',
      );
      assert.ok((await nodes(page)) < MAX_NODES);
    },
    {
      prepare: (host) =>
        host.addConversation({
          title: 'code',
          events: [
            { kind: 'turn_start', turn: 't' },
            {
              kind: 'text',
              text: `\`\`\`cpp\n${Array.from({ length: 450 }, (_, n) => `const auto value_${n} = compute(${n}); // one`).join('\n')}\n\`\`\`\n\nThat is all.`,
            },
            { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 },
          ],
        }),
    },
  ),
);

test('words are found in this conversation, even in unloaded or undrawn parts', { timeout: 60_000 }, (t) =>
  withPage(
    async (page, host) => {
      await row(page, 'huge').waitFor();
      await open(page, 'huge', 'Answer 1999.');
      await page.keyboard.press('Control+f');
      const bar = page.getByRole('search').getByRole('searchbox', { name: 'Find in this conversation' });
      await bar.fill('needle');
      await page.getByRole('search').getByText('3 of 3').waitFor();
      const marked = () =>
        page.evaluate(() => {
          const range = [...(CSS.highlights.get('found-now') ?? [])][0];
          const view = document.querySelector('.scroll').getBoundingClientRect();
          const box = range?.getBoundingClientRect();
          return box && box.height > 0 && box.top >= view.top && box.bottom <= view.bottom
            ? range.startContainer.textContent
            : '';
        });
      for (const [place, there] of [
        ['3 of 3', 'the newest needle'],
        ['2 of 3', 'Second needle'],
        ['1 of 3', 'first needle'],
      ]) {
        await page.getByRole('search').getByText(place).waitFor();
        await eventually(async () => (await marked()).includes(there), `${place} is in view and marked`);
        await bar.press('Enter');
      }
      await page.getByRole('search').getByText('3 of 3').waitFor();
      assert.ok((await nodes(page)) < MAX_NODES);
      assert.ok(host.count('older') > 0, 'older messages were fetched for it');
      await bar.press('Escape');
      await eventually(async () => (await page.getByRole('search').count()) === 0, 'closed');
      t.diagnostic(`${await nodes(page)} nodes`);
    },
    {
      prepare: (host) =>
        host.addConversation({
          title: 'huge',
          events: [
            ...messages(100, 'x'),
            {
              kind: 'text',
              text: `${'Words before it.\n\n'.repeat(20_000)}The first needle. ${'\n\nWords after it.'.repeat(20_000)}`,
            },
            ...messages(2_000, 'y'),
            { kind: 'text', text: 'Second needle.' },
            ...messages(4_000, 'y').slice(0, -1),
            { kind: 'text', text: ' And the newest needle.' },
          ],
        }),
    },
  ),
);

test('a message of a person without a line end is cut, and shown whole on demand', { timeout: 60_000 }, () =>
  withPage(
    async (page) => {
      await page.locator('.me').waitFor();
      assert.ok((await page.locator('.me').innerText()).length < 2_000);
      await page.getByRole('button', { name: 'Show all' }).click();
      await eventually(
        async () => (await page.locator('.me').evaluate((e) => e.textContent.length)) > 700_000,
        'all of it',
      );
      assert.ok((await nodes(page)) < MAX_NODES);
    },
    {
      prepare: (host) =>
        host.addConversation({
          title: 'pasted',
          events: [
            { kind: 'turn_start', turn: 't' },
            { kind: 'user_message', turn: 't', text: PROSE.repeat(Math.ceil(700_000 / PROSE.length)) },
            { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 },
          ],
        }),
    },
  ),
);
