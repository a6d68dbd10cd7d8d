// SPDX-License-Identifier: Apache-2.0
// Splits bytes into lines, and finds the lines of the protocol. Splits before decoding, because a piece from a pipe may end inside a
// character.

export const MAX_LINE_BYTES = 64 * 1024 * 1024; // fits a whole file as a JSON string; longer lines are errors
export const MAX_NESTING = 512;

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Message = { [name: string]: Json };
export type Line =
  | { kind: 'message'; message: Message }
  | { kind: 'text'; text: string; odd?: boolean }
  | { kind: 'too_long'; object: boolean };

const LF = 0x0a;
const BRACE = 0x7b;

export class LineReader {
  private pieces: Uint8Array[] = [];
  private held = 0;
  private skipping = false;
  private object = false; // the skipped line began as an object

  constructor(
    private readonly line: (line: Line) => void,
    private readonly most = MAX_LINE_BYTES,
  ) {}

  push(bytes: Uint8Array): void {
    let from = 0;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
      this.keep(bytes.subarray(from, at));
      this.finish();
      from = at + 1;
    }
    this.keep(bytes.subarray(from));
  }

  /** Handles the rest without a line end. */
  end(): void {
    if (this.held > 0 || this.skipping) this.finish();
  }

  private keep(piece: Uint8Array): void {
    if (piece.length === 0 || this.skipping) return;
    this.pieces.push(piece);
    this.held += piece.length;
    if (this.held <= this.most) return;
    this.object = beginsObject(this.pieces);
    this.pieces = [];
    this.held = 0;
    this.skipping = true;
  }

  private finish(): void {
    if (this.skipping) {
      this.skipping = false;
      this.line({ kind: 'too_long', object: this.object });
      return;
    }
    if (this.held === 0) return;
    const text =
      this.pieces.length === 1
        ? asBuffer(this.pieces[0]!).toString('utf8')
        : Buffer.concat(this.pieces).toString('utf8');
    this.pieces = [];
    this.held = 0;
    if (text !== '\r') this.line(classify(text.endsWith('\r') ? text.slice(0, -1) : text));
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function beginsObject(pieces: readonly Uint8Array[]): boolean {
  for (const piece of pieces) for (const byte of piece) if (byte !== 0x20 && byte !== 0x09) return byte === BRACE;
  return false;
}

/** Protocol lines are objects with the mark of the protocol; all other lines are text for a person, `odd` if similar to an object. */
export function classify(line: string): Line {
  if (!/^[ \t]*\{/.test(line)) return { kind: 'text', text: line };
  if (line.length > MAX_NESTING && nesting(line) > MAX_NESTING) return { kind: 'text', text: line, odd: true };
  try {
    const value = JSON.parse(line) as Message;
    if (value.jsonrpc === '2.0') return { kind: 'message', message: value };
  } catch {
    /* text */
  }
  return { kind: 'text', text: line, odd: true };
}

function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 0x5c) ++i;
      else if (c === 0x22) quoted = false;
    } else if (c === 0x22) quoted = true;
    else if (c === 0x7b || c === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (c === 0x7d || c === 0x5d) --depth;
  }
  return deepest;
}
