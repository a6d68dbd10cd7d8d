// SPDX-License-Identifier: Apache-2.0
// Prompts of the commands. The selection is sent as context, so the prompts do not repeat the selection.

import type { FileDiagnostics, SelectionView } from './bridge/editor';

const MOST_PROBLEMS = 50;

const place = ({ path, start, end }: SelectionView): string =>
  start.line === end.line ? `${path}:${start.line + 1}` : `${path}:${start.line + 1}-${end.line + 1}`;

export function explain(at: SelectionView): string {
  return at.text === ''
    ? `Explain ${at.path}: what it is for, and how it works.`
    : `Explain what is selected in ${place(at)}.`;
}

export function writeTests(at: SelectionView): string {
  return `Write tests for ${at.text === '' ? at.path : `what is selected in ${place(at)}`}. Put them where this project keeps its tests, in its style, and run them.`;
}

export function fix(files: FileDiagnostics[]): string | undefined {
  const all = files.flatMap(({ path, diagnostics }) =>
    diagnostics
      .filter((diagnostic) => diagnostic.severity === 'Error' || diagnostic.severity === 'Warning')
      .map(
        (diagnostic) =>
          `- ${path}:${diagnostic.range.start.line + 1}: ${diagnostic.severity.toLowerCase()}: ${diagnostic.message}${diagnostic.source ? ` (${diagnostic.source}${diagnostic.code ? ` ${diagnostic.code}` : ''})` : ''}`,
      ),
  );
  if (all.length === 0) return undefined;
  const more = all.length > MOST_PROBLEMS ? `\n… and ${all.length - MOST_PROBLEMS} more` : '';
  return `Fix these problems:\n${all.slice(0, MOST_PROBLEMS).join('\n')}${more}`;
}
