// SPDX-License-Identifier: Apache-2.0
// Whether a person wants this browser to be told while no page is open. Known before anything else of it is loaded.

const KEY = 'parlance.push';

export const pushChosen = {
  get(): boolean {
    try {
      return localStorage.getItem(KEY) === '1';
    } catch {
      return false;
    }
  },
  set(on: boolean): void {
    try {
      localStorage.setItem(KEY, on ? '1' : '');
    } catch {
      /* forbidden: it is asked for again */
    }
  },
};
