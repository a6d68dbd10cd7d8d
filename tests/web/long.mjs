// SPDX-License-Identifier: Apache-2.0
// Long conversations for tests, their sizes, and measurements in the page.
import assert from 'node:assert/strict';

export const STRICT = process.env.PARLANCE_LOAD_STRICT === '1';
export const MAX_NODES = 3_000;
export const OPEN_MS = STRICT ? 1_000 : 10_000;
export const KEY_MS = 16;

export const PROSE =
  'The peer waits for its own back-off first, which starts at 40 ms and has jitter, so the two race; nobody can tell which of them comes first. ';
const CODE = `\`\`\`cpp\n${Array.from({ length: 12 }, (_, n) => `  auto value_${n} = compute(${n});  // one of many`).join('\n')}\n\`\`\`\n\n`;
export const ANSWER = `${PROSE.repeat(8)}\n\n${CODE}- one of the points\n- another, with \`code\` and **weight**\n\n${PROSE.repeat(12)}\n\n`;

/** This number of messages of a person and the agent, alternating; each contains its number. */
export function messages(count, answer) {
  return Array.from({ length: count / 2 }, (_, i) => [
    { kind: 'turn_start', turn: `t${i}` },
    { kind: 'user_message', turn: `t${i}`, text: `question ${i}` },
    { kind: 'text', text: `Answer ${i}. ${answer}` },
    { kind: 'turn_end', turn: `t${i}`, stop_reason: 'end_turn', duration_ms: 1 },
  ]).flat();
}
/** The number of a message at its end too. */
const ending = (event) =>
  event.kind === 'text' ? { ...event, text: `${event.text}${event.text.slice(0, 9)}` } : event;
/** Adds a conversation with 24 MB in three messages. */
export const addLong = (host, title) =>
  host.addConversation({
    title,
    events: messages(6, ANSWER.repeat(Math.ceil(8_000_000 / ANSWER.length))).map(ending),
  });
export const row = (page, title) => page.locator('.sidebar .conv', { hasText: title });
export const scroller = (page) => page.locator('.scroll');
/** Elements and texts, of the whole page. */
export const nodes = (page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document);
    let count = 0;
    while (walker.nextNode()) ++count;
    return count;
  });
/** Two frames: the result of a scroll step is drawn. */
export const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Ten frames without a change of the conversation: all of its text has been read. */
export const atRest = (page) =>
  page.evaluate(async () => {
    let still = 0;
    const changes = new MutationObserver(() => {
      still = 0;
    });
    changes.observe(document.querySelector('main'), { childList: true, subtree: true, attributes: true });
    while (++still < 10) await new Promise((done) => requestAnimationFrame(done));
    changes.disconnect();
  });

/** Opens a conversation; returns the time until the end of its last message was painted in view. */
export async function open(page, title, last) {
  return page.evaluate(
    async ({ title, last }) => {
      const link = [...document.querySelectorAll('.sidebar .conv')].find((one) => one.textContent.includes(title));
      const began = performance.now();
      link.click();
      const there = () => {
        const item = [...document.querySelectorAll('.item')].at(-1);
        const end = [...(item?.querySelectorAll('.block, .code, .tail:not([hidden])') ?? [])]
          .at(-1)
          ?.getBoundingClientRect().bottom;
        const { bottom } = item?.querySelector('.answer')?.getBoundingClientRect() ?? {};
        return item?.textContent.includes(last) && bottom <= innerHeight && end > bottom - 60; // below: copy button and time
      };
      while (!there()) await new Promise((done) => requestAnimationFrame(done));
      await new Promise((done) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = done;
          channel.port2.postMessage(0);
        });
      });
      return performance.now() - began;
    },
    { title, last },
  );
}
/** The longest tasks from now on, in ms. */
export const watchTasks = (page) =>
  page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) window.tasks.push(Math.round(one.duration));
    }).observe({ type: 'longtask' });
  });

