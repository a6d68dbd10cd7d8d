// SPDX-License-Identifier: Apache-2.0
// Writes lines into a pipe at the reader's speed. Lines beyond the pipe's capacity wait here in order, outside the stream's own buffer. A
// reader that stops reading loses the connection.

import type { Writable } from 'node:stream';
import { MAX_LINE_BYTES } from './framing';

const MOST_WAITING = MAX_LINE_BYTES; // plus a further line: a file of the maximum length always passes

export class Writer {
  private waiting: string[] = [];
  private held = 0; // characters in the queue
  private blocked = false;
  private gone = false;

  /** `given_up`: receives the reason; called once, and no line is written afterwards. */
  constructor(
    private readonly stream: Writable,
    private readonly givenUp: (why: string) => void,
  ) {
    stream.on('drain', () => {
      this.blocked = false;
      this.flush();
    });
    stream.on('error', () => this.drop()); // the reader has closed; its end is reported elsewhere
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
