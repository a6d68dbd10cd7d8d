// SPDX-License-Identifier: Apache-2.0
// What lies over the page, if anything does.

import { signal } from '@preact/signals';

export const on_desk = signal<'' | 'settings' | 'palette' | 'keys'>('');
