// SPDX-License-Identifier: Apache-2.0
// Loads conversations beyond those of the snapshot: the next ones while a person scrolls, all of them for titles. One request at a time.

import { byId } from '../store';
import type { LiveStore } from './live_store';

interface Loading {
  listing: boolean; // a request is on its way
  all: boolean; // and further ones follow
}
const loadings = new WeakMap<LiveStore, Loading>();

export function older(store: LiveStore, all = false): void {
  const loading = loadings.get(store) ?? { listing: false, all: false };
  loadings.set(store, loading);
  loading.all ||= all;
  const before = store.state.peek().older;
  if (!before || loading.listing) return;
  loading.listing = true;
  store.request(
    { type: 'conversations', before },
    (value) => {
      loading.listing = false;
      const state = store.state.peek();
      // A snapshot meanwhile began the list again: its cursor leads to a page without a gap.
      if (state.older === before)
        store.state.value = {
          ...state,
          conversations: { ...byId(value.conversations), ...state.conversations },
          older: value.older,
        };
      if (loading.all) older(store);
    },
    () => {
      loading.listing = loading.all = false;
    },
  );
}
