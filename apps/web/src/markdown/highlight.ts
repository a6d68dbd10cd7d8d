// SPDX-License-Identifier: Apache-2.0
// Colours finished code in idle time: one block for each turn of the loop, and no block beyond a frame. Colours need many elements, so only
// visible code has colours.

import { Part } from '../part';
import { isSelected, watch } from './near';

const colours = new Part(() => import('./languages'));

/** About 20 ms of colouring on a slow machine; longer code stays plain. */
const MAX_COLOURED_CHARS = 24 * 1024;

interface Job {
  element: HTMLElement;
  language: string;
  groups: readonly HTMLElement[];
}
const queue: Job[] = [];
let scheduled = false;
let waiting = false;

/** `groups`: the elements of its lines. */
export function highlightLater(
  element: HTMLElement,
  language: string,
  chars: number,
  groups: readonly HTMLElement[],
): void {
  if (chars > MAX_COLOURED_CHARS) return;
  queue.push({ element, language, groups });
  schedule();
}

function schedule(): void {
  if (scheduled || queue.length === 0 || !fetched()) return;
  scheduled = true;
  requestIdleCallback(work, { timeout: 1000 });
}

/** Without colours, code is only plainer: a failure is not reported. */
function fetched(): boolean {
  if (colours.here.peek()) return true;
  if (!waiting) {
    waiting = true;
    colours.here.subscribe((here) => {
      if (here) schedule();
    });
  }
  colours.load();
  return false;
}

function work(): void {
  scheduled = false;
  const job = queue.shift();
  if (job?.element.isConnected) colour(job);
  schedule();
}

function colour({ element, language, groups }: Job): void {
  const { hljs } = colours.here.peek()!;
  if (!hljs.getLanguage(language)) return;
  const lines = linesOf(hljs.highlight(element.textContent ?? '', { language, ignoreIllegals: true }).value);
  let from = 0;
  for (const group of groups) {
    const plain = group.textContent ?? '';
    const to = from + plain.split('\n').length - (plain.endsWith('\n') ? 1 : 0);
    const coloured = lines.slice(from, to).join('');
    from = to;
    watch(group, 'inView', (near) => {
      // The library escapes its input and adds only spans with classes, so its result may be set as HTML.
      if (near) group.innerHTML = coloured;
      else if (group.childElementCount > 0 && !isSelected(group)) group.textContent = plain;
    });
  }
}

/** Separate lines of coloured code with their line ends: elements open at the end of a line are reopened in the next line. */
export function linesOf(html: string): string[] {
  const lines: string[] = [];
  const open: string[] = [];
  let line = '';
  for (const part of html.split(/(<span[^>]*>|<\/span>|\n)/)) {
    if (part === '\n') {
      lines.push(line + '</span>'.repeat(open.length) + '\n');
      line = open.join('');
      continue;
    }
    if (part === '</span>') open.pop();
    else if (part.startsWith('<span')) open.push(part);
    line += part;
  }
  return line === open.join('') ? lines : [...lines, line];
}
