// SPDX-License-Identifier: Apache-2.0
// The browsers with notifications: this browser, by a person's choice, and browsers chosen earlier.

import { useEffect } from 'preact/hooks';
import type { PushBrowser } from '../../protocol';
import { pushOf } from '../../push/push';
import { words } from '../../strings/views';
import { useAgo, useApp } from '../context';

export function Browsers() {
  const push = pushOf(useApp());
  useEffect(() => {
    void push.look();
  }, []);
  const on = push.mine.value !== '';
  return (
    <div class="browsers">
      {push.possible ? (
        <label class="notify">
          <input
            type="checkbox"
            checked={on}
            aria-disabled={push.busy.value}
            onChange={(e) => {
              e.currentTarget.checked = on; // until the state confirms the change
              void (on ? push.turnOff() : push.turnOn());
            }}
          />{' '}
          {words().push_me} <span class="faint">{words().push_hint}</span>
        </label>
      ) : (
        <p class="notify">{words().push_impossible}</p>
      )}
      {push.fault.value && (
        <p class="note bad" role="alert">
          {push.fault.value}
        </p>
      )}
      {push.browsers.value.length > 0 && (
        <ul aria-label={words().push_browsers}>
          {push.browsers.value.map((browser) => (
            <Browser
              key={browser.id}
              browser={browser}
              mine={browser.id === push.mine.value}
              onRemove={() => {
                void push.remove(browser.id);
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function Browser({ browser, mine, onRemove }: { browser: PushBrowser; mine: boolean; onRemove: () => void }) {
  const told = useAgo(browser.told_at ?? '');
  const name = browser.name || browser.service || browser.id;
  const facts = [
    mine ? words().push_this : '',
    browser.service || words().push_not_listed,
    told ? words().push_told(told) : words().push_never,
  ];
  return (
    <li>
      <span>
        {name} <span class="faint">{facts.filter(Boolean).join(' · ')}</span>
      </span>
      <button type="button" class="quiet small" aria-label={words().push_remove(name)} onClick={onRemove}>
        {words().push_remove_short}
      </button>
    </li>
  );
}
