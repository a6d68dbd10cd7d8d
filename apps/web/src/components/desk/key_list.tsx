// SPDX-License-Identifier: Apache-2.0
// Which key does what.

import { t } from '../../strings';

const KEYS: readonly [keyof typeof t.key_list, string][] = [
  ['palette', 'Ctrl K'],
  ['begin', 'Alt N'],
  ['find', 'Ctrl F'],
  ['send', 'Enter'],
  ['newline', 'Shift Enter'],
  ['before', '↑'],
  ['stop', 'Esc'],
  ['allow', 'y'],
  ['always', 'a'],
  ['reject', 'n'],
  ['keys', 'Ctrl /'],
];

export function KeyList() {
  return (
    <dl class="key-list">
      {KEYS.map(([what, key]) => (
        <div key={what}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{t.key_list[what]}</dd>
        </div>
      ))}
    </dl>
  );
}
