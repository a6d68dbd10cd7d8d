// SPDX-License-Identifier: Apache-2.0
// From an agent's request to the message in a browser: the real program, and a push service of the test.

import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { WebSocket } from './modules.mjs';
import { closeBrowser, eventually, openBrowser } from './page.mjs';
import { Parlance } from './parlance.mjs';
import { BrowserKeys, claimsOf, PushService } from './push_service.mjs';

let parlance;
let service;
before(async () => {
  service = await PushService.start();
  parlance = await Parlance.start({
    flags: ['--push-services', `fcm.googleapis.com ${service.origin}`, '--push-contact', 'mailto:someone@example.org'],
  });
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
  await service?.stop();
});

/** A page without a browser: sends requests, and receives the waiting requests. */
async function connect() {
  const socket = new WebSocket(`${parlance.origin.replace('http', 'ws')}/ws`, [
    'parlance.v1',
    `token.${parlance.token}`,
  ]);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const answers = new Map();
  const asks = new Map();
  let last = 0;
  socket.on('message', (text) => {
    const message = JSON.parse(text);
    if (message.type === 'snapshot') for (const ask of message.asks) asks.set(ask.id, ask);
    for (const op of message.ops ?? []) if (op.op === 'ask') asks.set(op.ask.id, op.ask);
    if (message.request) answers.get(message.request)?.(message);
  });
  socket.send(JSON.stringify({ type: 'ready' }));
  return {
    open: () => [...asks.values()].filter((ask) => ask.state === 'open'),
    request: (message) =>
      new Promise((resolve, reject) => {
        const request = String(++last);
        answers.set(request, (answer) =>
          answer.type === 'done' ? resolve(answer.value) : reject(new Error(`${answer.code}: ${answer.message}`)),
        );
        socket.send(JSON.stringify({ ...message, request }));
      }),
    close: () => socket.close(),
  };
}

/** An action that needs approval. */
async function letItAsk(page, n = 1) {
  const { conversation } = await page.request({ type: 'new', agent: 'parlance', folder: parlance.folder });
  await page.request({ type: 'prompt', conversation: conversation.id, text: 'run touch made.txt' });
  await eventually(() => page.open().length >= n, 'it asks');
  return conversation.id;
}
async function answerAll(page) {
  for (const ask of page.open())
    await page.request({
      type: 'answer',
      ask: ask.id,
      digest: ask.digest,
      option: ask.options.find((one) => one.kind === 'reject_once').id,
    });
}
const subscribe = (page, keys, path = '/a', name = 'Firefox, Android') =>
  page.request({ type: 'push_subscribe', endpoint: service.origin + path, ...keys.wire, name });

test('a browser with notifications learns the number of requests, encrypted and signed, and nothing else', async () => {
  const page = await connect();
  const keys = new BrowserKeys();
  const told = await subscribe(page, keys);
  assert.deepEqual(
    told.browsers.map(({ name, service: host, told_at: toldAt }) => [name, host, toldAt]),
    [['Firefox, Android', '127.0.0.1', undefined]],
  );
  await letItAsk(page);
  await eventually(() => service.received.length === 1, 'a push comes');
  const [push] = service.received.splice(0);
  assert.equal(push.path, '/a');
  assert.equal(keys.read(push.body), '{"waiting":1}');
  assert.equal(push.headers['content-encoding'], 'aes128gcm');
  assert.equal(push.headers.urgency, 'high');
  assert.equal(push.headers.topic, 'parlance-waiting');
  assert.equal(Number(push.headers.ttl) > 3600, true);
  const claims = claimsOf(push.headers.authorization);
  assert.equal(claims.aud, service.origin);
  assert.equal(claims.sub, 'mailto:someone@example.org');
  assert.equal(claims.exp > Date.now() / 1000 && claims.exp < Date.now() / 1000 + 86_400, true);
  assert.equal(claims.key, told.public_key);
  for (const file of ['push_key', 'push_subscriptions.json'])
    assert.equal((await stat(join(parlance.at, 'state', file))).mode & 0o777, 0o600);
  await eventually(
    async () => (await page.request({ type: 'push' })).browsers[0].told_at,
    'it stands there when it was told',
  );
  await answerAll(page);
  page.close();
});

test('no notification is sent while a page is looked at', async () => {
  const page = await connect();
  await subscribe(page, new BrowserKeys());
  await page.request({ type: 'looking', looking: true });
  await letItAsk(page);
  await new Promise((resolve) => {
    setTimeout(resolve, 4_000);
  }); // twice the time of a sent push
  assert.equal(service.received.length, 0);
  await answerAll(page);
  await page.request({ type: 'looking', looking: false });
  page.close();
});

test('a failing service is retried at its requested time, and a service without the subscription ends the subscription', async () => {
  const page = await connect();
  const keys = new BrowserKeys();
  await subscribe(page, keys);
  service.answers = [[503, { 'Retry-After': '1' }], 201];
  await letItAsk(page);
  await eventually(() => service.received.length === 2, 'it is sent again');
  assert.equal(keys.read(service.received[0].body), keys.read(service.received[1].body));
  await answerAll(page);
  service.received.length = 0;
  service.answers = [410];
  await letItAsk(page);
  await eventually(() => service.received.length === 1, 'a push comes');
  await eventually(
    async () => (await page.request({ type: 'push' })).browsers.length === 0,
    'the browser is forgotten',
  );
  await answerAll(page);
  service.received.length = 0;
  page.close();
});

