// SPDX-License-Identifier: Apache-2.0
// Prints the manual page of parlance or sqlite-helper from its --help texts.
//
//   node scripts/man_page.mjs PROGRAM                  prints the page
//   node scripts/man_page.mjs PROGRAM --check PAGE     exit code 1 if PAGE differs
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const roff = (text) =>
  text
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/^(['.])/gm, '\\&$1');

/** The parts of a --help text: description, examples, usage, and entries by section. */
export function parsedHelp(text) {
  const lines = text.trimEnd().split('\n');
  const usage = lines.findIndex((line) => line.startsWith('Usage: '));
  const head = lines.slice(0, usage).join('\n');
  const [description, ...examples] = head.split(/\n+Example: |\n {9}/).map((each) => each.trim());
  const sections = [];
  for (const line of lines.slice(usage + 1)) {
    if (/^\S.*:$/.test(line)) sections.push({ name: line.slice(0, -1), entries: [] });
    // A long flag has a single space before its text.
    const entry = /^ {2}(--\S+ [A-Z]+) ([A-Z][a-z].*)$/.exec(line) ?? /^ {2}(\S.*?)(?: {2,}(\S.*))?$/.exec(line);
    const last = sections.at(-1)?.entries;
    if (entry && !line.startsWith('   ')) last.push({ name: entry[1].trim(), text: entry[2] ?? '' });
    else if (/^ {3,}\S/.test(line) && last?.length) last.at(-1).text = `${last.at(-1).text} ${line.trim()}`.trim();
  }
  return { description, examples: examples.filter(Boolean), usage: lines[usage].slice('Usage: '.length), sections };
}

const isFlags = ({ name }) => name === 'Options' || name === 'Positionals';
const entryLines = ({ name, text }) => ['.TP', `.B ${roff(name)}`, ...(text ? [roff(text)] : [])];

function commandLines(help, words) {
  const { description, examples, usage, sections } = help(words);
  const flags = sections
    .filter(isFlags)
    .flatMap(({ entries }) => entries)
    .filter(({ name }) => !/^(-h,--help|--(config|state|log-level|log-json)\b)/.test(name));
  const lines = [
    `.SS ${roff(words.join(' '))}`,
    roff(description),
    '.PP',
    `.B ${roff(usage)}`,
    ...flags.flatMap(entryLines),
  ];
  if (examples.length) lines.push('.PP', '.nf', ...examples.map(roff), '.fi');
  const inner = sections.filter((section) => !isFlags(section)).flatMap(({ entries }) => entries);
  return [...lines, ...inner.flatMap(({ name }) => commandLines(help, [...words, name]))];
}

const environment = [
  [
    'PARLANCE_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY, OPENCLAW_API_KEY',
    'The key for the model. parlance uses the first that fits the kind of model.',
  ],
  ['PARLANCE_EMBED_API_KEY', 'The key for an embedding service. OPENAI_API_KEY serves the address of OpenAI only.'],
  [
    'OPENCLAW_AGENT_SOCK, OPENCLAW_UI_TOKEN, OPENCLAW_BASE_URL, OPENCLAW_MODEL, OPENCLAW_HOST, OPENCLAW_PORT, EMBEDDING_SERVER_URL',
    'Other names of the same settings.',
  ],
  [
    'PARLANCE_EDITOR_SOCKET, PARLANCE_EDITOR_TOKEN',
    'Address and token of the editor window of this terminal: unix:/PATH, or tcp:127.0.0.1:PORT. The window sets both.',
  ],
  [
    'VSCODE_INTEGRATION',
    'true: an editor started parlance chat and speaks the editor bridge on standard input and output.',
  ],
  ['DEBUG_AGENT', 'Not empty: prints requests to the editor on standard error; 2: with contents.'],
  ['NO_COLOR', 'Not empty: no colours in a terminal.'],
].map(([name, text]) => ({ name, text }));

/** The page. `help` returns the parsed help of a command's words. */
export function manPage(help, version) {
  const overview = help([]);
  const groups = overview.sections.filter((section) => !isFlags(section));
  const common = help(['up'])
    .sections.flatMap(({ entries }) => entries)
    .filter(({ name }) => /^--(config|state|log-level|log-json)\b/.test(name));
  return [
    `.\\" Printed by scripts/man_page.mjs from the help of the program; do not edit by hand.`,
    `.TH PARLANCE 1 "" "parlance ${version}" "User Commands"`,
    '.SH NAME',
    'parlance \\- connects AI coding agents to browsers, editors, terminals and other programs',
    '.SH SYNOPSIS',
    '.B parlance',
    '.I COMMAND',
    '.RI [ OPTIONS ]',
    '.SH DESCRIPTION',
    'parlance listens on this machine only, and sends data only to the configured model and agents. Without a key a scripted agent answers.',
    '.SH OPTIONS OF EACH COMMAND',
    ...common.flatMap(entryLines),
    '.SH COMMANDS',
    ...groups.flatMap(({ entries }) => entries).flatMap(({ name }) => commandLines(help, [name])),
    '.SH ENVIRONMENT',
    'The help of each flag names the variable of the same setting.',
    ...environment.flatMap(entryLines),
    '.SH FILES',
    '.TP',
    '.I $XDG_STATE_HOME/parlance',
    'Conversations, memory and token; mode 0700. The page docs/reference/files.md lists each file.',
    '.SH EXIT STATUS',
    '0 done, 1 failed, 2 wrong usage, 3 refused by a person or a rule, 4 the agent did not start, 5 timed out, 75 a gateway lost its lease on a',
    'shared store and needs a restart.',
    '',
  ].join('\n');
}

/** The page of sqlite-helper, which has one command. `text` is its help. */
export function helperPage(text, version) {
  const { description, usage, sections } = parsedHelp(text);
  const [purpose, examples] = description.split(/\n+Examples:\n/);
  return [
    `.\\" Printed by scripts/man_page.mjs from the help of the program; do not edit by hand.`,
    `.TH SQLITE-HELPER 1 "" "parlance ${version}" "User Commands"`,
    '.SH NAME',
    'sqlite-helper \\- gives editors and AI clients safe access to SQLite databases',
    '.SH SYNOPSIS',
    `.B ${roff(usage)}`,
    '.SH DESCRIPTION',
    roff(purpose),
    '.SH OPTIONS',
    ...sections.filter(isFlags).flatMap(({ entries }) => entries.flatMap(entryLines)),
    '.SH COMMANDS',
    ...sections.filter((section) => !isFlags(section)).flatMap(({ entries }) => entries.flatMap(entryLines)),
    '.SH EXAMPLES',
    '.nf',
    ...examples.split('\n').map((line) => roff(line.trim())),
    '.fi',
    '.SH SEE ALSO',
    '.BR parlance (1)',
    '',
  ].join('\n');
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [program, check, page] = process.argv.slice(2);
  const printed = (words) => execFileSync(program, words, { encoding: 'utf8' });
  const [version] = /\d+\.\d+\.\d+/.exec(printed(['--version']));
  const text =
    path.basename(program) === 'sqlite-helper'
      ? helperPage(printed(['--help']), version)
      : manPage((words) => parsedHelp(printed([...words, '--help'])), version);
  if (check !== '--check') {
    process.stdout.write(text);
  } else if (readFileSync(page, 'utf8') !== text) {
    console.error(`${page} differs from the help of the program. To update it: scripts/describe.sh`);
    process.exitCode = 1;
  }
}
