// SPDX-License-Identifier: Apache-2.0
// Extracts the English texts of a source file: comments, string literals, descriptions of fields and methods, names of tests, and the
// paragraphs of a Markdown page. Reads text only, without a compiler. In the returned texts an empty line separates units.
import { isTest } from './tree.mjs';

const escapes = { n: '\n', t: ' ', '"': '"', "'": "'", '\\': '\\', '`': '`' };
const regexMayFollow = /(?:[=(,:[!&|?{};>]|\breturn|^)\s*$/;
const nextToken = {
  cpp: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?:u8|[uUL])?R"([^()\\\s]*)\(([\s\S]*?)\)\1"|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|[0-9](?:'?[\w.])*|[A-Za-z_]\w*/g,
  ts: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|`|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g,
};

const unescaped = (text) => text.replace(/\\([\s\S])/g, (_, sign) => escapes[sign] ?? ' ');

// The index behind the template literal at `from`, nested literals included.
function endOfTemplate(text, from) {
  for (let i = from + 1, depth = 0; i < text.length; ++i) {
    if (text[i] === '\\') ++i;
    else if (depth === 0 && text[i] === '`') return i + 1;
    else if (text[i] === '$' && text[i + 1] === '{') (++depth, ++i);
    else if (depth > 0 && text[i] === '{') ++depth;
    else if (depth > 0 && text[i] === '}') --depth;
    else if (depth > 0 && text[i] === '`') i = endOfTemplate(text, i) - 1;
  }
  return text.length;
}

const withoutValues = (template) => unescaped(template.slice(1, -1).replace(/\$\{[\s\S]*?\}/g, 'N'));

// A token as {comment, begin, end} or {string, begin, end}; {skip} for a division sign; null for other tokens.
function partOf(text, match, language) {
  const begin = match.index;
  const [token] = match;
  if (token.startsWith('//') || token.startsWith('/*')) return { comment: token, begin, end: begin + token.length };
  if (token === '`') {
    const end = endOfTemplate(text, begin);
    return { string: withoutValues(text.slice(begin, end)), begin, end };
  }
  if (token.startsWith('/'))
    return regexMayFollow.test(text.slice(Math.max(0, begin - 40), begin)) ? null : { skip: begin + 1 };
  if (match[2] !== undefined) return { string: match[2], begin, end: begin + token.length };
  if (token.startsWith('"') || (language === 'ts' && token.startsWith("'")))
    return { string: unescaped(token.slice(1, -1)), begin, end: begin + token.length };
  return null;
}

// Comments and string literals of a source, in order: [{comment | string, begin, end}].
export function parts(text, language) {
  const token = new RegExp(nextToken[language]);
  const found = [];
  for (let match; (match = token.exec(text));) {
    const part = partOf(text, match, language);
    if (part?.skip) token.lastIndex = part.skip;
    else if (part) {
      found.push(part);
      token.lastIndex = part.end;
    }
  }
  return found;
}

const bare = (comment) =>
  (comment.startsWith('//') ? comment.replace(/^\/\/+!?<? ?/, '') : comment.slice(2, -2).replace(/^[ \t]*\*+ ?/gm, ''))
    .split('\n')
    .filter((line) => !/SPDX|Copyright|----|====|^namespace\b|eslint-|clang-format|NOLINT|shellcheck/.test(line))
    .map((line) => line.replace(/^ {2,}.*/, '')) // usage and examples
    .join('\n')
    .replace(/^\s*([-*+]|\d+\.)\s+/gm, '\n\n');

// The comments of a source: consecutive lines are one text, a comment behind code is a separate text.
export function comments(text, language) {
  let lastEnd = -1;
  let out = '';
  for (const { comment, begin, end } of parts(text, language)) {
    if (comment === undefined) continue;
    const alone = /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', begin - 1) + 1, begin));
    const follows = alone && lastEnd >= 0 && /^[ \t]*\n[ \t]*$/.test(text.slice(lastEnd, begin));
    out += (follows ? '\n' : '\n\n') + bare(comment);
    lastEnd = alone ? end : -1;
  }
  return out;
}

// The comments of a shell script, without headings such as "# --- Stages ---".
export const shellComments = (text) =>
  text
    .split('\n')
    .map((line) => /^\s*#(?!!|\s*---)\s?(.*)/.exec(line)?.[1] ?? '')
    .map((line) => (/^ {2,}|^shellcheck/.test(line) ? '' : line))
    .join('\n');

// Joins adjacent literals, as the C++ compiler does.
function joined(text, found) {
  const whole = [];
  for (const part of found.filter((each) => each.string !== undefined)) {
    const last = whole.at(-1);
    if (last && /^\s*$/.test(text.slice(last.end, part.begin)))
      Object.assign(last, { string: last.string + part.string, end: part.end });
    else whole.push({ ...part });
  }
  return whole;
}

const noProse =
  /^\s*([{[<#]|(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|BEGIN|PRAGMA|GRANT|EXPLAIN|SET|LOCK)\b)|; then\b|&&|\bFROM\b|\bWHERE\b|::|#include/;
const wordList = /^\s*(?:[^\s.,;:?!]+\s+){30}[^.,;:?!]*$/; // data, such as a vocabulary
// Without the marks of a printed page or source: table rows, bullets, comment signs.
const unmarked = (text) =>
  text
    .replace(/^\s*\|.*$/gm, '')
    .replace(/^\s*(?:([-*+]|\d+\.)\s+|\/\/[ \t]*$)/gm, '\n\n')
    .replace(/^\/\/ /gm, '');
const prose = /[A-Za-z]['’]?[a-z]*,? [a-z]+,? [a-z]+,? [a-z]/;

// String literals with prose: help, errors, the texts of the page. Descriptions are measured separately.
export function literals(text, language) {
  const strings = joined(text, parts(text, language));
  const apart = new Set(described(text, strings));
  return strings
    .filter(
      (part) =>
        !apart.has(part) && prose.test(part.string) && !wordList.test(part.string) && !noProse.test(part.string),
    )
    .map((part) => unmarked(part.string))
    .join('\n\n');
}

const beforeName = /\b(?:field|call|notice|stream)\s*<[^()]*>\s*\(\s*$/;

// The descriptions of fields and methods: the second literal of field<…>("name", "description").
const described = (text, strings) =>
  strings.filter((part, index) => {
    const name = strings[index - 1];
    return (
      name &&
      beforeName.test(text.slice(Math.max(0, name.begin - 160), name.begin)) &&
      /^\s*,\s*$/.test(text.slice(name.end, part.begin))
    );
  });

export function descriptions(text) {
  return described(text, joined(text, parts(text, 'cpp'))).map((part) => part.string);
}

const spaced = (name) =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');

// The names of the tests of a file, as sentences.
export function testNames(text, language) {
  const found =
    language === 'cpp'
      ? [...text.matchAll(/^\s*(?:TYPED_)?TEST(?:_[FP])?\(\s*\w+,\s*(\w+)/gm)].map((match) => spaced(match[1]))
      : [...text.matchAll(/\b(?:test|it|describe|step)\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])+)\1/g)].map(
          (match) => match[2],
        );
  return found.join('.\n\n');
}

// The paragraphs and list entries of a Markdown page, without code, tables, addresses of links and headings.
export const markdown = (text) =>
  text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^\s*\|.*$|^ {4}.*$|^#.*$/gm, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^\s*([-*+]|\d+\.)\s+/gm, '\n\n');

const languageOf = (file) => (/\.(h|cpp)$/.test(file) ? 'cpp' : /\.(ts|tsx|mjs)$/.test(file) ? 'ts' : '');
const shell = /(\.sh|^(bench\/)?run|^check|^\.ci\/run)$/;
const generated = /^(docs\/protocol|tests\/vectors|fuzz\/(corpus|found))\//;
const printed = (text) => /do not edit by hand/i.test(text.slice(0, 1000));
const hasLiterals = /^(src|apps)\/.*\.(h|cpp|ts|tsx)$/;

// Texts of the extension's manifest for its users.
const manifestTexts = (text) =>
  [...text.matchAll(/"(?:description|title|markdownDescription|contents)": "((?:\\.|[^"\\])*)"/g)]
    .map((match) => unescaped(match[1]))
    .join('\n\n');

// All measured texts of a file: [{kind, text, short}]. `short` counts the descriptions of fewer than three words.
export function textsOf(file, text) {
  if (generated.test(file) || printed(text)) return [];
  if (file.endsWith('.md')) return [{ kind: 'docs', text: markdown(text) }];
  if (file === 'apps/vscode-extension/package.json') return [{ kind: 'texts', text: manifestTexts(text) }];
  if (shell.test(file)) return [{ kind: 'comments', text: shellComments(text) }];
  const language = languageOf(file);
  if (!language) return [];
  const found = [{ kind: 'comments', text: comments(text, language) }];
  if (isTest(file)) found.push({ kind: 'names', text: testNames(text, language) });
  else if (hasLiterals.test(file)) found.push({ kind: 'texts', text: literals(text, language) });
  if (language === 'cpp' && !isTest(file) && hasLiterals.test(file)) {
    const list = descriptions(text);
    found.push({
      kind: 'descriptions',
      text: list.join('\n\n'),
      short: list.filter((each) => (each.match(/[\w'-]+/g) ?? []).length < 3).length,
    });
  }
  return found;
}
