// SPDX-License-Identifier: Apache-2.0
// Validates the messages of a page before use: pages are not trusted.

import type { FromPage } from '../../../web/src/editor/editor_wire';

export type { FromPage, PageLink, ToPage } from '../../../web/src/editor/editor_wire';

const readers: { [K in FromPage['type']]: (m: Record<string, unknown>) => boolean } = {
  connect: (m) => typeof m.used === 'boolean',
  host: (m) => typeof m.text === 'string',
  attachment: (m) => typeof m.request === 'number' && typeof m.id === 'string',
  open: (m) => typeof m.path === 'string' && typeof m.line === 'number',
  diff: (m) => typeof m.ask === 'string',
  insert: (m) => typeof m.text === 'string',
  external: (m) => typeof m.url === 'string' && /^https?:\/\//.test(m.url) && URL.canParse(m.url),
};

export function fromPage(value: unknown): FromPage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const message = value as Record<string, unknown>;
  const reader = Object.hasOwn(readers, String(message.type)) ? readers[message.type as FromPage['type']] : undefined;
  return reader?.(message) ? (message as unknown as FromPage) : undefined;
}
