// SPDX-License-Identifier: Apache-2.0
// Readers of params. Each reader states its expectation, and its error names the method and the member.

import type { Json } from './framing';

export type Reader<T> = (value: Json | undefined, name: string) => T;
export type Shape = Record<string, Reader<unknown>>;
export type Params<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> };

export class BadParams extends Error {}

function wrong(name: string, value: Json | undefined, expected: string): never {
  throw new BadParams(value === undefined ? `'${name}' is missing` : `'${name}' must be ${expected}`);
}

export const text: Reader<string> = (value, name) =>
  typeof value === 'string' ? value : wrong(name, value, 'a string');
export const flag: Reader<boolean> = (value, name) =>
  typeof value === 'boolean' ? value : wrong(name, value, 'true or false');
export const count: Reader<number> = (value, name) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0
    ? value
    : wrong(name, value, 'a whole number, 0 or more');

/** Lines by their number count from 1, positions from 0. */
export const line: Reader<number> = (value, name) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1
    ? value
    : wrong(name, value, 'the number of a line, from 1');

/** null counts as absent: several clients write null for missing values. */
export const optional =
  <T>(reader: Reader<T>): Reader<T | undefined> =>
  (value, name) =>
    value === undefined || value === null ? undefined : reader(value, name);

export const oneOf =
  <const T extends string>(...names: T[]): Reader<T> =>
  (value, name) =>
    names.includes(value as T) ? (value as T) : wrong(name, value, names.join(', '));

export const list =
  <T>(reader: Reader<T>): Reader<T[]> =>
  (value, name) =>
    Array.isArray(value) ? value.map((element, i) => reader(element, `${name}[${i}]`)) : wrong(name, value, 'an array');

export const object =
  <S extends Shape>(shape: S): Reader<Params<S>> =>
  (value, name) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? read(shape, value, `${name}.`)
      : wrong(name, value, 'an object');

/** An object with members for another reader. */
export const anyObject: Reader<{ [name: string]: Json }> = (value, name) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : wrong(name, value, 'an object');

export function read<S extends Shape>(shape: S, params: { [name: string]: Json }, prefix = ''): Params<S> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, reader]) => [name, reader(params[name], prefix + name)]),
  ) as Params<S>;
}

/** Paths are sent in the form of the file system: absolute, and never with a NUL, which would cut the path. */
export const path: Reader<string> = (value, name) => {
  const given = text(value, name);
  if (!/^([/\\]|[A-Za-z]:[/\\])/.test(given) || given.includes('\0'))
    throw new BadParams(`'${name}' must be an absolute path`);
  return given;
};
