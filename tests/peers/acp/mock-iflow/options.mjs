// SPDX-License-Identifier: Apache-2.0
// The command line of server.mjs.
const arg = (name, otherwise) => {
  const at = process.argv.indexOf('--' + name);
  return at < 0 ? otherwise : process.argv[at + 1];
};

export const port = +arg('port', 0);
export const recFile = arg('record');
export const authed = arg('auth', 'no') === 'yes';
export const readyDelay = +arg('ready-delay', 25);
export const readyRepeat = +arg('ready-repeat', 0);
export const path = arg('path', '/acp');
export const gap = +arg('gap', 8);
