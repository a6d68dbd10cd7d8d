// SPDX-License-Identifier: Apache-2.0
// One database behind the gateway: the helper's messages over a separate connection, opened on the first request. The end of the connection
// fails all open requests with a message.

import { words } from '../strings/views';
import { Calls, SqliteError, type Bridge, type Running } from './bridge';

type Event = { event: 'opened' | 'changed' } | { event: 'refused' | 'ended'; error: string };

export class SocketBridge implements Bridge {
  #socket: WebSocket | undefined;
  #opened = false;
  #unsent: string[] = [];
  readonly #calls = new Calls((message) => this.#send(message));

  /** `changed`: another program wrote to the file. */
  constructor(
    private readonly connect: () => WebSocket,
    private readonly changed: () => void,
  ) {}

  run<T>(cmd: string, payload: Record<string, unknown>): Running<T> {
    return this.#calls.run(cmd, payload);
  }
  ask<T>(cmd: string, payload: Record<string, unknown>): Promise<T> {
    return this.#calls.ask(cmd, payload);
  }

  /** The next request opens a new connection. */
  close(): void {
    this.#socket?.close();
    this.#over(new SqliteError('CANCELLED', words().connection_lost));
  }

  #send(message: string): void {
    if (this.#opened) {
      this.#socket!.send(message);
      return;
    }
    this.#unsent.push(message);
    if (!this.#socket) this.#begin();
  }

  #begin(): void {
    const socket = this.connect();
    let why = words().connection_lost;
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      const told = JSON.parse(String(data)) as Partial<Event>;
      if (told.event === undefined) this.#calls.heard(String(data));
      else if (told.event === 'changed') this.changed();
      else if (told.event === 'opened') this.#ready();
      else
        why =
          told.event === 'ended'
            ? words().helper_ended((told as { error: string }).error)
            : (told as { error: string }).error;
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#over(new SqliteError('DB_OPEN_FAILED', why));
    };
  }

  #ready(): void {
    this.#opened = true;
    for (const message of this.#unsent.splice(0)) this.#socket!.send(message);
  }

  #over(error: SqliteError): void {
    this.#socket = undefined;
    this.#opened = false;
    this.#unsent = [];
    this.#calls.failAll(error);
  }
}
