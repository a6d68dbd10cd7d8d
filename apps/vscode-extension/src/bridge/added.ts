// SPDX-License-Identifier: Apache-2.0
// Methods added to the bridge by the person's other extensions. Agents that know such a method call the method by its name; our own agents
// list these methods with `getAddedMethods` and call them with `callAddedMethod`.

import type { Json } from './framing';
import { Unable } from './editor';
import { method, type Method } from './method';
import { anyObject, optional, text } from './params';
import { codes, RpcError, type Handler } from './rpc';

/** The description of a method for agents. `parameters`: a JSON Schema. `readOnly`: the method changes nothing and needs no approval. */
export interface AboutMethod {
  description: string;
  parameters?: { [name: string]: unknown };
  readOnly?: boolean;
}
/**
 * `signal` fires if the agent cancels the call or disconnects. The result is sent as JSON; an exception becomes an error with its
 * message.
 */
export type AddedHandler = (params: { [name: string]: unknown }, call: { signal: AbortSignal }) => unknown;

interface Added {
  about: AboutMethod;
  handler: Handler;
}

export class AddedMethods {
  private readonly added = new Map<string, Added>();

  /** `handlers`: the handlers of the bridge, including added methods. */
  constructor(private readonly handlers: Map<string, Handler>) {}

  get names(): string[] {
    return [...this.handlers.keys()];
  }
  has(name: string): boolean {
    return this.handlers.has(name);
  }

  /** Throws if the name is invalid or taken. The returned function removes the method. */
  add(name: string, about: AboutMethod, run: AddedHandler): () => void {
    if (!/^[A-Za-z][\w.]*$/.test(name))
      throw new Error(`"${name}" is no name of a method: letters, digits, _ and . behind a letter`);
    if (this.has(name)) throw new Error(`${name} is a method of the bridge already`);
    if (typeof about?.description !== 'string' || about.description === '')
      throw new Error(`${name}: say in "description" what it is for; agents choose by it`);
    if (typeof run !== 'function') throw new Error(`${name}: the handler is no function`);
    const entry: Added = {
      about,
      handler: async (params, { signal }) => ((await run(params, { signal })) ?? { success: true }) as Json,
    };
    this.added.set(name, entry);
    this.handlers.set(name, entry.handler);
    return () => {
      if (this.added.get(name) !== entry) return;
      this.added.delete(name);
      this.handlers.delete(name);
    };
  }

  /** The bridge's methods for agents. */
  methods(): Method[] {
    return [
      method('getAddedMethods', {}, () => ({
        methods: [...this.added].map(([name, { about }]) => ({
          name,
          description: about.description,
          ...(about.parameters && { parameters: about.parameters }),
          readOnly: about.readOnly ?? false,
        })),
      })),
      method('callAddedMethod', { method: text, params: optional(anyObject) }, async (_, wanted, call) => {
        const found = this.added.get(wanted.method);
        if (!found) throw new RpcError(codes.unknown, `Method not found: ${wanted.method}`);
        return { result: failed(await found.handler(wanted.params ?? {}, call)) };
      }),
    ];
  }
}

/** An added method's failure is an error, not a result. */
function failed(answer: Json): Json {
  const said = answer as { success?: unknown; error?: unknown } | null;
  if (typeof said === 'object' && said?.success === false)
    throw new Unable(typeof said.error === 'string' ? said.error : 'It does not say why not');
  return answer;
}
