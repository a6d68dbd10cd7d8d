// SPDX-License-Identifier: Apache-2.0
// The bridge of this window: the agent's program started by the extension, and clients from the terminal. Output of the program outside the
// protocol goes to an output channel for the person.

import * as vscode from 'vscode';
import { BridgeChild, type State } from '../bridge/child';
import type { Message } from '../bridge/framing';
import type { AddedMethods } from '../bridge/added';
import { handlersFor } from '../bridge/methods';
import { BridgeSocket } from '../bridge/socket';
import type { Rpc } from '../bridge/rpc';
import type { Focus } from './focus';
import { agentStatus, idle, mostUrgent, type AgentStatus } from './status_text';
import type { Settings } from './settings';
import type { VsCodeEditor } from './vscode_editor';

export class BridgeSession implements vscode.Disposable {
  readonly chat = vscode.window.createOutputChannel('parlance chat');
  readonly added: AddedMethods; // by other extensions
  private readonly statuses = new WeakMap<Rpc, AgentStatus>();
  private readonly child: BridgeChild;
  private readonly socket: BridgeSocket;
  private readonly parts: vscode.Disposable[];
  private address: { socket: string; token: string } | undefined;

  constructor(
    editor: VsCodeEditor,
    focus: Focus,
    settings: Settings,
    private readonly log: vscode.LogOutputChannel,
    private readonly changed: () => void,
  ) {
    const { handlers, added } = handlersFor({ name: vscode.env.appName, version: vscode.version }, editor);
    this.added = added;
    const hooks = {
      text: (line: string) => this.chat.appendLine(line),
      note: (line: string) => log.debug(`bridge: ${line}`),
      notified: (method: string, params: Message, rpc: Rpc) => this.notified(method, params, rpc),
    };
    this.child = new BridgeChild(() => settings.bridge(), handlers, {
      ...hooks,
      stderr: (line) => log.info(`chat: ${line}`),
      state: (state) => this.became(state),
    });
    this.socket = new BridgeSocket(handlers, hooks, (rpc) => this.greet(rpc), changed);
    this.parts = [
      this.chat,
      focus.onDidChange((context) => this.tell('contextChanged', context as unknown as Message)),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (document.uri.scheme === 'file') this.tell('documentSaved', { path: document.uri.fsPath });
      }),
    ];
    this.greet = (rpc) => rpc?.notify('contextChanged', focus.context as unknown as Message);
  }

  /** Lets programs of the integrated terminal find this window. */
  async listen(environment: vscode.EnvironmentVariableCollection): Promise<void> {
    this.address = await this.socket.listen();
    environment.persistent = false; // the next start of this window listens elsewhere
    environment.description = 'Lets parlance, started in a terminal, find this window.';
    for (const [name, value] of Object.entries(this.environment())) environment.replace(name, value!);
  }
  environment(): NodeJS.ProcessEnv {
    return this.address
      ? { PARLANCE_EDITOR_SOCKET: this.address.socket, PARLANCE_EDITOR_TOKEN: this.address.token }
      : {};
  }

  /** The reported status of the agents: the extension's own and those of the terminals. */
  get status(): AgentStatus {
    return mostUrgent(this.peers().map((rpc) => this.statuses.get(rpc) ?? idle));
  }
  get running(): boolean {
    return this.child.running;
  }
  start(): void {
    this.child.start();
  }
  stop(): Promise<void> {
    return this.child.stop();
  }
  say(text: string): void {
    this.child.start();
    this.child.rpc?.notify('userInput', { text });
  }
  mention(filePath: string, lineStart: number, lineEnd: number): void {
    this.tell('atMentioned', { filePath, lineStart, lineEnd });
  }

  dispose(): void {
    this.socket.close();
    vscode.Disposable.from(...this.parts).dispose();
  }

  private readonly greet: (rpc: Rpc | undefined) => void;

  private peers(): Rpc[] {
    return [...(this.child.rpc ? [this.child.rpc] : []), ...this.socket.connections];
  }
  private tell(method: string, params: Message): void {
    for (const rpc of this.peers()) rpc.notify(method, params);
  }

  private notified(method: string, params: Message, rpc: Rpc): void {
    if (method === 'status') {
      this.statuses.set(rpc, agentStatus(params));
      this.changed();
    } else if (method === 'log') this.log.info(`chat: ${String(params.message ?? '')}`);
  }

  private became(state: State): void {
    this.changed();
    if (state.state === 'running') setTimeout(() => this.greet(this.child.rpc), 0);
    else if (state.state === 'waiting') this.chat.appendLine(`[the agent ${state.why}; it is started again]`);
    else if (state.state === 'failed') {
      this.chat.appendLine(`[the agent ${state.why}]`);
      void vscode.window
        .showErrorMessage(`The agent keeps ending (${state.why}).`, 'Start again', 'Show output')
        .then((choice) => {
          if (choice === 'Start again') this.start();
          else if (choice) this.chat.show(true);
        });
    }
  }
}
