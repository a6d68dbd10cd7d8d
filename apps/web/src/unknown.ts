// SPDX-License-Identifier: Apache-2.0
// What a newer host says and this page was not built for.
//
// The unions of protocol.ts hold every variant that the page knows, and nothing that catches all: a `switch` over them that forgets one
// does not compile, because what is left over is then not `never`.
//
//   switch (event.kind) { …; default: unknownVariant('event', event); }
//
// At run time there may be more. They are passed over; the console hears once of each.

const told = new Set<string>();

export function unknownVariant(what: string, variant: never): void {
  const { kind, op, type }: { kind?: unknown; op?: unknown; type?: unknown } = variant;
  const name = `${what} ${String(kind ?? op ?? type)}`;
  if (told.has(name)) return;
  told.add(name);
  console.info(`The host is newer than this page: unknown ${name} is passed over.`);
}
