// SPDX-License-Identifier: Apache-2.0
// What lies over the page, if anything does.

import { signal } from '@preact/signals';

export const onDesk = signal<'' | 'settings' | 'palette' | 'keys'>('');
