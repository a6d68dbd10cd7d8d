// SPDX-License-Identifier: Apache-2.0
// A part of the page that is fetched when it is first needed, so that the first load stays small. In the editor's webview all parts are in
// its one script, and are there at once.

import { signal } from '@preact/signals';

export class Part<T> {
  /** Undefined until it is there. */
  readonly here = signal<T | undefined>(undefined);
  readonly failed = signal(false);
  #loading = false;

  constructor(private readonly fetch: () => Promise<T>) {}

  /** Once is enough; after a failure another call tries again. */
  load(): void {
    if (this.#loading || this.here.peek()) return;
    this.#loading = true;
    this.fetch()
      .then(
        (part) => {
          this.here.value = part;
          this.failed.value = false;
        },
        () => {
          this.failed.value = true;
        },
      )
      .finally(() => {
        this.#loading = false;
      });
  }
}
