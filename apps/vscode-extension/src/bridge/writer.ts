// Lines into a pipe, as fast as its reader takes them: what does not fit waits here, in order, and not in the stream's own buffer.

import type { Writable } from 'node:stream';

export class Writer {
  private waiting: string[] = [];
  private blocked = false;
  private gone = false;

  constructor(private readonly stream: Writable) {
    stream.on('drain', () => { this.blocked = false; this.flush(); });
    stream.on('error', () => this.drop());          // the other side has gone; its end is told elsewhere
    stream.on('close', () => this.drop());
  }

  write(line: string): void {
    if (this.gone) return;
    this.waiting.push(line);
    this.flush();
  }

  get queued(): number { return this.waiting.length; }

  private flush(): void {
    let line: string | undefined;
    while (!this.blocked && (line = this.waiting.shift()) !== undefined) this.blocked = !this.stream.write(line);
  }

  private drop(): void {
    this.gone = true;
    this.waiting = [];
  }
}
