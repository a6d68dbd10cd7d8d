// SPDX-License-Identifier: Apache-2.0
// The colours of code: which languages there are. Fetched with the first block that has one.

import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import { css } from './css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import typescript from 'highlight.js/lib/languages/typescript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = { bash, cpp, css, diff, go, ini, json, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(['c', 'h', 'cxx', 'cu'], { languageName: 'cpp' });
// The keywords of Java are nearly a subset, so Java needs no grammar of its own.
hljs.registerAliases(['javascript', 'js', 'jsx', 'mjs', 'cjs', 'java'], { languageName: 'typescript' });
hljs.registerAliases(['console', 'shell', 'shellsession'], { languageName: 'bash' });

export { hljs };
