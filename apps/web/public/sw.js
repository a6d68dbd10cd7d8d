// SPDX-License-Identifier: Apache-2.0
// Shows that something waits for a person while no page is looked at. A push carries a number and nothing else; what waits is shown by the
// page. It keeps nothing and fetches nothing: its policy forbids it.
'use strict';

const TAG = 'waiting'; // one notice, whatever comes: the newest takes the place of the one before
const WORDS = {
  en: {
    title: 'Waiting for you',
    body: (n) => (n === 1 ? 'An agent waits for your answer.' : `${n} requests wait for your answer.`),
  },
  zh: { title: '等待您处理', body: (n) => (n === 1 ? '有智能体等待您的回答。' : `有 ${n} 个请求等待您的回答。`) },
};
const words = WORDS[new URL(self.location.href).searchParams.get('lang')] ?? WORDS.en;

self.addEventListener('install', () => {
  self.skipWaiting();
});
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});
self.addEventListener('push', (event) => {
  event.waitUntil(show(numberIn(event.data)));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(go(event.notification.data?.ask ?? ''));
});

/** Whatever came, something waits: a browser that was woken has to show it. */
function numberIn(data) {
  try {
    const { waiting } = data.json();
    return Number.isSafeInteger(waiting) && waiting > 0 ? waiting : 1;
  } catch {
    return 1;
  }
}

const pages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

async function show(waiting) {
  if ((await pages()).some((page) => page.focused)) return;
  await self.registration.showNotification(words.title, { body: words.body(waiting), tag: TAG, renotify: true });
}

async function go(ask) {
  const place = ask ? `#ask=${encodeURIComponent(ask)}` : '#inbox';
  const [page] = await pages();
  if (!page) {
    await self.clients.openWindow(new URL(place, self.registration.scope));
    return;
  }
  page.postMessage({ go: place });
  await page.focus();
}
