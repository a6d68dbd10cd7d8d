// The bridge for a program that a person starts in the integrated terminal, where stdin and stdout are theirs: it finds its window by an
// address in its environment. One address for each window, in a folder for this user's eyes alone.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, Message } from './framing';
import { codes, Rpc, RpcError, type Handler, type Hooks } from './rpc';
import { Writer } from './writer';

const FIRST_MS = 10_000;                            // a connection that says nothing is somebody else's

export interface Address { socket: string; token: string }

export class BridgeSocket {
  readonly connections = new Set<Rpc>();
  private server: Server | undefined;
  private folder = '';

  /** `greet`: what a program hears before it has asked anything. */
  constructor(private readonly handlers: ReadonlyMap<string, Handler>, private readonly hooks: Hooks, private readonly greet: (rpc: Rpc) => void = () => {}) {}

  async listen(): Promise<Address> {
    const token = randomBytes(32).toString('hex');
    const windows = process.platform === 'win32';
    const at = windows ? { host: '127.0.0.1', port: 0 } : { path: join(this.make_folder(), 'editor.sock') };
    // A socket below a folder that only this user enters needs no token: Node cannot ask who is at the other end, but nobody else gets there.
    this.server = createServer((socket) => this.connected(socket, at.path ? '' : token));
    await new Promise<void>((resolve, reject) => { this.server!.once('error', reject).listen(at, () => resolve()); });
    if (at.path) chmodSync(at.path, 0o600);
    const bound = this.server.address();
    return { socket: at.path ? `unix:${at.path}` : `tcp:127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`, token };
  }

  close(): void {
    for (const rpc of this.connections) rpc.close('The editor closes');
    this.server?.close();
    if (this.folder) rmSync(this.folder, { recursive: true, force: true });
  }

  private make_folder(): string {
    this.folder = mkdtempSync(join(process.env.XDG_RUNTIME_DIR ?? tmpdir(), 'parlance-editor-'));  // 0700, as mkdtemp makes it
    return this.folder;
  }

  private connected(socket: Socket, token: string): void {
    const writer = new Writer(socket);
    let known = false;
    const welcome = () => {
      if (known) return;
      known = true;
      this.connections.add(rpc);
      this.greet(rpc);
    };
    const open = (params: Message): boolean => token === '' || same(params.token, token);
    const guarded = new Map([...this.handlers].map(([name, handler]): [string, Handler] => [name, async (params, call) => {
      if (!known && !(name === 'initialize' && open(params))) {
        socket.destroySoon();
        throw new RpcError(codes.invalid, 'Say initialize first, with the token of PARLANCE_EDITOR_TOKEN');
      }
      welcome();
      return handler(params, call);
    }]));
    const rpc = new Rpc((line) => writer.write(line), guarded, {
      ...this.hooks,
      text: () => socket.destroy(),                 // nothing but protocol goes over a socket
      notified: (method, params) => { if (known) this.hooks.notified(method, params); },
    });
    if (token === '') welcome();
    const silent = setTimeout(() => { if (!known) socket.destroy(); }, FIRST_MS);
    socket.on('data', (bytes) => rpc.receive(bytes));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(silent);
      this.connections.delete(rpc);
      rpc.close('The program has gone');
    });
  }
}

function same(given: Json | undefined, wanted: string): boolean {
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