test('unlisted addresses are refused, and a browser can be removed', async () => {
  const page = await connect();
  const keys = new BrowserKeys().wire;
  for (const endpoint of [
    'https://evil.example/x',
    'http://127.0.0.1:1/x',
    'https://169.254.169.254/latest',
    'http://fcm.googleapis.com/x',
  ])
    await assert.rejects(
      page.request({ type: 'push_subscribe', endpoint, ...keys, name: '' }),
      /denied: .*push-services/,
    );
  await assert.rejects(
    page.request({
      type: 'push_subscribe',
      endpoint: 'https://fcm.googleapis.com/x',
      p256dh: 'AAAA',
      auth: keys.auth,
      name: '',
    }),
    /invalid_params: .*p256dh/,
  );
  const { browsers } = await page.request({
    type: 'push_subscribe',
    endpoint: `${service.origin}/b`,
    ...keys,
    name: '',
  });
  const left = (await page.request({ type: 'push_remove', id: browsers.at(-1).id })).browsers;
  assert.equal(left.length, browsers.length - 1);
  page.close();
});

// Chromium's own push service is Google's. The test replaces only this service: it provides the address for pushes, and passes received
// messages to the worker, like the browser.
const subscribing = ({ endpoint, keys }) => {
  const made = (options) => ({
    endpoint,
    options,
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => {
      localStorage.removeItem('subscribed');
      return true;
    },
  });
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('subscribed') ? made({}) : null);
  PushManager.prototype.subscribe = async (options) => {
    if (options.userVisibleOnly !== true || options.applicationServerKey.length !== 65)
      throw new Error('not as a browser takes it');
    localStorage.setItem('subscribed', '1');
    return made(options);
  };
};

async function newContext() {
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(40_000);
  return context;
}

/** The DevTools connection of an empty page, and the registered service workers. */
async function watchWorkers(context) {
  const cdp = await context.newCDPSession(await context.newPage());
  const registrations = [];
  cdp.on('ServiceWorker.workerRegistrationUpdated', (told) => registrations.push(...told.registrations));
  await cdp.send('ServiceWorker.enable');
  return { cdp, registrations };
}

const push = (cdp, { registrationId }, data) =>
  cdp.send('ServiceWorker.deliverPushMessage', { origin: parlance.origin, registrationId, data });

const shownBy = (worker) =>
  worker.evaluate(async () =>
    (await self.registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag })),
  );

const press = (worker) =>
  worker.evaluate(async () => {
    const [notification] = await self.registration.getNotifications();
    self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  });

test('a browser with notifications shows a waiting request without an open page, and a press opens the request', async () => {
  const context = await newContext();
  const agent = await connect();
  try {
    await context.grantPermissions(['notifications'], { origin: parlance.origin });
    const keys = new BrowserKeys();
    await context.addInitScript(subscribing, { endpoint: `${service.origin}/chromium`, keys: keys.wire });
    const { cdp, registrations } = await watchWorkers(context);

    const choice = (page) => page.getByRole('checkbox', { name: /^Also when no page is open/ });
    const first = await context.newPage();
    await first.goto(`${parlance.origin}/#token=${parlance.token}`);
    await first.getByRole('button', { name: /^Waiting for you/ }).click();
    const [worker] = await Promise.all([context.waitForEvent('serviceworker'), choice(first).click()]);
    assert.match(worker.url(), /\/sw\.js\?lang=en$/);
    await first.getByRole('listitem').filter({ hasText: 'this browser' }).waitFor();
    await first.close();
    await eventually(() => registrations.length > 0, 'the worker is registered');

    service.received.length = 0;
    await letItAsk(agent);
    const pushed = () => service.received.find((one) => one.path === '/chromium');
    await eventually(pushed, 'a push comes');
    const deliver = (data) => push(cdp, registrations[0], data);
    const shown = () => shownBy(worker);
    const waits = { title: 'Waiting for you', body: 'An agent waits for your answer.', tag: 'waiting' };
    await deliver(keys.read(pushed().body));
    await eventually(async () => (await shown()).length === 1, 'it is shown');
    assert.deepEqual(await shown(), [waits]);
    await deliver('{"waiting":3}');
    await eventually(
      async () => (await shown())[0].body === '3 requests wait for your answer.',
      'the newest takes its place',
    );
    await deliver('nothing that we said');
    await eventually(async () => (await shown())[0].body === waits.body, 'whatever comes, something waits');
    assert.deepEqual(await shown(), [waits]);

    // The press. Only a person's own press may bring a window to the front, so the test checks the target.
    const page = await context.newPage();
    await page.goto(`${parlance.origin}/#token=${parlance.token}`);
    await page.getByRole('button', { name: /^New conversation/ }).click();
    await page.getByText('What should we work on?').waitFor();
    await press(worker).catch(() => {});
    await page.locator('[data-ask]').waitFor();
    await eventually(async () => (await shown()).length === 0, 'it is gone');

    await choice(page).click();
    await eventually(
      async () => !(await agent.request({ type: 'push' })).browsers.some((one) => one.name.startsWith('Chrome')),
      'it is told no more',
    );
    await answerAll(agent);
  } finally {
    agent.close();
    await context.close();
  }
});
