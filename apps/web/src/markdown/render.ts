// SPDX-License-Identifier: Apache-2.0
// One closed block of markdown -> safe DOM nodes: elements of the kinds below, made here and filled with text. Text of a model is never
// parsed as HTML. Raw HTML is shown as text, except a few tags without attributes that have elements here. Formulas are shown as text,
// unchanged by markdown.

import { Lexer, type Links, type MarkedOptions, type MarkedToken, type Token, type Tokens } from 'marked';
import { t } from '../strings';
import { unlessDeep, unlessHostile } from './hostile';
import { foldEnd } from './folds';

const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

type Made = (string | Node)[];

export function element(name: string, children: Made, attributes: Record<string, string> = {}): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

let characters: HTMLTextAreaElement | undefined;
/** A character by its name; only the browser has the list. The contents of a text area are always text. */
function character(entity: string): string {
  characters ??= document.createElement('textarea');
  characters.innerHTML = entity;
  return characters.value;
}
const plain = (text: string): string => text.replace(ENTITY, character);

function anchor(href: string, inner: Made): Made {
  if (SAFE_LINK.test(href))
    return [element('a', inner, { href, title: href, target: '_blank', rel: 'noopener noreferrer' })];
  const named = inner.length === 1 && inner[0] === href; // no other words than the address
  return named ? [element('code', [href])] : [...inner, ' ', element('code', [href])];
}

const FORMULA =
  /^(?:\\\([^\n]+?\\\)|\\\[(?=(?:(?!\\\])[^])*?(?!\\\])[\\^_={}+])[^]+?\\\]|\$\$[^]+?\$\$|\$(?=[^\s\d$])[^$\n]*[^$\s]\$(?!\d))/;
const FOOTNOTE = /^\[\^([^\]\s]+)\](?!\()/;
const extensions = {
  inline: [
    (src: string) => {
      const formula = FORMULA.exec(src)?.[0];
      if (formula) return { type: 'codespan', raw: formula, text: formula };
      const note = FOOTNOTE.exec(src);
      return note ? { type: 'footnote', raw: note[0], text: note[1]! } : undefined;
    },
  ],
  startInline: [(src: string) => src.search(/[\\$[]/)],
} as unknown as NonNullable<MarkedOptions['extensions']>;
const lexerOf = (links?: Links): Lexer => {
  const lexer = new Lexer({ gfm: true, extensions });
  if (links) Object.assign(lexer.tokens.links, links);
  return lexer;
};

const tagOf = (token: Token, closing = ''): string =>
  token.type === 'html'
    ? (new RegExp(`^<${closing}(kbd|sub|sup)>$`, 'i').exec(token.raw)?.[1]!.toLowerCase() ?? '')
    : '';

function inline(tokens: readonly Token[] = []): Made {
  const made: Made = [];
  for (let at = 0; at < tokens.length; ++at) {
    const tag = tagOf(tokens[at]!);
    const end = tag ? tokens.findIndex((token, i) => i > at && tagOf(token, '/') === tag) : -1;
    if (end < 0) made.push(...oneInline(tokens[at] as MarkedToken));
    else made.push(element(tag, inline(tokens.slice(at + 1, end))));
    if (end >= 0) at = end;
  }
  return made;
}

/** The text without marks. */
const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens
        ? wordsOf(token.tokens)
        : plain('text' in token ? (token.text as string) : token.raw),
    )
    .join('');

function oneInline(token: MarkedToken): Made {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [element(token.type, inline(token.tokens))];
    case 'codespan':
      return [element('code', [token.text])];
    case 'br':
      return [element('br', [])];
    case 'link':
      return anchor(plain(token.href), inline(token.tokens));
    case 'image':
      return anchor(plain(token.href), [t.image(wordsOf(lexerOf().inlineTokens(token.text)))]); // no image is fetched without a request
    case 'html':
      return [/^<br ?\/?>$/i.test(token.raw) ? element('br', []) : token.raw];
    case 'escape':
      return [token.text];
    case 'text':
      return token.tokens ? inline(token.tokens) : [plain(token.text)];
    default:
      return (token as Token).type === 'footnote'
        ? [element('sup', [(token as Token as Tokens.Text).text])]
        : [token.raw];
  }
}

/** `wrapped`: texts are paragraphs. In a tight list they are not. */
function blocks(tokens: readonly Token[] = [], wrapped = true): Made {
  const made: Made = [];
  let text: Made = [];
  const endText = () => {
    if (text.length > 0) made.push(...(wrapped ? [element('p', text)] : text));
    text = [];
  };
  for (let at = 0; at < tokens.length; ++at) {
    const token = tokens[at] as MarkedToken;
    if (token.type === 'text') {
      text = [...text, ...(text.length > 0 ? ['\n'] : []), ...oneInline(token)];
      continue;
    }
    endText();
    const end = foldEnd(tokens, at);
    made.push(
      ...(end > at
        ? folded(
            tokens
              .slice(at, end)
              .map((part) => part.raw)
              .join(''),
          )
        : oneBlock(token)),
    );
    at = Math.max(at, end - 1);
  }
  endText();
  return made;
}

