// SPDX-License-Identifier: Apache-2.0
// Methods that other extensions of the person add to the bridge while they live. Agents that know one call it by its name, as any other; our
// own agents are told of them by `getAddedMethods` and call them by `callAddedMethod`.

import type { Json } from './framing';
import { Unable } from './editor';
import { method, type Method } from './method';
import { anyObject, optional, text } from './params';
import { codes, RpcError, type Handler } from './rpc';

/** What an agent is told of a method. `parameters`: a JSON Schema of what it takes. `readOnly`: it changes nothing, so nobody need be asked first. */
export interface AboutMethod {
  description: string;
  parameters?: { [name: string]: unknown };
  readOnly?: boolean;
}
/** `signal` fires when the agent takes the call back, or goes. What is answered goes out as JSON; what is thrown becomes an error with its message. */
export type AddedHandler = (params: { [name: string]: unknown }, call: { signal: AbortSignal }) => unknown;

interface Added {
  about: AboutMethod;
  handler: Handler;
}

export class AddedMethods {
  private readonly added = new Map<string, Added>();

  /** `handlers`: what the bridge answers by; what is added stands there as well. */
  constructor(private readonly handlers: Map<string, Handler>) {}

  get names(): string[] {
    return [...this.handlers.keys()];
  }
  has(name: string): boolean {
    return this.handlers.has(name);
  }

  /** Throws where the name cannot be had. What comes back takes the method away again. */
  add(name: string, about: AboutMethod, run: AddedHandler): () => void {
    if (!/^[A-Za-z][\w.]*$/.test(name))
      throw new Error(`"${name}" is no name of a method: letters, digits, _ and . behind a letter`);
    if (this.has(name)) throw new Error(`${name} is a method of the bridge already`);
    if (typeof about?.description !== 'string' || about.description === '')
      throw new Error(`${name}: say in "description" what it is for; agents choose by it`);
    if (typeof run !== 'function') throw new Error(`${name}: the handler is no function`);
    const one: Added = {
      about,
      handler: async (params, { signal }) => ((await run(params, { signal })) ?? { success: true }) as Json,
    };
    this.added.set(name, one);
    this.handlers.set(name, one.handler);
    return () => {
      if (this.added.get(name) !== one) return;
      this.added.delete(name);
      this.handlers.delete(name);
    };
  }

  /** What the bridge itself has for them. */
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
        const one = this.added.get(wanted.method);
        if (!one) throw new RpcError(codes.unknown, `Method not found: ${wanted.method}`);
        return { result: failed(await one.handler(wanted.params ?? {}, call)) };
      }),
    ];
  }
}

/** What an added method says that it cannot do now is not a result. */
function failed(answer: Json): Json {
  const said = answer as { success?: unknown; error?: unknown } | null;
  if (typeof said === 'object' && said?.success === false)
    throw new Unable(typeof said.error === 'string' ? said.error : 'It does not say why not');
  return answer;
}
