// SPDX-License-Identifier: Apache-2.0
// A text that a person changed in a field or editor. Both hold a text with line ends all alike, so the original line ends return here.

/** As VS Code holds a text: also without a byte order mark. */
const held = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n|\r/g, '\n');

/** The same text if unchanged, else the new text with the original byte order mark and line ends, if uniform. */
export function givenBack(original: string, now: string): string {
  const text = held(now);
  if (text === held(original)) return original;
  const mark = original.startsWith('\uFEFF') ? '\uFEFF' : '';
  const allCrlf = original.includes('\r\n') && !/(^|[^\r])\n/.test(original);
  return mark + (allCrlf ? text.replaceAll('\n', '\r\n') : text);
}
