// SPDX-License-Identifier: Apache-2.0
// What lies over the page when a person asks for it: settings, the palette, the list of keys. One at a time.

import type { ComponentChildren } from 'preact';
import { Part } from '../../part';
import { t } from '../../strings';
import { Icon } from '../icons';
import { WhenHere } from '../when_here';
import { onDesk } from './on_desk';
import { Sheet } from './sheet';

const settings = new Part(() => import('./settings_dialog'));
const palette = new Part(() => import('./palette'));
const keys = new Part(() => import('./key_list'));
const close = () => {
  onDesk.value = '';
};

export function Desk() {
  switch (onDesk.value) {
    case '':
      return null;
    case 'settings':
      return <Lying part={settings} name={t.settings} draw={({ Settings }) => <Settings />} />;
    case 'palette':
      return (
        <Lying part={palette} name={t.palette} heading={false} draw={({ Palette }) => <Palette onDone={close} />} />
      );
    case 'keys':
      return <Lying part={keys} name={t.keys} draw={({ KeyList }) => <KeyList />} />;
  }
}

function Lying<T>({
  part,
  name,
  heading = true,
  draw,
}: {
  part: Part<T>;
  name: string;
  heading?: boolean;
  draw: (part: T) => ComponentChildren;
}) {
  return (
    <Sheet name={name} heading={heading} onClose={close}>
      <WhenHere part={part} draw={draw} />
    </Sheet>
  );
}

export function SettingsButton() {
  return (
    <button
      type="button"
      class="quiet"
      aria-label={t.settings}
      title={t.settings}
      onClick={() => {
        onDesk.value = 'settings';
      }}
    >
      <Icon name="settings" />
    </button>
  );
}

/** Keys that work everywhere. True when the key was meant for this. */
export function deskKey(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  const wanted = event.key.toLowerCase() === 'k' && !event.shiftKey ? 'palette' : event.key === '/' ? 'keys' : ''; // some keyboards need Shift for `/`
  if (!wanted) return false;
  event.preventDefault();
  onDesk.value = wanted;
  return true;
}
