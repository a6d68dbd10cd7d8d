// SPDX-License-Identifier: Apache-2.0
// The field of the search. The part with the results comes with the first letter.

import { Part } from '../../part';
import { t } from '../../strings';
import { useApp } from '../context';

export const found = new Part(() => import('./found'));

export function SearchField() {
  const { finder } = useApp();
  return (
    <input
      type="search"
      class="find"
      role="searchbox"
      value={finder.words.value}
      placeholder={t.search}
      aria-label={t.search_conversations}
      maxLength={200}
      onInput={(e) => {
        found.load();
        finder.type(e.currentTarget.value);
      }}
      onKeyDown={(e) => {
        if (e.key === 'Escape' && finder.words.peek()) {
          e.preventDefault();
          finder.type('');
        }
      }}
    />
  );
}
