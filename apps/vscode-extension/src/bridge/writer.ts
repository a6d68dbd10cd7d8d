// SPDX-License-Identifier: Apache-2.0
// Lines into a pipe, as fast as its reader takes them: what does not fit waits here, in order, and not in the stream's own buffer. A reader that
// takes nothing any more is given up, and with it the connection.

import type { Writable } from 'node:stream';
import { MAX_LINE_BYTES } from './framing';

const MOST_WAITING = MAX_LINE_BYTES; // behind it one line more: a file as long as a line may be always goes through

export class Writer {
  private waiting: string[] = [];
  private held = 0; // characters of them
  private blocked = false;
  private gone = false;

  /** `givenUp`: with what to tell of the reader; called once, and nothing is written behind it. */
  constructor(
    private readonly stream: Writable,
    private readonly givenUp: (why: string) => void,
  ) {
    stream.on('drain', () => {
      this.blocked = false;
      this.flush();
    });
    stream.on('error', () => this.drop()); // the other side has gone; its end is told elsewhere
    stream.on('close', () => this.drop());
  }

  write(line: string): void {
    if (this.gone) return;
    if (this.held > MOST_WAITING) {
      this.drop();
      this.givenUp(`does not read: more than ${MOST_WAITING >> 20} MiB wait for it`);
      return;
    }
    this.waiting.push(line);
    this.held += line.length;
    this.flush();
  }

  private flush(): void {
    let taken = 0;
    for (; !this.blocked && taken < this.waiting.length; ++taken) {
      const line = this.waiting[taken]!;
      this.held -= line.length;
      this.blocked = !this.stream.write(line);
    }
    this.waiting.splice(0, taken);
  }

  private drop(): void {
    this.gone = true;
    this.waiting = [];
    this.held = 0;
  }
}
