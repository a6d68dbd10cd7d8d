// SPDX-License-Identifier: Apache-2.0
// A viewer as all that a document shows: what an editor's webview is.

import { render } from 'preact';
import type { ViewerStore } from '../../sqlite/viewer_store';
import { Viewer } from './viewer';

export function mount(store: ViewerStore, root: HTMLElement): void {
  render(<Viewer store={store} />, root);
  void store.refresh();
}
