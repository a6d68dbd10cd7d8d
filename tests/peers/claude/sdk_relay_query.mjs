// SPDX-License-Identifier: Apache-2.0
// Queries through the Claude agent SDK to a relayed Claude Code, for sdk_relay_host.mjs.
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';

export const { createSdkMcpServer, query, tool } = await import(pathToFileURL(`${process.env.SDK}/sdk.mjs`).href);
export const { z } = createRequire(`${process.env.SDK}/sdk.mjs`)('zod');
export const base = {
  pathToClaudeCodeExecutable: process.env.PARLANCE,
  cwd: process.env.WORK,
  settingSources: [],
  env: { ...process.env },
  canUseTool: async (_, input) => ({ behavior: 'allow', updatedInput: input }),
};
export const check = (name, holds, detail) =>
  console.log(holds ? `ok ${name}` : `not ok ${name} ${JSON.stringify(detail)}`);
export const textOf = (m) =>
  (m.message?.content ?? [])
    .filter?.((b) => b.type === 'text')
    .map((b) => b.text)
    .join('') ?? '';
export const mock = (verb, argument = {}) => `@mock ${verb} ${JSON.stringify(argument)}\n`;
export const ask = async (prompt, options = {}) => {
  const all = [];
  try {
    for await (const m of query({ prompt, options: { ...base, ...options } })) all.push(m);
  } catch (e) {
    if (!all.at(-1)?.is_error) throw e; // after a result with an error, the SDK throws too
  }
  return {
    all,
    said: all
      .filter((m) => m.type === 'assistant')
      .map(textOf)
      .join(''),
    end: all.at(-1),
  };
};
