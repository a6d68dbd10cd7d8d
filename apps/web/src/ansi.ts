// SPDX-License-Identifier: Apache-2.0
// Terminal output as plain text: colours and cursor movement are dropped, a carriage return overwrites its line.

const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*(?:[@-~]|$)|\][^\x07\x1b]*(?:\x07|\x1b\\|$)|[PX^_][^\x1b]*(?:\x1b\\|$)|[ -/]*[0-~]|$)/g;

const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

export function plain(text: string): string {
  if (!/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) return text;
  return text
    .replace(ESCAPES, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(overwritten)
    .join('\n')
    .replace(CONTROLS, '');
}

/** A progress bar writes one line many times: what a terminal would show at the end. */
function overwritten(line: string): string {
  if (!line.includes('\r')) return line;
  let shown = '';
  for (const part of line.split('\r')) if (part !== '') shown = part + shown.slice(part.length);
  return shown;
}

/** The first `limit` lines, and how many there are. Does not split what it will not show. */
export function head(text: string, limit: number): { shown: string; lines: number } {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  let lines = body === '' ? 0 : 1;
  let cut = body.length;
  for (let at = body.indexOf('\n'); at >= 0; at = body.indexOf('\n', at + 1)) {
    if (lines === limit) cut = at;
    ++lines;
  }
  return { shown: body.slice(0, cut), lines };
}
