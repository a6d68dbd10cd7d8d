// SPDX-License-Identifier: Apache-2.0
// A method of the bridge is declared once: its name, its params, what it does. Checking, errors and the list that `initialize` tells come
// from the declaration.

import type { Json, Message } from './framing';
import { Unable, type Editor } from './editor';
import { BadParams, read, type Params, type Shape } from './params';
import { codes, RpcError, type Call, type Handler } from './rpc';

export interface Method {
  name: string;
  handler(editor: Editor): Handler;
}
type Answer = { [name: string]: unknown } | void;

/** `success: true` is added to what `run` answers; what it throws as Unable becomes `success: false`. */
export function method<S extends Shape>(
  name: string,
  shape: S,
  run: (editor: Editor, params: Params<S>, call: Call) => Answer | Promise<Answer>,
): Method {
  return plain(name, shape, async (editor, params, call) => {
    try {
      return { success: true, ...(await run(editor, params, call)) };
    } catch (error) {
      if (error instanceof Unable) return { success: false, error: error.message };
      throw error;
    }
  });
}

/** Answers exactly what `run` does. */
export function plain<S extends Shape>(
  name: string,
  shape: S,
  run: (editor: Editor, params: Params<S>, call: Call) => unknown,
): Method {
  return {
    name,
    handler: (editor) => async (params: Message, call: Call) =>
      (await run(editor, checked(name, shape, params), call)) as Json,
  };
}

function checked<S extends Shape>(name: string, shape: S, params: Message): Params<S> {
  try {
    return read(shape, params);
  } catch (error) {
    if (error instanceof BadParams) throw new RpcError(codes.params, `${name}: ${error.message}`);
    throw error;
  }
}

export const handlersOf = (methods: readonly Method[], editor: Editor): Map<string, Handler> =>
  new Map(methods.map((entry) => [entry.name, entry.handler(editor)]));
