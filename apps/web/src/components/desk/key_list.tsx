// SPDX-License-Identifier: Apache-2.0
// Which key does what.

import { words, type ViewWords } from '../../strings/views';

const KEYS: readonly [keyof ViewWords['key_list'], string][] = [
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
          <dd>{words().key_list[what]}</dd>
        </div>
      ))}
    </dl>
  );
}
