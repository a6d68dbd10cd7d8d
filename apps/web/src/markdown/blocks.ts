// SPDX-License-Identifier: Apache-2.0
// Splits streamed markdown into blocks. A closed block never changes, so the view draws the block once; only the tail is redrawn. Pure:
// text in, blocks out. A piece costs time for the tail, not for the message.

import { Lexer, type Token } from 'marked';
import { unlessDeep } from './hostile';
import { foldEnd } from './folds';

export type Block =
  | { kind: 'markdown'; text: string; goesOn?: boolean } // goesOn: the same paragraph as the block before
  | { kind: 'code'; language: string; text: string };

export interface Tail {
  kind: 'markdown' | 'code';
  language: string;
  text: string; // of code: only ever grows while the fence is open
}

/** A longer paragraph, list or table is cut: repeated lexing would cost more than a frame. */
export const MAX_TAIL_CHARS = 16 * 1024;
/** A longer single line is cut, preferably between two sentences. */
export const MAX_LINE_CHARS = 4 * 1024;
/** Fed at once: pieces of a text in the size of a tail. */
export const PIECE_CHARS = 4 * 1024;

const FENCE_OPEN = /^ {0,3}(`{3,}|~{3,})([^\n]*)\n/;

interface Fence {
  close: RegExp;
  language: string;
  indent: number;
}

export class BlockReader {
  #pending = ''; // markdown: the tail; code: the incomplete line
  #fence: Fence | undefined;
  #code = '';
  #cutShort: boolean; // the previous block was cut, and the pending text continues the block
  /** Link definitions may follow their use: after a definition, the view should redraw the complete text. */
  definitions = false;

  constructor(cutShort = false) {
    this.#cutShort = cutShort;
  }

  /** The blocks closed by this piece. */
  feed(piece: string): Block[] {
    const text = piece.includes('\r') ? piece.replaceAll('\r', '') : piece;
    this.#pending += text;
    const out: Block[] = [];
    if (this.#fence || text.includes('\n') || this.#pending.length > MAX_LINE_CHARS) this.#cut(out);
    return out;
  }

  /** Ends the text: closes the remaining block. */
  end(): Block[] {
    const out: Block[] = [];
    const tail = this.tail();
    if (tail.kind === 'code') {
      out.push({ kind: 'code', language: tail.language, text: this.#code + this.#heldBack() });
    } else if (this.#pending.trim() !== '') {
      for (const part of this.#lex(this.#pending)) if (part.token.type !== 'space') out.push(this.#closed(part));
    }
    this.#pending = this.#code = '';
    this.#fence = undefined;
    return out;
  }

  tail(): Tail {
    if (!this.#fence) return { kind: 'markdown', language: '', text: this.#pending };
    // A line of only blanks and fence characters may be the end of the code: hidden until known.
    const partial = /^\s*[`~]*\s*$/.test(this.#pending) ? '' : unindent(this.#pending, this.#fence.indent);
    return { kind: 'code', language: this.#fence.language, text: this.#code + partial };
  }

  #heldBack(): string {
    return this.#fence!.close.test(this.#pending) ? '' : unindent(this.#pending, this.#fence!.indent);
  }

  #cut(out: Block[]): void {
    for (;;) {
      if (this.#fence) {
        if (!this.#takeCodeLines(out)) return;
      } else if (!this.#takeMarkdown(out)) {
        return;
      }
    }
  }

  /** Moves complete lines into the code block. True when the fence closed and something may follow. */
  #takeCodeLines(out: Block[]): boolean {
    const fence = this.#fence!;
    let from = 0;
    for (;;) {
      const end = this.#pending.indexOf('\n', from);
      if (end < 0) break;
      const line = this.#pending.slice(from, end);
      from = end + 1;
      if (fence.close.test(line)) {
        out.push({ kind: 'code', language: fence.language, text: this.#code });
        this.#fence = undefined;
        this.#code = '';
        this.#pending = this.#pending.slice(from);
        return this.#pending !== '';
      }
      this.#code += unindent(line, fence.indent) + '\n';
    }
    this.#pending = this.#pending.slice(from);
    return false;
  }

  /** Closes every block but the last. True when the tail turned into open code. */
  #takeMarkdown(out: Block[]): boolean {
    // Complete lines only: the `2` of `2. second` would look like a paragraph and end the list.
    const complete = this.#pending.lastIndexOf('\n') + 1;
    const rest = this.#pending.slice(complete);
    const parts = this.#lex(this.#pending.slice(0, complete));
    let last = parts.length - 1;
    while (last >= 0 && parts[last]!.token.type === 'space') --last;
    if (last < 0) {
      this.#pending = rest;
      this.#cutHard(out);
      return false;
    }
    for (const part of parts.slice(0, last)) if (part.token.type !== 'space') out.push(this.#closed(part));
    this.#pending =
      parts
        .slice(last)
        .map((part) => part.text)
        .join('') + rest;

    const token = parts[last]!.token;
    const open = token.type === 'code' ? FENCE_OPEN.exec(token.raw) : null;
    if (open) {
      const mark = open[1]!;
      this.#fence = {
        close: new RegExp(`^ {0,3}${mark[0]}{${mark.length},}[ \\t]*$`),
        language: languageOf(open[2]!),
        indent: token.raw.search(/[`~]/),
      };
      this.#pending = this.#pending.slice(open[0].length);
      return true;
    }
    this.#cutHard(out);
    return false;
  }

  /** Cuts text too long for repeated lexing: after a line, or else after a sentence or a word. */
  #cutHard(out: Block[]): void {
    for (;;) {
      const line = this.#pending.lastIndexOf('\n', MAX_TAIL_CHARS) + 1;
      if (this.#pending.length <= (line > 0 ? MAX_TAIL_CHARS : MAX_LINE_CHARS)) return;
      const at = line || this.#pending.lastIndexOf('. ', MAX_LINE_CHARS) + 2;
      const to = at > 1 ? at : this.#pending.lastIndexOf(' ', MAX_LINE_CHARS) + 1 || MAX_LINE_CHARS;
      out.push(this.#marked({ kind: 'markdown', text: this.#pending.slice(0, to) }));
      this.#cutShort = line === 0;
      this.#pending = this.#pending.slice(to);
    }
  }

  #closed(part: Part): Block {
    return this.#marked(blockOf(part));
  }

  #marked(block: Block): Block {
    if (!this.#cutShort) return block;
    this.#cutShort = false;
    return block.kind === 'code' ? block : { ...block, goesOn: true };
  }

  /** The tokens, each with the text up to the next token: together exactly the input. */
  #lex(text: string): Part[] {
    const lexer = new Lexer({ gfm: true });
    const tokens = unlessDeep<Token[]>(
      text,
      () => lexer.blockTokens(text, []),
      () => [{ type: 'paragraph', raw: text, text, tokens: [] }],
    );
    if (Object.keys(lexer.tokens.links).length > 0) this.definitions = true; // without tokens: definitions stay with the previous block
    const parts: Part[] = [];
    let at = 0;
    for (const token of tokens) {
      const start = text.indexOf(token.raw, at);
      if (start < 0) return [{ token: tokens.at(-1)!, text }]; // the lexer changed the text: keep a single block
      const before = parts.at(-1);
      if (before) before.text += text.slice(at, start);
      parts.push({ token, text: parts.length === 0 ? text.slice(0, start + token.raw.length) : token.raw });
      at = start + token.raw.length;
    }
    const last = parts.at(-1);
    if (last) last.text += text.slice(at);
    return withFolds(parts);
  }
}

/** The blocks of a complete text. */
export function blocksOf(text: string, cutShort: boolean): Block[] {
  const reader = new BlockReader(cutShort);
  const blocks: Block[] = [];
  for (let at = 0; at < text.length; at += PIECE_CHARS) blocks.push(...reader.feed(text.slice(at, at + PIECE_CHARS)));
  return [...blocks, ...reader.end()];
}

interface Part {
  token: Token;
  text: string;
}

/** A fold is one block, closed or not. */
function withFolds(parts: Part[]): Part[] {
  const tokens = parts.map((part) => part.token);
  const whole: Part[] = [];
  for (let at = 0; at < parts.length;) {
    const end = foldEnd(tokens, at);
    const next = end > 0 ? end : end < 0 ? parts.length : at + 1;
    whole.push({
      token: tokens[at]!,
      text: parts
        .slice(at, next)
        .map((part) => part.text)
        .join(''),
    });
    at = next;
  }
  return whole;
}

function blockOf({ token, text }: Part): Block {
  const open = token.type === 'code' ? FENCE_OPEN.exec(token.raw + '\n') : null;
  if (open && token.type === 'code')
    return { kind: 'code', language: languageOf(open[2]!), text: token.text === '' ? '' : token.text + '\n' };
  return { kind: 'markdown', text };
}

function languageOf(info: string): string {
  return (/^\s*([^\s{]+)/.exec(info)?.[1] ?? '').toLowerCase();
}

function unindent(line: string, by: number): string {
  let at = 0;
  while (at < by && line[at] === ' ') ++at;
  return at === 0 ? line : line.slice(at);
}
