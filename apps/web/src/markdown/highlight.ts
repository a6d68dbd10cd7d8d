// Colours code once it is settled, in idle time: one block per turn of the loop, none that would cost a frame.

import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = { bash, cpp, css, diff, go, ini, java, javascript, json, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(['c', 'h', 'cxx', 'cu'], { languageName: 'cpp' });
hljs.registerAliases(['console', 'shell', 'shellsession'], { languageName: 'bash' });

/** About 20 ms of colouring on a slow machine; longer code stays plain. */
const MAX_COLOURED_CHARS = 24 * 1024;

const queue: { element: HTMLElement; language: string }[] = [];
let scheduled = false;

export function highlight_later(element: HTMLElement, language: string, chars: number): void {
  if (chars > MAX_COLOURED_CHARS || !hljs.getLanguage(language)) return;
  queue.push({ element, language });
  schedule();
}

function schedule(): void {
  if (scheduled || queue.length === 0) return;
  scheduled = true;
  requestIdleCallback(work, { timeout: 1000 });
}

function work(): void {
  scheduled = false;
  const job = queue.shift();
  // The library escapes what it was given and adds spans with classes only, so its result may be set as it is.
  if (job?.element.isConnected) job.element.innerHTML = hljs.highlight(job.element.textContent ?? '', { language: job.language, ignoreIllegals: true }).value;
  schedule();
}