/** The longest task of the page during an action, in ms of processor time: other programs do not lengthen this time. */
export async function longestTask(page, action) {
  const browser = await page.context().newCDPSession(page);
  const events = [];
  browser.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const collected = new Promise((done) => browser.once('Tracing.tracingComplete', done));
  await browser.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
  });
  await action();
  await browser.send('Tracing.end');
  await collected;
  await browser.detach();
  const threadOf = (one) => `${one.pid} ${one.tid}`;
  const main = new Set(events.filter((one) => one.name === 'FireAnimationFrame').map(threadOf));
  const tasks = events.filter((one) => one.name.endsWith('RunTask') && one.tdur && main.has(threadOf(one)));
  assert.ok(tasks.length > 0, 'the trace has the tasks of the page');
  return Math.round(Math.max(...tasks.map((one) => one.tdur)) / 1000);
}

/** Counts watched elements and drawn blocks. A browser visits each watched element in each frame, so their number is the cost of a key. */
export const watchElements = (page) =>
  page.evaluate(() => {
    window.watched = new Set();
    window.blocks = 0;
    const { observe, unobserve } = IntersectionObserver.prototype;
    IntersectionObserver.prototype.observe = function (target) {
      window.watched.add(target);
      observe.call(this, target);
    };
    IntersectionObserver.prototype.unobserve = function (target) {
      window.watched.delete(target);
      unobserve.call(this, target);
    };
    new MutationObserver((changes) => {
      for (const change of changes)
        for (const node of change.addedNodes)
          if (node.nodeType === 1) window.blocks += node.matches('.block') + node.querySelectorAll('.block').length;
    }).observe(document.querySelector('main'), { childList: true, subtree: true });
  });

/** Whether an element with a selector is in the middle of the visible part. */
export const middleIs = (page, selector) =>
  page.evaluate((sought) => {
    const box = document.querySelector('.scroll').getBoundingClientRect();
    const at = (y) => document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2 + y);
    return [0, 20, 40].some((y) => at(y)?.closest(sought)); // a single point may be between two blocks
  }, selector);

/** Adds a conversation with a single answer, and a small conversation. */
export function answered(host, title, text) {
  host.addConversation({
    title,
    events: [
      { kind: 'turn_start', turn: 't' },
      { kind: 'user_message', turn: 't', text: 'write' },
      { kind: 'text', text },
      { kind: 'turn_end', turn: 't', stop_reason: 'end_turn', duration_ms: 1 },
    ],
  });
  host.addConversation({ title: 'small', events: [{ kind: 'text', text: 'Something small.' }] });
}

/** The cost of a key in the composer, as medians: restyled elements, laid out objects, processor milliseconds of the main thread. */
export async function costOfKeys(page, keys) {
  const browser = await page.context().newCDPSession(page);
  const costs = { restyled: [], laidOut: [], ms: [] };
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () =>
    (await browser.send('Performance.getMetrics')).metrics.find((one) => one.name === 'TaskDuration').value * 1000;
  for (const key of keys) {
    const before = await busy();
    await page.keyboard.press(key);
    await drawn(page);
    costs.ms.push((await busy()) - before);
  }
  await browser.send('Performance.disable');
  const events = [];
  browser.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  for (const key of keys) {
    events.length = 0;
    const collected = new Promise((done) => browser.once('Tracing.tracingComplete', done));
    await browser.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['devtools.timeline'] },
    });
    await page.keyboard.press(key);
    await drawn(page);
    await browser.send('Tracing.end');
    await collected;
    const sum = (name, of) => events.filter((one) => one.name === name).reduce((all, one) => all + (of(one) ?? 0), 0);
    assert.ok(sum('UpdateLayoutTree', () => 1) > 0, 'the trace has the frame of the key');
    costs.restyled.push(sum('UpdateLayoutTree', (one) => one.args.elementCount));
    costs.laidOut.push(sum('Layout', (one) => one.args.beginData?.dirtyObjects));
  }
  await browser.detach();
  const median = (all) => Math.round(all.sort((a, b) => a - b)[all.length >> 1]);
  return Object.fromEntries(Object.entries(costs).map(([name, all]) => [name, median(all)]));
}