function oneBlock(token: MarkedToken): Made {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'hr':
      return [element('hr', [])];
    case 'heading':
      return [element(`h${Math.min(token.depth + 1, 6)}`, inline(token.tokens))]; // the page's own title is the first level
    case 'code':
      return [
        element('pre', [
          element('code', [`${token.text}\n`], { class: `language-${/^[\w+#.-]+/.exec(token.lang ?? '')?.[0] ?? ''}` }),
        ]),
      ];
    case 'blockquote':
      return [element('blockquote', quoted(token))];
    case 'html':
      return unfolded(token.raw);
    case 'paragraph':
      return [element('p', inline(token.tokens))];
    case 'list':
      return [
        element(
          token.ordered ? 'ol' : 'ul',
          token.items.map(listItem),
          token.ordered && token.start !== 1 ? { start: String(token.start) } : {},
        ),
      ];
    case 'table':
      return [table(token)];
    default:
      return [token.raw];
  }
}

/** `> [!NOTE]` */
function quoted({ text, tokens }: Tokens.Blockquote): Made {
  const kind = /^\[!(note|tip|important|warning|caution)\] *(?:\n|$)/i.exec(text);
  return kind
    ? [
        element('p', [element('strong', [kind[1]![0]!.toUpperCase() + kind[1]!.slice(1).toLowerCase()])]),
        ...blocks(lexerOf().lex(text.slice(kind[0].length))),
      ]
    : blocks(tokens);
}

const FOLD = /^([^]*?)<details( open)?>\s*(?:<summary>([^]*?)<\/summary>)?([^]*)<\/details>([^]*)$/i;

function folded(raw: string): Made {
  const [, before = '', open, heading, inner = '', after = ''] = FOLD.exec(raw) ?? [];
  const parts = (text: string): Made => (text.trim() ? blocks(lexerOf().lex(text)) : []);
  const summary = heading === undefined ? [] : [element('summary', inline(lexerOf().inlineTokens(heading.trim())))];
  return [
    ...parts(before),
    element('details', [...summary, ...parts(inner)], open ? { open: '' } : {}),
    ...parts(after),
  ];
}

/** An unfinished fold during streaming: its content under its heading. */
function unfolded(raw: string): Made {
  const rest = raw.replace(/<\/?details(?: open)?>/gi, '');
  const [all, heading] = /<summary>([^]*?)<\/summary>/i.exec(rest) ?? [];
  if (rest === raw && !all) return [raw];
  return [
    ...(all ? [element('p', [element('strong', inline(lexerOf().inlineTokens(heading!.trim())))])] : []),
    ...blocks(lexerOf().lex(rest.replace(all ?? '', ''))),
  ];
}

function listItem({ task, checked, loose, tokens }: Tokens.ListItem): HTMLElement {
  const made = element('li', blocks(tokens, loose), task ? { class: 'task' } : {});
  if (task) (made.firstElementChild?.tagName === 'P' ? made.firstElementChild : made).prepend(checked ? '☑ ' : '☐ ');
  return made;
}

function table({ header, rows }: Tokens.Table): HTMLElement {
  const row = (name: 'th' | 'td', cells: readonly Tokens.TableCell[]) =>
    element(
      'tr',
      cells.map((cell) => element(name, inline(cell.tokens), cell.align ? { align: cell.align } : {})),
    );
  return element('table', [
    element('thead', [row('th', header)]),
    ...(rows.length > 0
      ? [
          element(
            'tbody',
            rows.map((cells) => row('td', cells)),
          ),
        ]
      : []),
  ]);
}

/** Link definitions of a whole text, for blocks with references to other blocks. */
export function definitionsIn(text: string): Links {
  const lexer = new Lexer({ gfm: true });
  const read = (): Links => {
    lexer.blockTokens(text, []);
    return lexer.tokens.links;
  };
  return unlessDeep(text, read, () => ({}));
}

export function renderMarkdown(text: string, links?: Links): DocumentFragment {
  const made = document.createDocumentFragment();
  const lines = () => text.split('\n').flatMap((line, i): Made => (i > 0 ? [element('br', []), line] : [line]));
  made.append(
    ...unlessHostile(
      text,
      () => blocks(lexerOf(links).lex(text)),
      () => [element('p', lines())],
    ),
  );
  return made;
}
