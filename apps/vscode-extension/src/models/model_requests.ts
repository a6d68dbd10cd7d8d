// SPDX-License-Identifier: Apache-2.0
// Requests of a page in the editor, to store or remove the key of a model. The extension performs these requests, so that no key reaches
// the gateway's disk, and the gateway's list of connections is the answer. All other messages pass.

import type { KeyedConnection, ModelKeys } from './model_keys';

/** The page and the gateway, as texts of messages. */
export interface Sides {
  toGateway(text: string): void;
  toPage(text: string): void;
}
type Wanted =
  | { type: 'save_model'; request: string; connection: KeyedConnection }
  | { type: 'remove_model'; request: string; name: string };

/** False: the message belongs to the gateway. */
export function performed(text: string, keys: Pick<ModelKeys, 'save' | 'remove'>, sides: Sides): boolean {
  const wanted = wantedIn(text);
  if (!wanted) return false;
  const { request } = wanted;
  (wanted.type === 'save_model' ? keys.save(wanted.connection) : keys.remove(wanted.name)).then(
    () => sides.toGateway(JSON.stringify({ type: 'models', request })),
    (error: unknown) =>
      sides.toPage(
        JSON.stringify({
          type: 'failed',
          request,
          code: 'failed',
          message: error instanceof Error ? error.message : String(error),
        }),
      ),
  );
  return true;
}

function wantedIn(text: string): Wanted | undefined {
  if (!/"(save|remove)_model"/.test(text)) return undefined; // the usual message is not read twice
  const message = JSON.parse(text) as Record<string, unknown>;
  if (typeof message.request !== 'string') return undefined;
  if (message.type === 'remove_model' && typeof message.name === 'string') return message as unknown as Wanted;
  if (message.type !== 'save_model' || typeof message.connection !== 'object' || !message.connection) return undefined;
  const connection = message.connection as Record<string, unknown>;
  const areTexts = ['name', 'vendor', 'url', 'dialect', 'model', 'key'].every(
    (member) => typeof connection[member] === 'string',
  );
  return areTexts && connection.key !== '' ? (message as unknown as Wanted) : undefined;
}
