// SPDX-License-Identifier: Apache-2.0
import { computed } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { App } from '../app';
import { ago } from '../format';

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  return useContext(AppContext)!;
}

/** A value derived from signals and from props; `useComputed` alone would not notice that a prop changed. */
export function useSelect<T>(derive: () => T, props: readonly unknown[]): T {
  return useMemo(() => computed(derive), props).value;
}

/** Puts the cursor into the next message. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('.composer textarea')?.focus();
}

/** How long ago, as it changes. */
export function useAgo(time: string): string {
  const app = useApp();
  return useSelect(() => ago(time, app.now.value), [time]);
}
