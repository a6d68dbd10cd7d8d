// SPDX-License-Identifier: Apache-2.0
// Requests of the page and what answers them, from the messages of protocol.ts.

import type { PageMessage, RequestValues } from './protocol';

type WithoutName<M> = M extends { request: string } ? Omit<M, 'request'> : never;

/** A message that is answered, before it has its name. */
export type PageRequest = WithoutName<PageMessage>;
export type RequestType = keyof RequestValues;
export type RequestOf<T extends RequestType> = { type: T } & Extract<PageRequest, { type: T }>;

/** Sends a request; `done` gets what the host answers to one of its type. */
export type Ask = <T extends RequestType>(
  request: RequestOf<T>,
  done: (value: RequestValues[T]) => void,
  failed: (error: Error) => void,
) => void;

export class RequestError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Who waits for the answer to a request that is on its way. */
export interface Pending {
  done: (value: unknown) => void;
  failed: (error: RequestError) => void;
}
