// SPDX-License-Identifier: Apache-2.0
// Whether words are being looked for in the conversation. The browser's own search sees only what is drawn.

import { signal } from '@preact/signals';

export const finding = signal(false);
