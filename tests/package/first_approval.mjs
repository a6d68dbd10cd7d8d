// SPDX-License-Identifier: Apache-2.0
// A client of ACP that goes to the first answered approval: the scripted agent asks to change a file, and the client allows it once.
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const patienceMs = 60_000;

/** Plays a session with a started `parlance serve-acp`, whose folder contains a.txt with "one". Resolves after the program's end. */
export async function firstApproval(child, cwd) {
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  const ended = once(child, 'close');
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const waiting = new Map();
  let asked = false;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'session/request_permission') {
      asked = true;
      const { optionId } = message.params.options.find((option) => option.kind === 'allow_once');
      send({ id: message.id, result: { outcome: { outcome: 'selected', optionId } } });
    }
    waiting.get(message.method ? undefined : message.id)?.(message.result ?? Promise.reject(new Error(line)));
  });
  ended.then(() => waiting.forEach((resolve) => resolve(Promise.reject(new Error(`the program ended early: ${log}`)))));
  let id = 0;
  const call = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      send({ id, method, params });
    });
  await call('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await call('session/new', { cwd, mcpServers: [] });
  await call('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'edit a.txt one => two' }] });
  waiting.clear();
  child.stdin.end();
  const [code] = await ended;
  clearTimeout(timer);
  if (!asked || code !== 0) throw new Error(`asked: ${asked}, exit status ${code}: ${log}`);
}
