// Parts of the page that are fetched when they are first needed, so that the first load stays small. In the editor's webview all of them
// are in its one script, and are there at once.

import { signal } from '@preact/signals';

export class Part<T> {
  /** Undefined until it is there. */
  readonly here = signal<T | undefined>(undefined);
  readonly failed = signal(false);
  private loading = false;

  constructor(private readonly fetch: () => Promise<T>) {}

  /** Once is enough; after a failure another call tries again. */
  load(): void {
    if (this.loading || this.here.peek()) return;
    this.loading = true;
    this.fetch().then(
      (part) => { this.here.value = part; this.failed.value = false; },
      () => { this.failed.value = true; },
    ).finally(() => { this.loading = false; });
  }
}

export const parts = {
  markdown: new Part(() => import('./markdown/stream_view')),
  colours: new Part(() => import('./markdown/languages')),
  diff: new Part(() => import('./components/diff_view')),
  memory: new Part(() => import('./components/memory_view')),
  questions: new Part(() => import('./components/ask/question_form')),
  token: new Part(() => import('./components/token_page')),
  settings: new Part(() => import('./components/desk/settings_dialog')),
  palette: new Part(() => import('./components/desk/palette')),
  keys: new Part(() => import('./components/desk/key_list')),
};
