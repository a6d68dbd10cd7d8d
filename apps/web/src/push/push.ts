// SPDX-License-Identifier: Apache-2.0
// Web Push of this browser: its service worker, its subscription, and the registration at the host. Begins only with a person's choice.

import { signal } from '@preact/signals';
import type { App } from '../app';
import type { PushBrowser, PushValue, RequestValues } from '../protocol';
import type { RequestOf, RequestType } from '../requests';
import { words } from '../strings/views';
import { browserName, bytesOf, idOf } from './browser';
import { pushChosen } from './chosen';

const TAG = 'waiting'; // the service worker's tag: the page's notice and a push replace each other

export class Push {
  readonly possible =
    isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && typeof Notification !== 'undefined';
  readonly browsers = signal<readonly PushBrowser[]>([]);
  readonly mine = signal(''); // the id of this browser while registered
  readonly busy = signal(false);
  readonly fault = signal('');

  constructor(private readonly app: App) {}

  /** Reads the host's registration; registers again after a lost or renewed subscription. */
  async look(): Promise<void> {
    await this.#act(async () => {
      this.#take(await this.#request({ type: 'push' }));
      if (!this.possible || !pushChosen.get()) return;
      const registration = await this.#worker();
      const kept = await registration.pushManager.getSubscription();
      if (kept && Notification.permission === 'granted') await this.#subscribe(registration);
      else pushChosen.set(false);
    });
  }

  async turnOn(): Promise<void> {
    await this.#act(async () => {
      await this.app.notices.choose(true);
      if (!this.app.notices.on.peek()) return;
      await this.#subscribe(await this.#worker());
      pushChosen.set(true);
    });
  }

  async turnOff(): Promise<void> {
    await this.#act(async () => {
      pushChosen.set(false);
      const registration = await navigator.serviceWorker.getRegistration();
      const subscription = await registration?.pushManager.getSubscription();
      const id = subscription ? await idOf(subscription.endpoint) : this.mine.peek();
      await subscription?.unsubscribe();
      this.app.notices.through = undefined;
      this.mine.value = '';
      this.#take(await this.#request({ type: 'push_remove', id }));
    });
  }

  async remove(id: string): Promise<void> {
    if (id === this.mine.peek()) {
      await this.turnOff();
      return;
    }
    await this.#act(async () => {
      this.#take(await this.#request({ type: 'push_remove', id }));
    });
  }

  async #subscribe(registration: ServiceWorkerRegistration): Promise<void> {
    const key = bytesOf((await this.#request({ type: 'push' })).public_key);
    let subscription = await registration.pushManager.getSubscription();
    const bound = subscription?.options.applicationServerKey;
    if (subscription && bound && new Uint8Array(bound).join() !== key.join()) {
      // to a key that the host has dropped
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = subscription.toJSON();
    const value = await this.#request({
      type: 'push_subscribe',
      endpoint: endpoint ?? '',
      p256dh: keys?.p256dh ?? '',
      auth: keys?.auth ?? '',
      name: browserName(navigator.userAgent),
    });
    this.mine.value = await idOf(subscription.endpoint);
    this.#take(value);
    this.app.notices.through = (title, body, ask) => {
      void registration.showNotification(title, { body, tag: TAG, data: { ask } });
    };
  }

  async #worker(): Promise<ServiceWorkerRegistration> {
    await navigator.serviceWorker.register(`sw.js?lang=${document.documentElement.lang.slice(0, 2)}`);
    navigator.serviceWorker.onmessage = (event) => {
      if (typeof event.data?.go === 'string') this.app.navigation.follow(event.data.go);
    };
    return navigator.serviceWorker.ready;
  }

  #take(value: PushValue): void {
    this.browsers.value = value.browsers;
  }

  #request<T extends RequestType>(request: RequestOf<T>): Promise<RequestValues[T]> {
    return new Promise((done, failed) => {
      this.app.ask(request, done, failed);
    });
  }

  async #act(work: () => Promise<void>): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    this.fault.value = '';
    try {
      await work();
    } catch (error) {
      this.fault.value = words().push_failed((error as Error).message);
    }
    this.busy.value = false;
  }
}

let only: Push | undefined;
export const pushOf = (app: App): Push => (only ??= new Push(app));
