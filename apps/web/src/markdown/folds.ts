// SPDX-License-Identifier: Apache-2.0
// `<details>` in Markdown. A blank line ends a block of HTML, so one fold arrives as several tokens. Pure.

interface Raw {
  type: string;
  raw: string;
}

const count = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0;
const depthOf = (token: Raw): number =>
  token.type === 'html' ? count(token.raw, /<details(?: open)?>/gi) - count(token.raw, /<\/details>/gi) : 0;
const opens = (token: Raw): boolean => token.type === 'html' && /<details(?: open)?>/i.test(token.raw);

/** The index behind the token that closes a fold which begins at `at`. 0: no fold begins there; -1: its end is missing. */
export function foldEnd(tokens: readonly Raw[], at: number): number {
  if (!opens(tokens[at]!)) return 0;
  let depth = 0;
  for (let i = at; i < tokens.length; ++i) {
    depth += depthOf(tokens[i]!);
    if (depth <= 0) return i + 1;
  }
  return -1;
}
