// Colours code once it is settled, in idle time: one block per turn of the loop, none that would cost a frame.

import { Part } from '../part';

const colours = new Part(() => import('./languages'));

/** About 20 ms of colouring on a slow machine; longer code stays plain. */
const MAX_COLOURED_CHARS = 24 * 1024;

const queue: { element: HTMLElement; language: string }[] = [];
let scheduled = false;
let waiting = false;

export function highlight_later(element: HTMLElement, language: string, chars: number): void {
  if (chars > MAX_COLOURED_CHARS) return;
  queue.push({ element, language });
  schedule();
}

function schedule(): void {
  if (scheduled || queue.length === 0 || !fetched()) return;
  scheduled = true;
  requestIdleCallback(work, { timeout: 1000 });
}

/** Code without colours is only plainer: that they cannot be had is not worth a word. */
function fetched(): boolean {
  if (colours.here.peek()) return true;
  if (!waiting) {
    waiting = true;
    colours.here.subscribe((here) => { if (here) schedule(); });
  }
  colours.load();
  return false;
}

function work(): void {
  scheduled = false;
  const { hljs } = colours.here.peek()!;
  const job = queue.shift();
  // The library escapes what it was given and adds spans with classes only, so its result may be set as it is.
  if (job?.element.isConnected && hljs.getLanguage(job.language)) job.element.innerHTML = hljs.highlight(job.element.textContent ?? '', { language: job.language, ignoreIllegals: true }).value;
  schedule();
}
