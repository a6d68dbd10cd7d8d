// SPDX-License-Identifier: Apache-2.0
// The manual page from a small program's help.
//   node --test scripts/man_page_test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';

import { helperPage, manPage, parsedHelp } from './man_page.mjs';

const helps = {
  '': `parlance does things.

Usage: parlance [OPTIONS] SUBCOMMAND

Options:
  -h,--help             Print this help message and exit

Data:
  memory                Keeps texts.
`,
  up: `Starts.

Usage: parlance up [OPTIONS]

Options:
  --config FILE         Read this file
                        instead.
  --open                Opens the page.
`,
  memory: `Keeps texts.
Usage: parlance memory [OPTIONS] SUBCOMMAND

Options:
  -h,--help             Print this help message and exit

Subcommands:
  search                Finds texts.
`,
  'memory search': `Finds texts.

Example: parlance memory search 'tea'
         .hidden --x
Usage: parlance memory search [OPTIONS] query...

Positionals:
  query TEXT ... REQUIRED
                        The text.

Options:
  -h,--help             Print this help message and exit
  --limit N             At most N.
`,
};
const page = manPage((words) => parsedHelp(helps[words.join(' ')]), '1.2.3');

test('a command has description, usage, flags and examples', () => {
  assert.match(
    page,
    /\.SS memory search\nFinds texts\.\n\.PP\n\.B parlance memory search \[OPTIONS\] query\.\.\.\n\.TP\n\.B query TEXT \.\.\. REQUIRED\nThe text\.\n\.TP\n\.B \\-\\-limit N\nAt most N\.\n/,
  );
  assert.match(page, /\.nf\nparlance memory search 'tea'\n\\&\.hidden \\-\\-x\n\.fi/);
});

test('flags of each command stand once', () => {
  assert.equal(page.split('\\-\\-config FILE').length, 2);
  assert.match(page, /Read this file instead\./);
});

test('the version is in the title', () => assert.match(page, /"parlance 1\.2\.3"/));

test('the page of sqlite-helper has its purpose, flags and examples', () => {
  const help = [
    'Opens databases.',
    '',
    'Examples:',
    '  sqlite-helper --mcp',
    'Usage: sqlite-helper [OPTIONS]',
    '',
    'Options:',
    '  --read-only                 Refuse every write.',
    '  --write-busy-timeout-ms INT The time for writes.',
    '',
  ].join('\n');
  const text = helperPage(help, '1.2.3');
  assert.match(text, /^\.TH SQLITE-HELPER 1 "" "parlance 1\.2\.3"/m);
  assert.match(text, /^\.SH DESCRIPTION\nOpens databases\.$/m);
  assert.match(text, /^\.B \\-\\-write\\-busy\\-timeout\\-ms INT\nThe time for writes\.$/m);
  assert.match(text, /^\.nf\nsqlite\\-helper \\-\\-mcp\n\.fi$/m);
});
