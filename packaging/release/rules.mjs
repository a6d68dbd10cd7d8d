// SPDX-License-Identifier: Apache-2.0
// Shared by the checks of JSON files against the schemas of their readers.

export const isText = (value) => typeof value === 'string' && value.length > 0;

/** Reports each rule that does not hold. A rule is a condition and the text of its fault. */
export const failed = (rules) => rules.filter(([holds]) => !holds).map(([, fault]) => fault);

/** Reports each name of `value` that a schema does not know. */
export function unknownNames(where, value, known) {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => `${where}.${name} is unknown`);
}
