// SPDX-License-Identifier: Apache-2.0
// The bridge for a program that a person starts in the integrated terminal, where the person uses stdin and stdout. The program finds its
// window by an address in its environment. Each window has an address, in a folder readable only for this user. On systems without Unix
// sockets, TCP is used and a token proves the user.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { LineReader, type Json, type Line } from './framing';
import { codes, Rpc, type Handler, type Hooks } from './rpc';
import { Writer } from './writer';

const FIRST_MS = 10_000; // a silent connection belongs to another program
const FIRST_BYTES = 64 * 1024; // of a first line with a name and a token
const MOST_CONNECTIONS = 64; // programs of a window's terminals

export interface Address {
  socket: string;
  token: string;
}
export type Over = 'unix' | 'tcp';

/** The session's folder if it exists: after `su` or in a container, the variable often names a missing folder. */
function runtimeFolder(): string {
  const named = process.env.XDG_RUNTIME_DIR ?? '';
  return isAbsolute(named) && existsSync(named) ? named : tmpdir();
}

export class BridgeSocket {
  readonly connections = new Set<Rpc>();
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private folder = '';

  /** `greet`: the first message to a program. `left`: a program has disconnected. */
  constructor(
    private readonly handlers: ReadonlyMap<string, Handler>,
    private readonly hooks: Hooks,
    private readonly greet: (rpc: Rpc) => void = () => {},
    private readonly left = () => {},
    private readonly firstMs = FIRST_MS,
  ) {}

  async listen(over: Over = process.platform === 'win32' ? 'tcp' : 'unix'): Promise<Address> {
    const token = randomBytes(32).toString('hex');
    const at = over === 'tcp' ? { host: '127.0.0.1', port: 0 } : { path: join(this.makeFolder(), 'editor.sock') };
    // Node cannot identify the peer of a Unix socket. Only this user can enter the folder of the socket.
    this.server = createServer((socket) => this.connected(socket, at.path ? '' : token));
    this.server.maxConnections = MOST_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      this.server!.once('error', reject).listen(at, () => resolve());
    });
    if (at.path) chmodSync(at.path, 0o600);
    const bound = this.server.address();
    return {
      socket: at.path ? `unix:${at.path}` : `tcp:127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`,
      token,
    };
  }

  close(): void {
    for (const rpc of this.connections) rpc.close('The editor closes');
    for (const socket of this.sockets) socket.destroy();
    this.server?.close();
    if (this.folder) rmSync(this.folder, { recursive: true, force: true });
  }

  private makeFolder(): string {
    this.folder = mkdtempSync(join(runtimeFolder(), 'parlance-editor-'));
    const { mode, uid } = statSync(this.folder);
    if ((mode & 0o777) !== 0o700 || uid !== process.getuid?.())
      throw new Error(`${this.folder}: other users could enter it; set XDG_RUNTIME_DIR to a folder of your own`);
    return this.folder;
  }

  /** `token`: required in the first line; empty: none. */
  private connected(socket: Socket, token: string): void {
    let gone = 'The program has gone';
    const writer = new Writer(socket, (why) => {
      gone = `The program ${why}`;
      this.hooks.note(`${gone}; its connection is closed.`);
      socket.destroy();
    });
    const rpc = new Rpc((line) => writer.write(line), this.handlers, { ...this.hooks, text: () => socket.destroy() }); // protocol only
    const welcome = (first: Uint8Array) => {
      clearTimeout(silent);
      this.connections.add(rpc);
      this.greet(rpc);
      rpc.receive(first);
      socket.on('data', (bytes) => rpc.receive(bytes));
    };
    const turnAway = () => {
      writer.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: codes.invalid, message: 'Say initialize first, with the content of PARLANCE_EDITOR_TOKEN' } })}\n`,
      );
      socket.destroySoon();
    };
    this.sockets.add(socket);
    const silent = setTimeout(() => socket.destroy(), this.firstMs);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(silent);
      this.sockets.delete(socket);
      const known = this.connections.delete(rpc);
      rpc.close(gone);
      if (known) this.left();
    });
    if (token === '') welcome(new Uint8Array());
    else
      firstLine(socket, (line, bytes) => {
        if (shows(line, token)) welcome(bytes);
        else turnAway();
      });
  }
}

/** Reports the first line of a connection with all received bytes. The bytes behind the line stay unparsed. */
function firstLine(socket: Socket, told: (line: Line | undefined, bytes: Uint8Array) => void): void {
  const pieces: Uint8Array[] = [];
  let found: Line | undefined;
  let held = 0;
  const reader = new LineReader((line) => {
    found ??= line;
  }, FIRST_BYTES);
  const onData = (bytes: Uint8Array) => {
    pieces.push(bytes);
    held += bytes.length;
    reader.push(bytes);
    if (!found && held <= FIRST_BYTES) return;
    socket.off('data', onData);
    told(found, Buffer.concat(pieces));
  };
  socket.on('data', onData);
}

function shows(line: Line | undefined, token: string): boolean {
  if (line?.kind !== 'message' || line.message.method !== 'initialize') return false;
  const params = line.message.params;
  return typeof params === 'object' && params !== null && !Array.isArray(params) && same(params.token, token);
}

function same(given: Json | undefined, wanted: string): boolean {
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
