// SPDX-License-Identifier: Apache-2.0
// Handles unknown messages of a newer host.
//
// The unions of protocol.ts contain all known variants and no catch-all. A `switch` that misses a variant does not compile, because the
// remaining type is not `never`.
//
//   `switch (event.kind) { …; default: unknownVariant('event', event); }`.
//
// At run time, further variants are skipped; the console names each variant once.

const told = new Set<string>();

export function unknownVariant(what: string, variant: never): void {
  const { kind, op, type }: { kind?: unknown; op?: unknown; type?: unknown } = variant;
  const name = `${what} ${String(kind ?? op ?? type)}`;
  if (told.has(name)) return;
  told.add(name);
  console.info(`The host is newer than this page: unknown ${name} is passed over.`);
}
