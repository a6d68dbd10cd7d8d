// What lies over the page when a person asks for it: settings, the palette, the list of keys. One at a time.

import { signal } from '@preact/signals';
import { Part, parts } from '../../parts';
import { Icon } from '../icons';
import { WhenHere } from '../when_here';
import { Sheet } from './sheet';
import { t } from '../../strings';

export type OnDesk = '' | 'settings' | 'palette' | 'keys';
export const on_desk = signal<OnDesk>('');
const close = () => { on_desk.value = ''; };

export function Desk() {
  switch (on_desk.value) {
    case '': return null;
    case 'settings': return <Lying part={parts.settings} name={t.settings} draw={({ Settings }) => <Settings />} />;
    case 'palette': return <Lying part={parts.palette} name={t.palette} draw={({ Palette }) => <Palette onDone={close} />} />;
    case 'keys': return <Lying part={parts.keys} name={t.keys} draw={({ KeyList }) => <KeyList />} />;
  }
}

function Lying<T>({ part, name, draw }: { part: Part<T>; name: string; draw: (part: T) => preact.ComponentChildren }) {
  return <Sheet name={name} heading={part !== (parts.palette as unknown)} onClose={close}><WhenHere part={part} draw={draw} /></Sheet>;
}

export function SettingsButton() {
  return <button type="button" class="quiet" aria-label={t.settings} title={t.settings} onClick={() => { on_desk.value = 'settings'; }}><Icon name="settings" /></button>;
}

/** Keys that work everywhere. True when the key was meant for this. */
export function desk_key(event: KeyboardEvent, writing: boolean): boolean {
  const palette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  const keys = event.key === '?' && !writing && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!palette && !keys) return false;
  event.preventDefault();
  on_desk.value = palette ? 'palette' : 'keys';
  return true;
}
