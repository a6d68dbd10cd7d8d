// SPDX-License-Identifier: Apache-2.0
// Queries through the Claude agent SDK to parlance serve-claude, for sdk_host.mjs.
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';

export const { createSdkMcpServer, query, tool } = await import(pathToFileURL(`${process.env.SDK}/sdk.mjs`).href);
export const { z } = createRequire(`${process.env.SDK}/sdk.mjs`)('zod');
export const cwd = process.env.WORK;
export const base = {
  pathToClaudeCodeExecutable: process.env.PARLANCE,
  cwd,
  settingSources: [],
  env: { ...process.env },
};
export const check = (name, holds, detail) =>
  console.log(holds ? `ok ${name}` : `not ok ${name} ${JSON.stringify(detail)}`);
export const textOf = (m) =>
  (m.message?.content ?? [])
    .filter((b) => b.type === 'text')
    .map((b) => b.text)
    .join('');
export const collect = async (q, each) => {
  const all = [];
  try {
    for await (const m of q) {
      all.push(m);
      if (each) await each(m);
    }
  } catch (error) {
    if (all.at(-1)?.type !== 'result' || !all.at(-1).is_error) throw error; // the SDK throws after a result with an error
  }
  return all;
};
